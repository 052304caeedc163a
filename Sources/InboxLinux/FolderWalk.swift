/// Goes through all that is beneath a folder, depth first: one level is open for each folder on the way, and nothing
/// recurses, however deep it is.
///
/// It stays on one mount: where a folder is another, it ends, and asks nothing of whoever serves that.
package struct FolderWalk {
    /// The reason why a folder cannot be walked.
    package enum Failure: Error {
        /// It is deeper, or has more entries, than is walked.
        case tooLarge
        /// A folder may not be entered: the names that lead to it.
        case denied(SyscallError, [FileName])
        /// Something is mounted in it.
        case mounted
        /// A system call failed.
        case failed(SyscallError)

        /// The failed call; nil where none has failed.
        package var error: SyscallError? {
            switch self {
            case .tooLarge, .mounted: nil
            case .denied(let error, _), .failed(let error): error
            }
        }

        /// Makes a call whose failure ends the walk.
        package static func of<Result: ~Copyable>(
            _ call: @autoclosure () throws(SyscallError) -> Result
        ) throws(Failure) -> Result {
            do throws(SyscallError) { return try call() } catch { throw .failed(error) }
        }
    }

    /// Makes a whole walk; nil where there is too much to be walked, or a mount.
    package static func whole<Result>(
        _ walk: () throws(Failure) -> Result
    ) throws(SyscallError) -> Result? {
        do throws(Failure) { return try walk() } catch {
            if let failed = error.error { throw failed }
            return nil
        }
    }

    /// Goes through all that is beneath a folder, as long as `body` wants more.
    /// - Returns: false where `body` did not, and where there is too much to be walked, or a mount.
    package static func forEach(
        beneath folder: consuming Directory, _ body: (Step) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> Bool {
        do throws(Failure) {
            var walk = try FolderWalk(of: folder)
            while let step = try walk.next() {
                guard try Failure.of(body(step)) else { return false }
            }
            return true
        } catch {
            if let failed = error.error { throw failed }
            return false
        }
    }

    /// A folder on the way, while it is read.
    package final class Level {
        /// Its name in the folder around it; nil for the one that the walk began with.
        package let name: FileName?
        /// The status of the folder when it was entered.
        package let status: FileStatus
        fileprivate var entries: DirectoryEntries
        /// No server has to be asked for the contents of the folder: this machine's kernel knows them.
        fileprivate let isLocal: Bool

        fileprivate init(_ folder: consuming Directory, _ name: FileName?, isLocal: Bool? = nil) throws(SyscallError) {
            self.name = name
            self.isLocal =
                if let isLocal { isLocal } else { try Filesystem(of: folder.descriptor).nameWithoutEvents == nil }
            status = try folder.status()
            entries = try DirectoryEntries(of: folder)
        }

        /// The open folder.
        package var directory: Directory { _read { yield entries.directory } }

        fileprivate func status(of name: FileName) throws(SyscallError) -> FileStatus {
            try isLocal ? directory.rememberedStatus(of: name) : directory.status(of: name)
        }

        fileprivate func enter(_ name: FileName) throws(SyscallError) -> Level {
            try Level(try directory.folder(name, mayCross: false), name, isLocal: isLocal)
        }
    }

    /// Something that is no folder, as the folder around it lists it: whoever needs its status asks for that.
    package struct Entry {
        /// Its name.
        package let name: FileName
        /// The kind with which the folder lists it.
        package let kind: FileStatus.Kind
        /// The inode number that it is listed with; some filesystems list another than the file has.
        package let inode: UInt64
        /// The folder around it.
        package let level: Level

        /// Returns the current status of the entry.
        package func status() throws(SyscallError) -> FileStatus { try level.status(of: name) }
    }

    /// The step that the walk has reached.
    package enum Step {
        /// Something that is no folder.
        case entry(Entry)
        /// A folder, in that one: the entries that follow are its own.
        case entered(Level, parent: Level)
        /// A folder that was gone through, and the one around it, whose entries follow.
        case left(Level, parent: Level)
    }

    /// Levels of nesting: a deeper folder is not entered.
    package static let deepest = 100
    /// Entries, those of inner folders included: a larger folder is not walked.
    package static let mostEntries = 100_000

    /// The status of the folder from which the walk began.
    package let top: FileStatus
    private var levels: [Level]
    private var entryCount = 0

    /// Begins in a folder, which is not a step itself.
    package init(of folder: consuming Directory) throws(Failure) {
        do throws(SyscallError) { levels = [try Level(folder, nil)] } catch { throw .failed(error) }
        top = levels[0].status
    }

    /// Begins in a folder that stays open for others.
    package init(again folder: OpenFolder) throws(Failure) {
        do throws(SyscallError) {
            levels = [try Level(try folder.directory.folder(beneath: []), nil)]
        } catch {
            throw .failed(error)
        }
        top = levels[0].status
    }

    /// The next step; nil at the end. What vanishes meanwhile is passed over.
    package mutating func next() throws(Failure) -> Step? {
        while let level = levels.last {
            guard let entry = try entry(in: level) else {
                levels.removeLast()
                return levels.last.map { .left(level, parent: $0) }
            }
            entryCount += 1
            if entryCount > Self.mostEntries { throw .tooLarge }
            do throws(SyscallError) {
                let kind = if let kind = entry.kind { kind } else { try level.status(of: entry.name).kind }
                guard kind == .directory else {
                    return .entry(Entry(name: entry.name, kind: kind, inode: entry.inode, level: level))
                }
                levels.append(try level.enter(entry.name))
            } catch {
                // The removal has changed the time of the folder around it, which the next inspection notices.
                if error.errno.isAbsent { continue }
                if error.errno == .crossDevice { throw .mounted }
                if error.errno.isDenied {
                    throw .denied(error, path + (isVisible(entry.name, in: level) ? [entry.name] : []))
                }
                throw .failed(error)
            }
            if levels.count > Self.deepest { throw .tooLarge }
            return levels.last.map { .entered($0, parent: level) }
        }
        return nil
    }

    /// The names that lead to the folder whose entries the walk is at.
    package var path: [FileName] { levels.compactMap(\.name) }

    /// Returns whether a folder that may not be entered denies that itself, rather than the folder around it.
    private func isVisible(_ name: FileName, in level: Level) -> Bool {
        do throws(SyscallError) {
            _ = try level.directory.status(of: name)
            return true
        } catch {
            return false
        }
    }

    /// The next entry; nil at the end, and in a folder that was removed: getdents64(2) fails with ENOENT there, however
    /// often it is asked.
    private func entry(in level: Level) throws(Failure) -> DirectoryEntries.Entry? {
        do throws(SyscallError) {
            return try level.entries.next()
        } catch {
            if error.errno.isAbsent { return nil }
            throw .failed(error)
        }
    }
}
