import InboxLinux

/// Why the state folder cannot be used.
public enum StateFolderError: Error {
    /// Another daemon works on it; its process, where it could be read.
    case taken(by: Int?)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
}

/// The folder in which the daemon keeps its history and its journal, locked for one daemon.
public final class StateFolder {
    /// Where it is.
    public let path: BytePath
    let directory: OpenFolder
    private let lock: OpenFile

    /// Opens the folder, made with its parents where it is missing and private to the user, and locks it.
    public init(path: BytePath) throws(StateFolderError) {
        self.path = path
        let directory: OpenFolder
        let lock: OpenFile
        let isOurs: Bool
        do throws(SyscallError) {
            directory = OpenFolder(try Self.make(path))
            lock = OpenFile(try directory.directory.appendingFile(Self.lockName))
            isOurs = try lock.descriptor.lockExclusively()
        } catch {
            throw .failed(path, error)
        }
        guard isOurs else { throw .taken(by: Self.owner(lock.descriptor)) }
        do throws(SyscallError) {
            try lock.descriptor.truncate(to: 0)
            try lock.descriptor.write(Array("\(Process.current)\n".utf8))
        } catch {
            throw .failed(path, error)
        }
        self.directory = directory
        self.lock = lock
    }

    private static var lockName: FileName { FileName("lock").unsafelyUnwrapped }

    private static func make(_ path: BytePath) throws(SyscallError) -> Directory {
        do throws(SyscallError) {
            return try Directory.open(path: path.bytes)
        } catch  where error.errno == .noEntry {
            guard let parent = path.parent, let name = FileName(path.lastComponent) else { throw error }
            let around = try make(parent)
            do throws(SyscallError) {
                try around.makeFolder(name, mode: 0o700)
            } catch  where error.errno == .exists {
                // Somebody made it at this moment.
            }
            return try around.folder(name)
        }
    }

    private static func owner(_ lock: borrowing FileDescriptor) -> Int? {
        do throws(SyscallError) {
            let text = String(decoding: try lock.contents(limit: 64), as: UTF8.self)
            return text.split(separator: "\n").first.flatMap { Int($0) }
        } catch {
            return nil
        }
    }
}
