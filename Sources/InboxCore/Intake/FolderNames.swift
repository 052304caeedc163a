import InboxFiling
import InboxLinux
import Synchronization

/// The names of a folder that is being read: by the loop, or a part at a time by the thread of the mount that it lies on.
struct FolderNames: ~Copyable {
    /// The entries that the thread of a mount reads.
    private final class Shared: Sendable {
        let entries: Mutex<DirectoryEntries>

        init(_ entries: consuming DirectoryEntries) { self.entries = Mutex(entries) }
    }

    /// So many names are read at once on a foreign mount.
    private static let portion = 128

    private var entries: DirectoryEntries?
    private let shared: Shared?
    private let folders: OpenFolders
    private let mount: ForeignMount?
    /// The names that were read, the next one last.
    private var read: [FileName] = []

    /// Reads by itself.
    private init(_ entries: consuming DirectoryEntries, _ folders: OpenFolders) {
        self.entries = consume entries
        self.folders = folders
        (shared, mount) = (nil, nil)
    }

    /// Reads by the thread of a mount.
    private init(_ shared: Shared, on mount: ForeignMount, _ folders: OpenFolders) {
        entries = nil
        self.folders = folders
        (self.shared, self.mount) = (shared, mount)
    }

    /// Begins to read a walked folder that is open.
    static func begin(
        _ opened: OpenFolder, at path: @autoclosure () -> BytePath, _ folders: OpenFolders
    ) throws(FolderError) -> FolderNames {
        guard let mount = folders.mount(at: path()) else {
            do throws(SyscallError) { return FolderNames(try entries(of: opened), folders) } catch {
                throw .failed(error)
            }
        }
        let shared = try folders.call(on: mount) { () throws(SyscallError) in Shared(try entries(of: opened)) }
        return FolderNames(shared, on: mount, folders)
    }

    /// Opened anew: reading moves the offset of a shared descriptor.
    private static func entries(of opened: OpenFolder) throws(SyscallError) -> DirectoryEntries {
        DirectoryEntries(ofOpenedAnew: try opened.directory.folder(beneath: []))
    }

    /// The next name; nil at the end.
    mutating func next() throws(FolderError) -> FileName? {
        guard let shared, let mount else {
            do throws(SyscallError) { return try entries?.next()?.name } catch { throw .failed(error) }
        }
        if read.isEmpty {
            read = try folders.call(on: mount) { () throws(SyscallError) in
                try shared.entries.withLock { (entries) throws(SyscallError) in
                    try entries.next(atMost: Self.portion).map(\.name).reversed()
                }
            }
        }
        return read.popLast()
    }
}
