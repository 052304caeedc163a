import UniformTypeIdentifiers

extension Knowledge {
    /// What the content says; the name plays no part here.
    func finding(_ content: inout Content) -> ContentFinding {
        guard !content.head.isEmpty else { return .empty }
        let match = table.signatures.match(content.head)
        if let match {
            return .signature(
                FoundKind(kind: kind(match.format), carrier: table[match.format].isCarrier, fixed: match.fixed))
        }
        if let rule = database.magic.match(content.head, database.relations) {
            return .signature(
                FoundKind(kind: kind(number: rule.mime, fileExtension: nil), carrier: nil, fixed: rule.fixed))
        }
        return .unknown
    }
}
