import InboxFiling
import InboxLinux

extension History {
    /// The age up to which records are kept, and the size up to which a file may grow.
    struct Limits {
        /// Bytes; 0 for no limit.
        var size: Int64
        /// The time for which a record is kept; zero for ever.
        var age: Duration

        /// The longest time that a file covers, and so the time for which a record may stay beyond `age`.
        var span: Duration { max(age / 10, .seconds(1)) }
    }

    private static let newline = UInt8(ascii: "\n")

    /// The maximum number of files that are removed at once.
    private static let mostExpired = 16

    /// Keeps to other limits from now on.
    func adopt(maxSize: Int64, maxAge: Duration) { limits.withLock { $0 = Limits(size: maxSize, age: maxAge) } }

    /// Begins a new file where this one is full or old; the old one keeps its lines under the name of the time.
    /// - Returns: false where lines are being written, so that it has to be asked again.
    @discardableResult
    func rotate(at time: Timestamp) throws(SyscallError) -> Bool {
        let limits = limits.withLock { $0 }
        let result = state.withLockIfAvailable { (state) -> Result<Void, SyscallError> in
            guard Self.isFull(state, limits, at: time) else { return .success(()) }
            do throws(SyscallError) {
                try beginFile(&state, at: time)
                publish(state)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result?.get()
        return result != nil
    }

    /// Returns the number of bytes of these lines to write to the file: the whole lines that it has room for, or one
    /// line that no file has room for.
    ///
    /// A new file is begun where this one has no room for any line. If that fails, all lines go to this one.
    func portion(of lines: ArraySlice<UInt8>, in state: inout State) -> Int {
        let limit = limits.withLock { $0.size }
        guard limit > 0, state.size + Int64(lines.count) > limit else { return lines.count }
        if let fitting = Self.lines(lines, within: limit - state.size) { return fitting }
        if state.size > 0 {
            do throws(SyscallError) {
                try beginFile(&state, at: .now())
            } catch {
                obstacle.withLock { $0 = error }
                return lines.count
            }
        }
        let end = lines.firstIndex(of: Self.newline) ?? lines.endIndex - 1
        return Self.lines(lines, within: limit) ?? end + 1 - lines.startIndex
    }

    private static func lines(_ lines: ArraySlice<UInt8>, within room: Int64) -> Int? {
        guard room > 0 else { return nil }
        return lines.prefix(Int(clamping: room)).lastIndex(of: Self.newline).map { $0 + 1 - lines.startIndex }
    }

    /// The next durable lines bring the new file's name to the disk.
    private func beginFile(_ state: inout State, at time: Timestamp) throws(SyscallError) {
        try moveAside(at: time)
        let unfinished = state.unfinished
        try begin(&state)
        state.unfinished = unfinished
    }

    /// Returns the reason why a new file could not be begun, if that has failed since the last call.
    func takeObstacle() -> SyscallError? {
        obstacle.withLock { obstacle in
            defer { obstacle = nil }
            return obstacle
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

    /// Returns whether it is the name of a file that was full once.
    static func isRotated(_ name: FileName) -> Bool {
        name.bytes.starts(with: "history-".utf8) && name.bytes.suffix(6).elementsEqual(".jsonl".utf8)
    }

    /// Returns whether one file was full before the other, by their names: of those of one second the numbers decide,
    /// of which the longer one is the higher.
    static func isOlder(_ name: FileName, than other: FileName) -> Bool {
        let (left, right) = (name.bytes, other.bytes)
        let stamp = "history-YYYYMMDDTHHMMSS".utf8.count
        if !left.prefix(stamp).elementsEqual(right.prefix(stamp)) { return left.lexicographicallyPrecedes(right) }
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// Gives the file a name of its own, never that of another.
    func moveAside(at time: Timestamp) throws(SyscallError) {
        guard let wanted = Self.rotatedName(at: time) else { return }
        let row = NumberedName(wanted)
        var number = 0
        while let name = row.numbered(number) {
            do throws(SyscallError) {
                return try folder.directory.renameFile(Self.name, to: folder.directory, as: name)
            } catch  where error.errno == .exists {
                number += 1
            } catch  where error.errno == .noEntry {
                // Somebody took the file away, or the last try ended between the rename and the new file.
                return
            }
        }
    }

    /// Ends a rotation that was interrupted when the file had both names: new lines would be found under both.
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
