import InboxLinux

/// A file that goes with a document, as it was when it was found complete.
package struct UnitMember: Hashable, Sendable {
    /// Its name beside the document.
    package let name: FileName
    /// All marks of the file.
    package let identity: FileIdentity

    /// A member of these facts.
    package init(name: FileName, identity: FileIdentity) {
        self.name = name
        self.identity = identity
    }
}
