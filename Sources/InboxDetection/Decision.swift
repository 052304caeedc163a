import UniformTypeIdentifiers

/// What name and content come to. A pure function of both: nothing is read here.
struct Decision {
    /// Nil where nothing is known.
    var kind: Kind?
    var evidence: Evidence
    var mismatch = false
    var unread = false

    /// Weighs the kinds that a name may mean, the preferred one first, against what the content says.
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
                if names.isEmpty { return Decision(kind: guess.kind, evidence: .content) }
                if let agreed = agreement(names, guess, knowledge) { return agreed }
            }
            // A kind whose files need neither a signature nor text is the one that these bytes do not contradict.
            guard let named = names.first(where: { !$0.isMandatory && !$0.isText }) ?? names.first else {
                return byName(names)
            }
            return Decision(kind: named.kind, evidence: .name, mismatch: named.isMandatory || named.isText)
        case .text(let guess):
            if names.isEmpty, let guess { return Decision(kind: guess.kind, evidence: .content) }
            return byText(names, knowledge.plainText)
        case .likely(let found):
            return agreement(names, found, knowledge) ?? byText(names, found.kind)
        case .signature(let found):
            return agreement(names, found, knowledge)
                ?? Decision(kind: found.kind, evidence: .content, mismatch: !names.isEmpty)
        }
    }

    private static func byName(_ names: [NamedKind]) -> Decision {
        Decision(kind: names.first?.kind, evidence: names.isEmpty ? .none : .name)
    }

    /// Only text was found: it carries every text format, and contradicts those that must have a signature.
    private static func byText(_ names: [NamedKind], _ text: Kind) -> Decision {
        if let named = names.first(where: { $0.isText && !$0.isMandatory }) {
            return Decision(kind: named.kind, evidence: .nameAndContent)
        }
        if let named = names.first(where: { !$0.isMandatory }) { return Decision(kind: named.kind, evidence: .name) }
        return Decision(kind: text, evidence: .content, mismatch: !names.isEmpty)
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
        return nil
    }

    private enum Side {
        case name
        case content
    }

    /// Which of the two is the more specific, where they agree.
    private static func side(_ named: NamedKind, _ found: FoundKind, _ knowledge: Knowledge) -> Side? {
        let name = named.kind
        let content = found.kind
        if name.type == content.type {
            // One identifier can stand for several MIME types: `audio/x-vorbis+ogg` says more than `audio/ogg`.
            guard let own = name.mime, let other = content.mime, own != other else { return .content }
            return knowledge.isSubclass(own, of: other) ? .name : .content
        }
        if let own = name.mime, let other = content.mime, own == other {
            return name.type.conforms(to: content.type) ? .name : .content
        }
        if content.type.conforms(to: name.type) { return .content }
        if name.type.conforms(to: content.type) { return .name }
        if let own = name.mime, let other = content.mime {
            if knowledge.isSubclass(other, of: own) { return .content }
            if knowledge.isSubclass(own, of: other) { return .name }
        }
        if let carrier = found.carrier, carrier == named.carrier { return .name }
        return nil
    }
}
