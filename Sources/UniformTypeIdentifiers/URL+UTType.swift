import FoundationEssentials

extension URL {
    /// This URL with a component behind it that has an extension of `contentType`: unless its extension is one of the
    /// type's already, the preferred one is added. A type without extensions adds none.
    ///
    /// A type that conforms to `.directory` makes the URL a folder's.
    public func appendingPathComponent(_ partialName: String, conformingTo contentType: UTType) -> URL {
        appendingPathComponent(
            contentType.fileName(for: partialName), isDirectory: contentType.conforms(to: .directory))
    }

    /// Appends a component as ``appendingPathComponent(_:conformingTo:)`` does.
    public mutating func appendPathComponent(_ partialName: String, conformingTo contentType: UTType) {
        self = appendingPathComponent(partialName, conformingTo: contentType)
    }

    /// This URL with an extension of `contentType` at its last component: unless its extension is one of the type's already,
    /// the preferred one is added. A type without extensions adds none.
    public func appendingPathExtension(for contentType: UTType) -> URL {
        let name = lastPathComponent
        guard let added = contentType.missingExtension(of: name) else { return self }
        return appendingPathExtension(added)
    }

    /// Appends an extension as ``appendingPathExtension(for:)`` does.
    public mutating func appendPathExtension(for contentType: UTType) {
        self = appendingPathExtension(for: contentType)
    }
}

extension UTType {
    /// A name that has an extension of this type.
    fileprivate func fileName(for name: String) -> String {
        missingExtension(of: name).map { "\(name).\($0)" } ?? name
    }

    /// The extension that a name lacks to be of this type, or nil.
    fileprivate func missingExtension(of name: String) -> String? {
        guard let preferred = preferredFilenameExtension else { return nil }
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let present = name[name.index(after: dot)...].lowercased()
            if tags[.filenameExtension]?.contains(where: { $0.lowercased() == present }) == true { return nil }
        }
        return preferred
    }
}
