import UniformTypeIdentifiers

extension Detector {
    /// What a MIME type stands for by the MIME database or the built-in formats; nil where neither knows it.
    ///
    /// - Parameter mime: In any case of letters, or an alias, without parameters and blanks.
    /// - Returns: The declared type, else a dynamic one under the type of its nearest superclass; and the canonical name.
    public func type(ofMIME mime: String) -> (type: UTType, mime: String?)? {
        let knowledge = knowledge.value
        guard let number = knowledge.database.relations.known(mime.lowercased().utf8) else { return nil }
        let kind = knowledge.kind(number: number, fileExtension: nil)
        return (kind.type, knowledge.mime(of: kind))
    }
}
