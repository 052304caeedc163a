// When a text is guessed at by its lines, which takes longer than everything else together.
extension Knowledge {
    /// Returns whether a guess can change the type of a plain text with these names, given the database's rule for
    /// it.
    func isOpen(_ names: [NamedKind], _ rule: MIMEMagic.Match?) -> Bool {
        guard !names.isEmpty else { return true }
        guard names.count(where: \.isText) > 1 else { return false }
        // A guess may outweigh a weak rule, whatever the name means.
        guard rule == nil else { return true }
        let plain = Decision.placeOfText(names)
        let lineages = names.map { named in named.kind.mime.map { database.relations.lineage(of: $0) } ?? [] }
        return guessedKinds.contains { guess in
            let agreed = names.indices.first { place in
                names[place].kind.type == guess.type || guess.mime.map(lineages[place].contains) ?? false
            }
            return agreed != nil && agreed != plain
        }
    }
}
