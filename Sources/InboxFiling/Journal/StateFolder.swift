import InboxLinux

/// Why the state folder cannot be used.
package enum StateFolderError: Error {
    /// Another daemon works on it; its process, where it could be read.
    case taken(by: Int?)
    /// A system call failed on this path.
    case failed(BytePath, SyscallError)
    /// A file in the folder of this path cannot be read.
    case file(BytePath, StateFileError)
    /// Its path, or the folder itself, is in the hands of somebody who is not trusted.
    case unsafe(StateFolderDanger)
}

/// Why a state folder is not safe.
package enum StateFolderDanger: Error, CustomStringConvertible {
    /// Somebody could exchange a component of its path.
    case path(SafePathError)
    /// It belongs to this user.
    case owner(BytePath, UInt32)

    /// One line that a person can act on.
    package var description: String {
        switch self {
        case .path(let error): "\(error)"
        case .owner(let path, let user): "user \(user) owns \(path): give it to the daemon's user"
        }
    }
}

/// The folder in which the daemon keeps its history and its journal, locked for one daemon.
package final class StateFolder {
    /// Where it is.
    package let path: BytePath
    package let directory: OpenFolder
    /// The operations in progress.
    package let journal: Journal
    private let lock: OpenFile
    private let status: FileStatus

    /// Opens the folder, made with its parents where it is missing and private to the user, and locks it.
    package init(path: BytePath) throws(StateFolderError) {
        self.path = path
        let directory = OpenFolder(try Self.make(path))
        let lock: OpenFile
        let isOurs: Bool
        do throws(SyscallError) {
            status = try directory.directory.status()
            lock = OpenFile(try directory.directory.appendingFile(Self.lockName))
            isOurs = try lock.descriptor.lockExclusively()
        } catch {
            throw .failed(path, error)
        }
        guard status.owner == 0 || status.owner == Process.user else { throw .unsafe(.owner(path, status.owner)) }
        guard isOurs else { throw .taken(by: Self.owner(lock.descriptor)) }
        do throws(SyscallError) {
            try lock.descriptor.truncate(to: 0)
            try lock.descriptor.write(Array("\(Process.current)\n".utf8))
        } catch {
            throw .failed(path, error)
        }
        do throws(StateFileError) { journal = try Journal(in: directory) } catch { throw .file(path, error) }
        self.directory = directory
        self.lock = lock
    }

    private static var lockName: FileName { FileName("lock").unsafelyUnwrapped }

    /// Whether its path still leads to it, and it still has the file that is locked: else another daemon could work with
    /// what is there now.
    package var isInPlace: Bool {
        do throws(SyscallError) {
            let now = try FileStatus(target: path)
            let held = try lock.descriptor.status()
            let named = try directory.directory.status(of: Self.lockName)
            return now.identity.file == status.identity.file && now.mount == status.mount
                && named.identity.file == held.identity.file
        } catch {
            return error.errno.isWantOfResources
        }
    }

    private static func make(_ path: BytePath) throws(StateFolderError) -> Directory {
        do throws(SafePathError) {
            return try open(path)
        } catch {
            if case .failed(let path, let error) = error { throw .failed(path, error) }
            throw .unsafe(.path(error))
        }
    }

    private static func open(
        _ path: BytePath, toMake entry: FileName? = nil
    ) throws(SafePathError) -> Directory {
        do throws(SafePathError) {
            return try SafePath.open(path, toMake: entry)
        } catch  where error.errno == .noEntry {
            guard let parent = path.parent, let name = FileName(path.lastComponent) else { throw error }
            let around = try open(parent, toMake: name)
            do throws(SyscallError) {
                try around.makeFolder(name, mode: 0o700)
            } catch {
                // Somebody may have made it at this moment.
                if error.errno != .exists { throw .failed(path, error) }
            }
            return try SafePath.open(path, toMake: entry)
        }
    }

    private static func owner(_ lock: borrowing FileDescriptor) -> Int? {
        do throws(SyscallError) {
            guard let text = try lock.contents(limit: 64) else { return nil }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").first.flatMap { Int($0) }
        } catch {
            return nil
        }
    }
}
