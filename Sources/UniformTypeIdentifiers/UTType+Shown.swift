extension UTType {
    /// The identifier as a person is shown it: in place of a dynamic one, which nobody can read, the MIME type or
    /// "a .xyz file".
    package var shownIdentifier: String {
        guard isDynamic else { return identifier }
        return preferredMIMEType ?? preferredFilenameExtension.map { "a .\($0) file" } ?? identifier
    }

    /// Returns the same of an identifier.
    package static func shown(_ identifier: String) -> String {
        guard identifier.hasPrefix("dyn.") else { return identifier }
        return UTType(identifier)?.shownIdentifier ?? identifier
    }
}
