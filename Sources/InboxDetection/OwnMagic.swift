import UniformTypeIdentifiers

extension Knowledge {
    /// Returns the finding after the own declarations' patterns are weighed against the built-in finding.
    ///
    /// An own type counts if it fixes more bytes than the built-in match of a supertype; with equally many the name
    /// must mean it too. A built-in match of the own type or of a subtype is as specific or more, and is kept.
    func weigh(
        _ own: [OwnSignature], against builtIn: ContentFinding, _ head: Bytes, _ names: [NamedKind]
    ) -> ContentFinding {
        var best: (type: UTType, fixed: Int)?
        for signature in own {
            guard let fixed = signature.match(head) else { continue }
            if let known = best, known.fixed >= fixed { continue }
            best = (signature.type, fixed)
        }
        guard let best else { return builtIn }
        if case .signature(let found) = builtIn {
            if found.kind.type.conforms(to: best.type) { return builtIn }
            if best.fixed < found.fixed { return builtIn }
            if best.fixed == found.fixed, !names.contains(where: { $0.kind.type.conforms(to: best.type) }) {
                return builtIn
            }
        }
        let mime = best.type.preferredMIMEType
        let number = mime.flatMap { database.relations.known(anyCase: Array($0.utf8)) }
        let kind = Kind(
            type: best.type, mime: number, spelling: number == nil ? mime : nil, format: number.flatMap(format))
        return .signature(FoundKind(kind: kind, carrier: nil, fixed: best.fixed))
    }
}
