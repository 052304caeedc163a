import InboxLinux

/// A document that was delivered.
package struct DeliveredFile: Sendable {
    /// The name that it got.
    package let name: FileName
    /// Which file it is. By its path alone nobody could tell it from others that have the path before it and after it. Nil
    /// where its filesystem may show the daemon another number.
    package let file: FileKey?

    /// Which file this is, for whoever sees it under its name.
    /// - Parameter isMoved: whether it is moved: an overlay may copy a file for that.
    static func key(of file: borrowing FileDescriptor, isMoved: Bool = false) throws(SyscallError) -> FileKey? {
        let filesystem = try Filesystem(of: file)
        guard filesystem.hasLastingInodes, filesystem.nameWithoutEvents == nil, !(isMoved && filesystem.isLayered)
        else { return nil }
        return try file.status().identity.file
    }
}
