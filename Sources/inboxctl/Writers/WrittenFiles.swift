import InboxLinux

/// The files whose writers are searched, by what a process shows of a file that it has open.
struct WrittenFiles {
    private var files: [FileKey: Set<BytePath>] = [:]
    private var mapped: [MappedFile: Set<BytePath>] = [:]
    private var folders: Set<BytePath> = []

    /// No file is left that ``paths(of:)`` could find.
    var isEmpty: Bool { mapped.isEmpty }

    /// Adds a file, or a folder that stands for every file in it. What cannot be inspected has no writer to be found.
    mutating func add(_ path: BytePath) {
        do throws(SyscallError) {
            let status = try FileStatus(path: path)
            switch status.kind {
            case .regular:
                files[status.identity.file, default: []].insert(path)
                mapped[MappedFile(status.identity.file), default: []].insert(path)
            case .directory: folders.insert(path)
            case .symlink, .special: break
            }
        } catch {
            // It is gone, or whoever asks may not reach it.
        }
    }

    /// Leaves out a file whose writers are known.
    mutating func remove(_ path: BytePath) {
        mapped = mapped.compactMapValues { paths in
            let rest = paths.subtracting([path])
            return rest.isEmpty ? nil : rest
        }
    }

    /// Returns the searched paths of a file that a process has open under a path.
    func paths(of file: FileKey, at path: BytePath) -> Set<BytePath> {
        var found = files[file] ?? []
        for folder in folders where path.isInside(folder) && Self.isFile(file, at: path) { found.insert(folder) }
        return found
    }

    /// Returns the searched paths of a file that a process has mapped into its memory.
    func paths(of file: MappedFile) -> Set<BytePath> { mapped[file] ?? [] }

    /// Returns true if that file has the path here: a process may have mounts of its own.
    private static func isFile(_ file: FileKey, at path: BytePath) -> Bool {
        do throws(SyscallError) {
            return try FileStatus(path: path).identity.file == file
        } catch {
            // It was removed, and nothing of the folder is written any more.
            return false
        }
    }
}
