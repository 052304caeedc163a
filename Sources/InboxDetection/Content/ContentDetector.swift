import UniformTypeIdentifiers

/// What the built-in rules found, before it is joined with the database's.
struct BuiltInMatch {
    let mime: String
    let carrier: Carrier?
    let fixed: Int
    /// Whether the document names its format in so many words, so that no rule can know better.
    var isExact = false
}

extension Knowledge {
    /// What the content says. Of the name only this counts here: where it says nothing, `guessing` is worth its time.
    func finding(_ content: inout Content, guessing: Bool) -> ContentFinding {
        guard !content.head.isEmpty else { return .empty }
        if let builtIn = builtIn(&content) {
            if isSettled(builtIn) { return .signature(found(builtIn)) }
            return .signature(join(builtIn, database.magic.match(content.head, database.relations)))
        }
        let text = TextSniffer.sniff(content.head, guessing: guessing)
        if text == nil, let mime = Structures.elsewhere(&content) {
            return .signature(found(BuiltInMatch(mime: mime.mime, carrier: nil, fixed: mime.fixed)))
        }
        let rule = database.magic.match(content.head, database.relations)
        switch text {
        case .sure(let mime, let carrier, let fixed):
            let match = BuiltInMatch(mime: mime, carrier: carrier, fixed: fixed)
            if let rule, rule.priority >= Self.firm, isUnrelated(rule, match) { return .signature(found(rule)) }
            return .signature(join(match, rule))
        case .likely(let mime, let carrier):
            return self.text(BuiltInMatch(mime: mime, carrier: carrier, fixed: 1), rule)
        case .guess(let mime):
            // Many marks of a language say more than one short comparison, such as a comment's beginning.
            if let rule, rule.priority > 50 || rule.fixed >= 8 { return self.text(found(rule), rule) }
            return .text(guess: found(BuiltInMatch(mime: mime, carrier: nil, fixed: 0)))
        case .plain:
            if let rule { return self.text(found(rule), rule) }
            return .text(guess: nil)
        case nil:
            guard let rule else { return .unknown(guess: nil) }
            let found = found(rule)
            return rule.priority < 40 || rule.fixed < 3 ? .unknown(guess: found) : .signature(found)
        }
    }

    /// Whether no rule of the database can say more: a firm signature of a format that has no special cases there.
    private func isSettled(_ match: BuiltInMatch) -> Bool {
        match.isExact
            || (match.fixed >= 3 && FormatTable.builtIn.format(mime: match.mime).map(hasNoSpecialCases) ?? false)
    }

    /// From this priority on the database's rules outweigh names, as its specification has it.
    private static let firm: UInt8 = 80

    /// Text whose rule may be a coincidence of words: only a firm rule of the database makes it a signature.
    private func text(_ match: BuiltInMatch, _ rule: MIMEMagic.Match?) -> ContentFinding {
        guard let rule, prefers(rule, to: match) else { return .likely(found(match)) }
        return text(found(rule), rule)
    }

    private func text(_ found: FoundKind, _ rule: MIMEMagic.Match) -> ContentFinding {
        if rule.priority >= Self.firm { return .signature(found) }
        return rule.fixed >= 12 ? .likely(found) : .text(guess: found)
    }

    private func isUnrelated(_ rule: MIMEMagic.Match, _ match: BuiltInMatch) -> Bool {
        guard let own = database.relations.known(match.mime.utf8) else { return true }
        return !isSubclass(own, of: rule.mime) && !isSubclass(rule.mime, of: own)
    }

    /// The fixed signatures, refined by what the format's own structure says, and the structures without a signature.
    private func builtIn(_ content: inout Content) -> BuiltInMatch? {
        guard let match = FormatTable.builtIn.signatures.match(content.head) else { return structure(content) }
        let format = FormatTable.builtIn[match.format]
        if let refined = Refinement.mime(format, &content) {
            // What lies inside was compared byte by byte as well, but in a packed stream only a rule told what it is.
            return BuiltInMatch(
                mime: refined, carrier: nil, fixed: format.isCarrier == .gzip ? 2 : match.fixed + 4,
                isExact: format.isCarrier == .zip)
        }
        // Two bytes begin many things: a structure that fits says more.
        if match.fixed < 4, format.carrier == nil, let other = structure(content), other.fixed > match.fixed {
            return other
        }
        return BuiltInMatch(mime: format.mime, carrier: format.isCarrier, fixed: match.fixed)
    }

    private func structure(_ content: Content) -> BuiltInMatch? {
        if let mime = MediaBrands.mime(content.head) {
            let isGeneral = mime == "video/mp4"
            return BuiltInMatch(
                mime: mime, carrier: isGeneral ? .media : nil, fixed: 8,
                isExact: !isGeneral || MediaBrands.isPlain(content.head))
        }
        return Structures.match(content.head).map { BuiltInMatch(mime: $0.mime, carrier: nil, fixed: $0.fixed) }
    }

    private func found(_ match: BuiltInMatch) -> FoundKind {
        let kind = kind(mime: match.mime) ?? kind(unlisted: match.mime)
        return FoundKind(kind: kind, carrier: match.carrier, fixed: match.fixed)
    }

    private func found(_ rule: MIMEMagic.Match) -> FoundKind {
        let kind = kind(number: rule.mime, fileExtension: nil)
        return FoundKind(
            kind: kind, carrier: kind.format.flatMap { FormatTable.builtIn[$0].isCarrier }, fixed: rule.fixed)
    }

    /// A MIME type that a document names itself, such as an entry `mimetype`.
    private func kind(unlisted mime: String) -> Kind {
        if let number = database.relations.known(mime.utf8) { return kind(number: number, fileExtension: nil) }
        let type =
            UTType.declared(mimeType: mime.utf8.span)
            ?? DynamicType.make(fileExtension: nil, mime: mime, under: DynamicType.supertype(ofMIME: mime))
        return Kind(type: type, mime: nil, spelling: mime, format: nil)
    }

    /// The more specific of both; where they have nothing to do with each other, the built-in one unless it is weak.
    private func join(_ match: BuiltInMatch, _ rule: MIMEMagic.Match?) -> FoundKind {
        guard let rule, prefers(rule, to: match) else { return found(match) }
        return found(rule)
    }

    private func prefers(_ rule: MIMEMagic.Match, to match: BuiltInMatch) -> Bool {
        guard !match.isExact, let own = database.relations.known(match.mime.utf8) else { return false }
        if own == rule.mime || isSubclass(own, of: rule.mime) { return false }
        if isSubclass(rule.mime, of: own) { return true }
        return match.fixed < 4 && rule.fixed > match.fixed
    }
}
