import InboxLinux
import UniformTypeIdentifiers

/// Looking up without a file: what `inboxctl type --extension` and `--mime` ask.
extension Detector {
    /// Returns the type and the MIME type of an extension, under a supertype.
    ///
    /// - Parameters:
    ///   - fileExtension: In any case of letters; one leading dot is dropped. It may be a known double one
    ///     (`tar.gz`).
    ///   - supertype: The type that the result must conform to.
    /// - Returns: A dynamic type if nothing is known; nil for an empty extension.
    package func type(fileExtension: String, conformingTo supertype: UTType = .data) -> (type: UTType, mime: String?)? {
        let tag = fileExtension.hasPrefix(".") ? String(fileExtension.dropFirst()) : fileExtension
        guard !tag.isEmpty else { return nil }
        if let name = FileName("x." + tag) {
            let found = detect(named: name)
            if found.evidence == .name, found.type.conforms(to: supertype) { return (found.type, found.mime) }
        }
        guard let type = UTType(filenameExtension: tag, conformingTo: supertype) else { return nil }
        return (type, mime(of: type))
    }

    /// Returns the type of a MIME type, under a supertype, and the MIME type's canonical name.
    ///
    /// - Parameters:
    ///   - mime: In any case of letters; parameters (`; charset=utf-8`) are dropped. It may be an alias.
    ///   - supertype: The type that the result must conform to.
    /// - Returns: A dynamic type if nothing is known; nil for an empty MIME type.
    package func type(mime: String, conformingTo supertype: UTType = .data) -> (type: UTType, mime: String?)? {
        let knowledge = knowledge.value
        let name = mime.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { !ASCII.isSpace($0) }
        let text = String(decoding: name, as: UTF8.self)
        // What is declared counts before what the database takes for an alias of something else.
        if let type = UTType.declared(mimeType: name.span, conformingTo: supertype) {
            return (type, knowledge.mime(ofDeclared: type, asked: name))
        }
        if let number = knowledge.database.relations.known(anyCase: name) {
            let kind = knowledge.kind(number: number, fileExtension: nil)
            if kind.type.conforms(to: supertype) { return (kind.type, knowledge.mime(of: kind)) }
        }
        guard !text.isEmpty else { return nil }
        let families = DynamicType.supertypes(ofMIME: text)
        if supertype == .data || families.contains(where: { $0.conforms(to: supertype) }) {
            let tag = knowledge.database.list.fileExtension(of: name.map(ASCII.lower))
            let fileExtension = tag.map { String(decoding: $0, as: UTF8.self) }
            return (DynamicType.make(fileExtension: fileExtension, mime: text, under: families), text)
        }
        guard let type = UTType(mimeType: text, conformingTo: supertype) else { return nil }
        return (type, text)
    }

    /// The MIME type of a type: its preferred one, by its canonical name where the database knows it, unless that name
    /// belongs to another type.
    package func mime(of type: UTType) -> String? {
        guard let preferred = type.preferredMIMEType else { return nil }
        let knowledge = knowledge.value
        guard let number = knowledge.database.relations.known(anyCase: Array(preferred.utf8)),
            !type.isDeclared || knowledge.has(type, number)
        else { return preferred }
        return knowledge.database.relations.text(number)
    }

    /// The parts of the MIME database that could not be read, for the log; nil as long as it has not been read.
    package var databaseProblems: [DatabaseProblem]? {
        knowledge.isMade ? knowledge.value.database.problems : nil
    }
}
