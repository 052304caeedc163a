/// Finds the tags of own types that other types have too, and names the one that counts.
enum ContestedTags {
    static func problems(
        in catalogue: Catalogue, declared: [Int: UTTypeDeclaration]
    ) -> [UTTypeDeclarationProblem] {
        var problems: [UTTypeDeclarationProblem] = []
        for (row, declaration) in declared.sorted(by: { $0.key < $1.key }) {
            for (range, table, sign) in [
                (catalogue.types.rows[row].extensions, catalogue.names.extensions, "."),
                (catalogue.types.rows[row].mimeTypes, catalogue.names.mimeTypes, ""),
            ] {
                for tag in catalogue.texts(range) {
                    let claimants = catalogue.all(tag, in: table, under: nil)
                    guard let message = message(for: row, among: claimants, in: catalogue) else { continue }
                    problems.append(
                        UTTypeDeclarationProblem(
                            origin: declaration.origin, identifier: declaration.identifier, rule: .contestedTag,
                            message: "\(sign)\(tag) \(message)"))
                }
            }
        }
        return problems
    }

    private static func message(for row: Int, among claimants: [Int], in catalogue: Catalogue) -> String? {
        guard let first = claimants.first, claimants.count > 1 else { return nil }
        if first != row {
            return "belongs to \(catalogue.text(catalogue.types.rows[first].identifier)), which goes first"
        }
        // Of two own types the one that loses reports it.
        guard let builtIn = claimants.first(where: { $0 < catalogue.types.builtInCount }) else { return nil }
        return "is taken from the built-in type \(catalogue.text(catalogue.types.rows[builtIn].identifier))"
    }
}
