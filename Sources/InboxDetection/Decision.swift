import UniformTypeIdentifiers

/// The type that name and content lead to. A pure function of both: nothing is read here.
struct Decision {
    /// Nil where nothing is known.
    var kind: Kind?
    var evidence: Evidence
    var mismatch = false
    var unread = false

    /// Weighs the kinds that a name may mean, the preferred one first, against what the content shows.
    static func weigh(_ names: [NamedKind], _ content: ContentFinding, _ knowledge: Knowledge) -> Decision {
        switch content {
        case .unread:
            var decision = byName(names)
            decision.unread = true
            return decision
        case .empty:
            return byName(names)
        case .unknown(let guess):
            if let guess {
                // Two bytes are what one file of random bytes in some thousands has.
                if names.isEmpty {
                    return guess.fixed < 3
                        ? Decision(kind: nil, evidence: .none) : Decision(kind: guess.kind, evidence: .content)
                }
                if let agreed = agreement(names, guess, knowledge) { return agreed }
            }
            // A kind whose files need neither a signature nor text is the one that these bytes do not contradict.
            guard let named = names.first(where: { !$0.isContradictable && !$0.isClaim }) ?? names.first else {
                return byName(names)
            }
            guard named.isContradictable else { return Decision(kind: named.kind, evidence: .name) }
            // `data.bin` is whatever some program keeps there, rather than the one format that has claimed the name.
            return isFirm(names)
                ? Decision(kind: named.kind, evidence: .name, mismatch: true) : Decision(kind: nil, evidence: .none)
        case .excluded:
            return Decision(kind: names.first?.kind, evidence: .name, mismatch: true)
        case .foreign(let found):
            if let found, let agreed = agreement(names, found, knowledge) { return agreed }
            return Decision(
                kind: found?.kind ?? knowledge.plainText, evidence: .content, mismatch: !isShared(names))
        case .text(let guess):
            if let own = byOwnType(names) { return own }
            if let guess {
                if names.isEmpty { return Decision(kind: guess.kind, evidence: .content) }
                // Of the kinds that the name may mean, the one that the text reads like.
                if let named = names.first(where: { isSame($0.kind, guess.kind, knowledge) }) {
                    return Decision(kind: named.kind, evidence: .nameAndContent)
                }
            }
            return byPlainText(names, knowledge)
        case .likely(let found):
            return agreement(names, found, knowledge) ?? byOwnType(names) ?? byText(names, found.kind)
        case .signature(let found):
            // Where any text may be, one that says what it is may be, too.
            return agreement(names, found, knowledge)
                ?? Decision(
                    kind: found.kind, evidence: .content,
                    mismatch: isFirm(names) && !(isShared(names) && knowledge.isText(found.kind)))
        }
    }

    /// Returns whether the name means something that content can contradict: an extension that any program uses for
    /// its own files does not, even if it has other meanings too.
    private static func isFirm(_ names: [NamedKind]) -> Bool {
        !names.isEmpty && !names.contains { $0.isVague }
    }

    /// A type of the configuration's own says what the files of its extension are, where that may be any text.
    private static func byOwnType(_ names: [NamedKind]) -> Decision? {
        guard let first = names.first, first.isUnstudied, first.kind.type.isOwn else { return nil }
        return Decision(kind: first.kind, evidence: .name)
    }

    private static func byName(_ names: [NamedKind]) -> Decision {
        Decision(kind: names.first?.kind, evidence: names.isEmpty ? .none : .name)
    }

    /// Which of the kinds carries plain lines; nil where none does.
    static func placeOfText(_ names: [NamedKind]) -> Int? {
        // Of several text formats with one extension, plain lines are rather one that is not markup.
        names.firstIndex { $0.isText && !$0.isMandatory && !$0.isStructured }
            ?? names.firstIndex { $0.isText && !$0.isMandatory }
    }

    /// Texts of other programs have such a name, too.
    private static func isShared(_ names: [NamedKind]) -> Bool { names.contains { $0.isShared || $0.isListed } }

