import InboxFiling
import InboxLinux

extension History {
    /// How long records are kept, and how large a file may grow.
    struct Limits {
        /// Bytes; 0 for no limit.
        var size: Int64
        /// How long a record is kept; zero for ever.
        var age: Duration

        /// So much of the age a file covers: a record stays longer by no more than that.
        var span: Duration { max(age / 10, .seconds(1)) }
    }

    /// How many files are removed at once.
    private static let mostExpired = 16

    /// Keeps to other limits from now on.
    func adopt(maxSize: Int64, maxAge: Duration) { limits.withLock { $0 = Limits(size: maxSize, age: maxAge) } }

    /// Begins a new file where this one is full or old; the old one keeps its lines under the name of the time.
    func rotate(at time: Timestamp) throws(SyscallError) {
        let limits = limits.withLock { $0 }
        // A worker that appends meanwhile would find neither file, or not know its length.
        try state.withLock { (state) throws(SyscallError) in
            guard Self.isFull(state, limits, at: time) else { return }
            try moveAside(at: time)
            state = try Self.open(in: folder)
            try folder.directory.sync()
        }
    }

    private static func isFull(_ state: State, _ limits: Limits, at time: Timestamp) -> Bool {
        guard state.size > 0 else { return false }
        if limits.size > 0, state.size >= limits.size { return true }
        guard limits.age > .zero, let age = state.begun?.age(at: time) else { return false }
        return age >= limits.span
    }

    /// Removes some of the files whose last record is too old.
    /// - Returns: whether more are left.
    func expire(at time: Timestamp) throws(SyscallError) -> Bool {
        let limit = limits.withLock { $0.age }
        guard limit > .zero else { return false }
        var old: [FileName] = []
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while old.count <= Self.mostExpired, let entry = try entries.next() {
            guard Self.isRotated(entry.name) else { continue }
            let status = try folder.directory.status(of: entry.name)
            guard status.kind == .regular, let age = status.identity.modified.age(at: time), age > limit else {
                continue
            }
            old.append(entry.name)
        }
        for name in old.prefix(Self.mostExpired) {
            do throws(SyscallError) { try folder.directory.removeFile(name) } catch  where error.errno.isAbsent {
                // Somebody has removed it.
            }
        }
        return old.count > Self.mostExpired
    }

    /// The name of a file that was full at this time, less its number.
    private static func rotatedName(at time: Timestamp) -> FileName? {
        FileName("history-\(time.text.prefix(19).filter { $0 != "-" && $0 != ":" }).jsonl")
    }

    /// Whether it is the name of a file that was full once.
    static func isRotated(_ name: FileName) -> Bool {
        name.bytes.starts(with: "history-".utf8) && name.bytes.suffix(6).elementsEqual(".jsonl".utf8)
    }

    /// Gives the file a name of its own, never that of another.
    func moveAside(at time: Timestamp) throws(SyscallError) {
        guard let wanted = Self.rotatedName(at: time) else { return }
        let row = NumberedName(wanted)
        var number = 0
        while let name = row.numbered(number) {
            do throws(SyscallError) {
                return try rename(to: name)
            } catch  where error.errno == .exists {
                number += 1
            } catch  where error.errno == .noEntry {
                // Somebody took the file away, or the last try ended between the rename and the new file.
                return
            }
        }
    }

    /// A rename that never replaces; where the filesystem knows none, a second name, and then the first one goes.
    private func rename(to name: FileName) throws(SyscallError) {
        do throws(SyscallError) {
            try folder.directory.rename(Self.name, to: folder.directory, as: name)
        } catch  where error.errno.isUnsupported {
            try folder.directory.link(Self.name, to: folder.directory, as: name)
            // Else a power loss could leave neither.
            try folder.directory.sync()
            try folder.directory.removeFile(Self.name)
        }
    }

    /// Ends a rotation that was interrupted between the second name and the end of the first: appended to by one name,
    /// the lines would come under both.
    static func endRotation(in folder: OpenFolder) throws(SyscallError) {
        let status: FileStatus
        do throws(SyscallError) { status = try folder.directory.status(of: name) } catch  where error.errno.isAbsent {
            return
        }
        guard status.links > 1, status.kind == .regular else { return }
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard entry.inode == status.identity.file.inode, isRotated(entry.name) else { continue }
            return try folder.directory.removeFile(name)
        }
    }
}
