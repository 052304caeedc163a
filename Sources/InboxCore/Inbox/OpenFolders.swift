import InboxLinux

/// An open folder that several can hold on to.
public final class OpenFolder: Sendable {
    /// The folder.
    public let directory: Directory

    init(_ directory: consuming Directory) {
        self.directory = directory
    }
}

/// An open file that several can hold on to.
final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}

/// The Inbox folders that are open at the moment: a bounded cache that is emptied after each turn of the loop, so that
/// an idle daemon holds no descriptor that would keep a disk busy, and a folder that was renamed is found anew.
final class OpenFolders {
    private static let most = 32

    /// Each with the folder that it was opened for: an object that ended would leave its identifier to another.
    private var open: [ObjectIdentifier: (folder: Folder, opened: OpenFolder)] = [:]

    /// How many are open.
    var count: Int { open.count }

    /// Opens a walked folder beneath its Inbox, and makes sure that it is the one that is meant.
    ///
    /// ENOENT where another folder stands there now.
    func directory(_ folder: Folder) throws(SyscallError) -> OpenFolder {
        let key = ObjectIdentifier(folder)
        if let found = open[key] { return found.opened }
        let opened = OpenFolder(try Self.open(folder))
        if !folder.isAround, try opened.directory.status().identity.file != folder.key {
            throw SyscallError(.openat2, .noEntry)
        }
        if open.count >= Self.most { open.removeAll(keepingCapacity: true) }
        open[key] = (folder, opened)
        return opened
    }

    private static func open(_ folder: Folder) throws(SyscallError) -> Directory {
        let root = try Directory.open(path: folder.isAround ? folder.bytePath.bytes : folder.inbox.path.bytes)
        let path = folder.path
        return path.isEmpty ? root : try root.folder(beneath: path)
    }

    /// Closes them all.
    func clear() {
        if !open.isEmpty { open.removeAll(keepingCapacity: true) }
    }

    /// Closes one, so that it is opened and checked anew.
    func forget(_ folder: Folder) {
        open[ObjectIdentifier(folder)] = nil
    }
}
