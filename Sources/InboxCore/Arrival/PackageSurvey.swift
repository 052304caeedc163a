import InboxLinux

/// Looks through a folder that is one document, and tells of it as of one file: its size is that of all files in it,
/// and it changed when anything in it last did.
struct PackageSurvey {
    /// Why a folder cannot be looked through.
    enum Failure: Error {
        /// It is deeper, or has more entries, than is looked through.
        case tooLarge
        /// A system call failed.
        case failed(SyscallError)
    }

    private static let deepest = 100
    private static let mostEntries = 100_000

    /// A folder on the way, while it is read.
    private final class Level {
        var entries: DirectoryEntries

        init(_ folder: consuming Directory) throws(SyscallError) {
            entries = try DirectoryEntries(of: folder)
        }
    }

    /// The folder's status with the size and the times of all that is in it.
    private(set) var status: FileStatus
    /// Whether any file is in it: an empty one is a placeholder.
    private(set) var hasFiles = false
    /// Whether a download into it is under way.
    private(set) var hasPartial = false

    private var levels: [Level] = []
    private var entryCount = 0

    /// Looks through a folder; `visit` gets each regular file with the folder that it is in.
    init(
        of folder: consuming Directory,
        visit: (borrowing Directory, FileName) throws(SyscallError) -> Void = { _, _ in }
    ) throws(Failure) {
        do throws(SyscallError) {
            status = try folder.status()
            status.emptySize()
            levels.append(try Level(folder))
        } catch {
            throw .failed(error)
        }
        while let level = levels.last { try step(level, visit) }
    }

    private mutating func step(
        _ level: Level, _ visit: (borrowing Directory, FileName) throws(SyscallError) -> Void
    ) throws(Failure) {
        do throws(SyscallError) {
            guard let entry = try level.entries.next() else {
                levels.removeLast()
                return
            }
            entryCount += 1
            let found = try level.entries.directory.status(of: entry.name)
            status.absorb(found)
            hasPartial = hasPartial || entry.name.isPartial
            switch found.kind {
            case .regular:
                hasFiles = true
                try visit(level.entries.directory, entry.name)
            case .directory: levels.append(try Level(try level.entries.directory.folder(entry.name)))
            case .symlink, .special: break
            }
        } catch {
            // What vanished while it was looked at has changed the folder around it, which the next look shows.
            if !error.errno.isAbsent { throw .failed(error) }
        }
        if levels.count > Self.deepest || entryCount > Self.mostEntries { throw .tooLarge }
    }
}

extension FileName {
    /// Whether it is the name of a partial download that stands beside its target.
    var isPartial: Bool {
        bytes.suffix(5).elementsEqual(".part".utf8) || bytes.suffix(11).elementsEqual(".crdownload".utf8)
    }
}
