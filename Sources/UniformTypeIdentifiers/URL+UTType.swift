import FoundationEssentials

extension URL {
    /// This URL with a component appended that has an extension of `contentType`.
    ///
    /// As Apple's: an extension that is valid for files of the type, or of one that conforms to it, stays (`puppy.jpg`
    /// as `.jpeg`); otherwise the preferred one is added. A type without extensions adds none.
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

    /// This URL with an extension of `contentType` at its last component, unless it has a valid one, as for
    /// ``appendingPathComponent(_:conformingTo:)``.
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
            let present = String(name[name.index(after: dot)...])
            let isDeclared = Catalogue.current.hasType(filenameExtension: present, under: self)
            // What is not declared has no tags in the catalogue, but may have its own.
            if isDeclared || tags[.filenameExtension]?.contains(present.lowercased()) == true { return nil }
        }
        return preferred
    }
}

extension Catalogue {
    /// Returns whether a type that conforms to another has an extension.
    fileprivate func hasType(filenameExtension: String, under supertype: UTType) -> Bool {
        guard let row = supertype.row(in: self) else { return false }
        return filenameExtension.withBytes { self.row(filenameExtension: $0, under: row) } != nil
    }
}
