import InboxFiling
import InboxLinux

/// The Inbox folders that are open at the moment: a bounded cache that is emptied after each turn of the loop, so that
/// an idle daemon holds no descriptor that would keep a disk busy, and a folder that was renamed is found anew.
final class OpenFolders {
    private let most = min(32, Process.descriptors(oneIn: 8))

    /// The mounts that do not answer: nothing is inspected there.
    var silent: FolderSet = []
    /// The mounts whose threads make the calls there; nil where each counts as local.
    private let mounts: ForeignMounts?
    private var open: [Folder: FolderWay.Opened] = [:]

    /// None is open.
    /// - Parameter mounts: those of servers and programs.
    init(on mounts: ForeignMounts? = nil) {
        self.mounts = mounts
    }

    /// The number of open folders.
    var count: Int { open.count }

    /// Opens a walked folder beneath its Inbox, and makes sure that it is the one that is meant.
    func directory(_ folder: Folder) throws(FolderError) -> OpenFolder { try opened(folder).folder }

    /// - Parameter isByName: whether each folder around it is opened and shown to be the one that is meant.
    private func opened(_ folder: Folder, isByName: Bool = false) throws(FolderError) -> FolderWay.Opened {
        if let found = open[folder] { return found }
        let way = FolderWay(folder)
        let found: FolderWay.Opened?
        if !isByName, let opened = try openedAtOnce(folder, way) {
            found = opened
        } else if let (parent, name) = folder.parent {
            let around = try opened(parent, isByName: true).folder
            found = try enter(folder.bytePath) { (mayCross) throws(SyscallError) in
                try way.open(name, in: around, mayCross: mayCross)
            }
        } else {
            found = try call(at: folder.bytePath) { () throws(SyscallError) in try way.open() }
        }
        guard let opened = found else { throw .moved }
        if open.count >= most { open.removeAll(keepingCapacity: true) }
        open[folder] = opened
        return opened
    }

    /// Opens a folder in the innermost open one around it, in one call however many lie between them: who alternates between
    /// deep folders costs no more than others.
    ///
    /// The call leads through no link and to no other mount, and what it opens is shown to be the folder that is meant.
    /// - Returns: nil where a single name leads to it, or where that fails: name by name shows why.
    private func openedAtOnce(_ folder: Folder, _ way: FolderWay) throws(FolderError) -> FolderWay.Opened? {
        var names: [FileName] = []
        var current = folder
        while let (parent, name) = current.parent, open[current] == nil {
            names.append(name)
            current = parent
        }
        guard names.count > 1 else { return nil }
        let around = try opened(current).folder
        do throws(FolderError) {
            return try call(at: folder.bytePath) { [names] () throws(SyscallError) in
                try way.open(names.reversed(), in: around)
            }
        } catch {
            guard case .failed = error else { throw error }
            return nil
        }
    }

    /// Makes a call that enters what is at a path: without crossing to a mount, and once more where there is one that is
    /// known. One that has come since the table of mounts was read is not entered before it is read again.
    func enter<Value: Sendable>(
        _ path: BytePath, _ body: @escaping @Sendable (_ mayCross: Bool) throws(SyscallError) -> Value
    ) throws(FolderError) -> Value {
        do throws(FolderError) {
            return try call(at: path) { () throws(SyscallError) in try body(false) }
        } catch {
            guard case .failed(let failure) = error, failure.errno == .crossDevice else { throw error }
            guard mayCross(path) else { throw .silent(path) }
            return try call(at: path) { () throws(SyscallError) in try body(true) }
        }
    }

    /// The status of a name in a walked folder that lies on no foreign mount: where a mount has come that is not known
    /// yet, it is not asked for anything.
    func status(of name: FileName, in folder: Folder) throws(FolderError) -> FileStatus {
        let opened = try opened(folder)
        let status = try FolderError.of { () throws(SyscallError) in
            folder.isForeign
                ? try opened.folder.directory.status(of: name, isFresh: true)
                : try opened.folder.directory.rememberedStatus(of: name)
        }
        guard status.mount == opened.mount || mayCross(folder.path(of: name)) else {
            throw .silent(folder.path(of: name))
        }
        return status
    }

    private func mayCross(_ path: BytePath) -> Bool { mounts?.known.mayCross(path) ?? true }

    /// Returns true if a name in a walked folder is a mount that does not answer.
    func isSilent(_ name: FileName, in folder: Folder) -> Bool {
        !silent.isEmpty && silent.contains(folder.bytePath.appending(name))
    }

    /// The foreign mount that is touched by whoever inspects a name in a walked folder; nil where none is.
    func mount(of name: FileName, in folder: Folder) -> ForeignMount? { mounts?.mount(of: folder.path(of: name)) }

    /// The same for what is at a path.
    func mount(at path: @autoclosure () -> BytePath) -> ForeignMount? { mounts?.mount(of: path()) }

    /// Makes a call on what is at a path: where that lies on a foreign mount, on the thread of the mount.
    func call<Value: Sendable>(
        at path: @autoclosure () -> BytePath, _ body: @escaping @Sendable () throws(SyscallError) -> Value
    ) throws(FolderError) -> Value {
        guard let mount = mount(at: path()) else { return try FolderError.of(body) }
        return try call(on: mount, body)
    }

    /// Makes a call on the thread of a mount.
    func call<Value: Sendable>(
        on mount: ForeignMount, _ body: @escaping @Sendable () throws(SyscallError) -> Value
    ) throws(FolderError) -> Value {
        guard let mounts else { return try FolderError.of(body) }
        do throws(MountError<SyscallError>) { return try mounts.call(on: mount, body) } catch {
            throw FolderError(error)
        }
    }

    /// Closes them all.
    func clear() {
        if !open.isEmpty { open.removeAll(keepingCapacity: true) }
    }

    /// Closes one, so that it is opened and checked anew.
    func forget(_ folder: Folder) {
        open[folder] = nil
    }
}

/// The way to open a walked folder, with the mark that proves that it is the right one.
private struct FolderWay: Sendable {
    private let root: BytePath
    private let folder: FolderMark

    init(_ folder: Folder) {
        root = folder.isAround ? folder.bytePath : folder.inbox.path
        self.folder = folder.mark
    }

    /// The folder, and the mount that it was opened on.
    struct Opened: Sendable {
        let folder: OpenFolder
        let mount: UInt64
    }

    /// Opens the folder of an Inbox, or the one around it. Nil where it is not the one that is meant, or there is none.
    func open() throws(SyscallError) -> Opened? {
        try open { () throws(SyscallError) in try Directory.open(path: root) }
    }

    /// Opens a folder in one that was shown to be the one that is meant: whatever is put in the place of one of those
    /// around it, nothing beneath that is opened.
    func open(_ name: FileName, in around: OpenFolder, mayCross: Bool) throws(SyscallError) -> Opened? {
        try open { () throws(SyscallError) in try around.directory.folder(name, mayCross: mayCross) }
    }

    /// Opens a folder that lies deeper in one that was shown to be the one that is meant, on the same mount.
    func open(_ names: some Collection<FileName>, in around: OpenFolder) throws(SyscallError) -> Opened? {
        try open { () throws(SyscallError) in try around.directory.folder(beneath: names, mayCross: false) }
    }

    private func open(_ directory: () throws(SyscallError) -> Directory) throws(SyscallError) -> Opened? {
        do throws(SyscallError) {
            let opened = OpenFolder(try directory())
            let status = try opened.directory.status()
            return folder.isFolder(status.identity.file) ? Opened(folder: opened, mount: status.mount) : nil
        } catch  where error.errno.isAbsent {
            return nil
        }
    }
}
