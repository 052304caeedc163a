import InboxLinux
import UniformTypeIdentifiers

/// Looking up without a file: what `inboxctl type --extension` and `--mime` ask.
extension Detector {
    /// The type and the MIME type of an extension, under a supertype.
    ///
    /// - Parameters:
    ///   - fileExtension: In any case of letters; one leading dot is dropped. It may be a known double one (`tar.gz`).
    ///   - supertype: What the type must conform to.
    /// - Returns: A dynamic type where nothing is known; nil for an empty extension.
    public func type(fileExtension: String, conformingTo supertype: UTType = .data) -> (type: UTType, mime: String?)? {
        let tag = fileExtension.hasPrefix(".") ? String(fileExtension.dropFirst()) : fileExtension
        guard !tag.isEmpty else { return nil }
        if let name = FileName("x." + tag) {
            let found = detect(named: name)
            if found.evidence == .name, found.type.conforms(to: supertype) { return (found.type, found.mime) }
        }
        guard let type = UTType(filenameExtension: tag, conformingTo: supertype) else { return nil }
        return (type, mime(of: type))
    }

    /// The type of a MIME type, under a supertype, and the MIME type's canonical name.
    ///
    /// - Parameters:
    ///   - mime: In any case of letters; parameters (`; charset=utf-8`) are dropped. It may be an alias.
    ///   - supertype: What the type must conform to.
    /// - Returns: A dynamic type where nothing is known; nil for an empty MIME type.
    public func type(mime: String, conformingTo supertype: UTType = .data) -> (type: UTType, mime: String?)? {
        let knowledge = knowledge.value
        let name = mime.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { !ASCII.isSpace($0) }
        if let number = knowledge.database.relations.known(anyCase: name) {
            let kind = knowledge.kind(number: number, fileExtension: nil)
            if kind.type.conforms(to: supertype) { return (kind.type, knowledge.mime(of: kind)) }
        }
        let text = String(decoding: name, as: UTF8.self)
        guard let type = UTType(mimeType: text, conformingTo: supertype) else { return nil }
        return (type, type.isDynamic ? text : self.mime(of: type))
    }

    /// The MIME type of a type: its preferred one, by its canonical name where the database knows it.
    public func mime(of type: UTType) -> String? {
        guard let preferred = type.preferredMIMEType else { return nil }
        let knowledge = knowledge.value
        return knowledge.database.relations.known(anyCase: Array(preferred.utf8))
            .map { knowledge.database.relations.text($0) } ?? preferred
    }

    /// How many bytes of memory the MIME database takes, and whether one was found; reads it if nobody did yet.
    public var databaseFootprint: (bytes: Int, isInstalled: Bool) {
        let knowledge = knowledge.value
        return (knowledge.database.footprint, knowledge.database.isInstalled)
    }

    /// Whether the MIME database has been read: it is when the first document is looked at.
    public var hasReadDatabase: Bool { knowledge.isMade }

    /// Files of the MIME database that stand there but could not be read, for the log.
    public var databaseProblems: [SyscallError] { knowledge.value.database.problems }
}
