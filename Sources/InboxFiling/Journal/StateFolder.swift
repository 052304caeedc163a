import InboxLinux

/// The reason why the state folder cannot be used.
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

extension StateFolderError {
    /// Returns why a call on the folder failed, and what to do, for a person who knows no system calls.
    package static func words(_ error: SyscallError) -> String {
        guard error.errno.isDenied else { return "\(error.errno)" }
        return "\(error.errno): let the daemon's user write there, or name another by --state"
    }
}

/// The reason why a state folder is not safe.
package enum StateFolderDanger: Error, CustomStringConvertible {
    /// Somebody could exchange a component of its path.
    case path(SafePathError)
    /// It belongs to this user.
    case owner(BytePath, UInt32)
    /// Others than its owner may write to it, and so may have written what the journal says.
    case writable(BytePath)

    /// One line that a person can act on.
    package var description: String {
        switch self {
        case .path(let error): "\(error)"
        case .owner(let path, let user): "user \(user) owns \(path): give it to the daemon's user"
        case .writable(let path): "others may write to \(path): make sure of what is in there, and chmod it to 700"
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
        let danger: StateFolderDanger?
        let lock: OpenFile
        let isOurs: Bool
        do throws(SyscallError) {
            status = try directory.directory.status()
            danger = try Self.danger(of: directory.directory, status, at: path)
        } catch {
            throw .failed(path, error)
        }
        if let danger { throw .unsafe(danger) }
        do throws(SyscallError) {
            lock = OpenFile(try directory.directory.appendingFile(Self.lockName))
            isOurs = try lock.descriptor.lockExclusively()
        } catch {
            throw .file(path, .failed(Self.lockName, error))
        }
        guard isOurs else { throw .taken(by: Self.owner(lock.descriptor)) }
        do throws(SyscallError) {
            try lock.descriptor.truncate(to: 0)
            try lock.descriptor.write(Array("\(Process.current)\n".utf8))
        } catch {
            throw .file(path, .failed(Self.lockName, error))
        }
        do throws(StateFileError) { journal = try Journal(in: directory) } catch { throw .file(path, error) }
        self.directory = directory
        self.lock = lock
    }

    /// The file that is locked.
    package static var lockName: FileName { FileName("lock").unsafelyUnwrapped }

    /// The path that no longer leads to the state folder, its lock file or its journal; nil if all are in place.
    /// Otherwise another daemon could work with what is there now, or the next one would know nothing of what this
    /// one has begun.
    package var displaced: BytePath? {
        do throws(SyscallError) {
            let now = try FileStatus(target: path)
            guard now.identity.file == status.identity.file, now.mount == status.mount else { return path }
        } catch {
            return error.errno.isWantOfResources ? nil : path
        }
        if !directory.has(lock, at: Self.lockName) { return path.appending(Self.lockName) }
        return journal.isInPlace ? nil : path.appending(Journal.name)
    }

    /// Returns why somebody else may have written what is in the folder; nil if nobody can have.
    static func danger(
        of folder: borrowing Directory, _ status: FileStatus, at path: BytePath
    ) throws(SyscallError) -> StateFolderDanger? {
        guard isTrusted(status.owner) else { return .owner(path, status.owner) }
        // Where a filesystem keeps no owners its mount says who may write. What is closed to others keeps them from its files.
        let isKept = try !Filesystem(of: folder.descriptor).isWithoutOwners
        guard isKept, status.permissions & 0o077 != 0 else { return nil }
        // With the sticky bit, as in a new tmpfs, others may make files and not change those of the daemon.
        if status.isWritableByOthers, status.permissions & 0o1000 == 0 { return .writable(path) }
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let name = try entries.next()?.name {
            let entry = try folder.status(of: name)
            guard isTrusted(entry.owner) else { return .owner(path.appending(name), entry.owner) }
            if entry.kind != .symlink, entry.isWritableByOthers { return .writable(path.appending(name)) }
        }
        return nil
    }

    private static func isTrusted(_ owner: UInt32) -> Bool { owner == 0 || owner == Process.user }

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

extension FileStatus {
    /// The group or everybody may write; with an access list its mask is the group's, acl(5).
    fileprivate var isWritableByOthers: Bool { permissions & 0o022 != 0 }
}