    /// Only text was found, and nothing more is known of it: a name that rare files of bytes have does not make it one.
    private static func byPlainText(_ names: [NamedKind], _ knowledge: Knowledge) -> Decision {
        if placeOfText(names) == nil, let first = names.first(where: { !$0.isClaim }), !first.isBinary,
            !first.isMandatory, first.kind.format == nil
        {
            // What the database knows may be text; a list of names does not say so.
            guard first.kind.type.isDynamic, !first.isListed else {
                return Decision(kind: knowledge.plainText, evidence: .content)
            }
            return Decision(kind: first.kind, evidence: .name)
        }
        return byText(names, knowledge.plainText)
    }

    /// Only text was found: it carries every text format, and contradicts those that must have a signature.
    private static func byText(_ names: [NamedKind], _ text: Kind) -> Decision {
        if let place = placeOfText(names) { return Decision(kind: names[place].kind, evidence: .nameAndContent) }
        if let named = names.first(where: { !$0.isMandatory && !$0.isBinary && !$0.isClaim && !$0.isListed }) {
            return Decision(kind: named.kind, evidence: .name)
        }
        return Decision(kind: text, evidence: .content, mismatch: isFirm(names) && !isShared(names))
    }

    /// The more specific of a name's kind and the content's, for the first kind that agrees; nil where none does.
    private static func agreement(
        _ names: [NamedKind], _ found: FoundKind, _ knowledge: Knowledge
    ) -> Decision? {
        for named in names {
            if let side = side(named, found, knowledge) {
                return Decision(kind: side == .content ? found.kind : named.kind, evidence: .nameAndContent)
            }
        }
        // What only lists of names know may be written in any container, but pages, sound and movies are what they are.
        guard let carrier = found.carrier, ![.pdf, .ogg, .media, .matroska].contains(carrier),
            let named = names.first(where: \.isUnstudied)
        else { return nil }
        return Decision(kind: named.kind, evidence: .nameAndContent)
    }

    /// Returns whether the name's kind is the guess or a special case of it.
    private static func isSame(_ name: Kind, _ guess: Kind, _ knowledge: Knowledge) -> Bool {
        if name.type == guess.type { return true }
        guard let own = name.mime, let other = guess.mime else { return false }
        return knowledge.isSubclass(own, of: other)
    }

    private enum Side {
        case name
        case content
    }

    /// Which of the two is the more specific, where they agree.
    private static func side(_ named: NamedKind, _ found: FoundKind, _ knowledge: Knowledge) -> Side? {
        let name = named.kind
        let content = found.kind
        if named.isStrict, found.carrier == .bareZip { return nil }
        // Macros inside a document are what a name without them hides.
        if named.isStrict, !knowledge.hasMacros(name), knowledge.hasMacros(content) { return nil }
        if name.type == content.type {
            // One identifier can cover several MIME types: `audio/x-vorbis+ogg` is more specific than `audio/ogg`.
            guard let own = name.mime, let other = content.mime, own != other else { return .content }
            return knowledge.isSubclass(own, of: other) ? .name : .content
        }
        if let own = name.mime, let other = content.mime, own == other {
            // Dynamic types of one format differ by the extension: the name's is the one that a lookup gives.
            if name.type.isDynamic, content.type.isDynamic { return .name }
            return name.type.conforms(to: content.type) ? .name : .content
        }
        if content.type.conforms(to: name.type) { return .content }
        if name.type.conforms(to: content.type) { return .name }
        if let own = name.mime, let other = content.mime {
            if knowledge.isSubclass(other, of: own) { return .content }
            // The database counts scripts as programs, but compiled code is no script; it takes signatures for text.
            let isEither = name.format.map { FormatTable.builtIn[$0].isEither } ?? false
            let isBinary = named.isText && !isEither && found.carrier == nil && !knowledge.isText(content)
            if !isBinary, knowledge.isSubclass(own, of: other) { return .name }
        }
        if let carrier = found.carrier {
            if named.carriers.contains(carrier == .bareZip ? .zip : carrier) { return .name }
        }
        return nil
    }
}
