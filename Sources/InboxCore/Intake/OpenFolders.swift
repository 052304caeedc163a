import InboxFiling
import InboxLinux

/// The Inbox folders that are open at the moment: a bounded cache that is emptied after each turn of the loop, so that
/// an idle daemon holds no descriptor that would keep a disk busy, and a folder that was renamed is found anew.
final class OpenFolders {
    private static let most = 32

    /// The mounts that do not answer: nothing is inspected there.
    var silent: Set<BytePath> = []
    /// Each with the folder that it was opened for: an object that ended would leave its identifier to another.
    private var open: [ObjectIdentifier: (folder: Folder, opened: OpenFolder)] = [:]

    /// How many are open.
    var count: Int { open.count }

    /// Opens a walked folder beneath its Inbox, and makes sure that it is the one that is meant.
    func directory(_ folder: Folder) throws(FolderError) -> OpenFolder {
        let key = ObjectIdentifier(folder)
        if let found = open[key] { return found.opened }
        guard let opened = try Self.open(folder) else { throw .moved }
        if open.count >= Self.most { open.removeAll(keepingCapacity: true) }
        open[key] = (folder, opened)
        return opened
    }

    /// Whether a name in a walked folder is a mount that does not answer.
    func isSilent(_ name: FileName, in folder: Folder) -> Bool {
        !silent.isEmpty && silent.contains(folder.bytePath.appending(name))
    }

    /// Nil where the folder is not the one that is meant, or there is none.
    private static func open(_ folder: Folder) throws(FolderError) -> OpenFolder? {
        do throws(SyscallError) {
            let root = try Directory.open(path: folder.isAround ? folder.bytePath.bytes : folder.inbox.path.bytes)
            let path = folder.path
            // Whatever is put in the Inbox's place, nothing beneath it is opened.
            if !path.isEmpty, try !folder.top.isFolder(root.status().identity.file) { return nil }
            let opened = OpenFolder(path.isEmpty ? root : try root.folder(beneath: path))
            return try folder.isFolder(opened.directory.status().identity.file) ? opened : nil
        } catch {
            if error.errno.isAbsent { return nil }
            throw .failed(error)
        }
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
