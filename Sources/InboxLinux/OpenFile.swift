/// An open folder that several can hold on to.
package final class OpenFolder: Sendable {
    /// The folder.
    package let directory: Directory

    /// Takes the folder over.
    package init(_ directory: consuming Directory) {
        self.directory = directory
    }
}

/// An open file that several can hold on to.
package final class OpenFile: Sendable {
    /// The file.
    package let descriptor: FileDescriptor

    /// Takes the descriptor over.
    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
