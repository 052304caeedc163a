import InboxLinux

/// A folder that nothing more can be written to for a while, a disk that does not work, or a file without which nothing can
/// be claimed.
package struct Obstruction: Hashable, Sendable {
    private enum Reason: Hashable {
        case folder(Errno)
        case disk(Errno)
        case identifier(SyscallError)
    }

    /// The subject of a problem.
    package enum Kind: Sendable {
        /// A disk that does not work.
        case disk
        /// A quota that is used up, which may be that of one user.
        case quota
        /// A filesystem that is full or read-only, or a file that cannot be written.
        case writing
    }

    /// The folder or file.
    package let place: BytePath
    private let reason: Reason

    /// Nil where the failure at this file or folder is another one.
    package init?(_ error: SyscallError, at place: BytePath) {
        if error.errno.isDiskFailure {
            reason = .disk(error.errno)
        } else if error.errno.isObstruction {
            reason = .folder(error.errno)
        } else {
            return nil
        }
        self.place = place
    }

    /// Another identifier for staging folders cannot be written into this file of the state folder.
    init(ofIdentifiersIn file: BytePath, _ error: SyscallError) {
        place = file
        reason = .identifier(error)
    }

    private init(_ reason: Reason, at place: BytePath) {
        self.reason = reason
        self.place = place
    }

    /// The kind of the problem. A quota is a problem of its own beside that of a full disk.
    package var kind: Kind {
        switch reason {
        case .disk: .disk
        case .folder(let errno): errno.isQuota ? .quota : .writing
        case .identifier: .writing
        }
    }

    /// The same as a problem: one of the innermost of these folders around the place, such as a root or a mount, however many
    /// folders and files it is met in. Those may not exist, or not yet.
    package func problem(among roots: some Sequence<BytePath>) -> Obstruction {
        if case .identifier = reason { return self }
        let around = roots.filter { $0 == place || place.isInside($0) }
        return Obstruction(reason, at: around.max { $0.names.count < $1.names.count } ?? place)
    }
}

extension Obstruction: CustomStringConvertible {
    /// The problem and its remedy, in one line.
    package var description: String {
        switch reason {
        case .folder(let errno):
            let remedy =
                if errno.isReadOnly {
                    "mount it for writing, or mend its disk"
                } else if errno.isQuota {
                    "raise the quota of the documents' owner or of the daemon's user, or make room in it"
                } else {
                    "make room there, for inodes too (df -i)"
                }
            return "nothing more can be written to \(place) (\(errno)), and documents wait for that: \(remedy)"
        case .disk(let errno):
            return "the disk that \(place) is on does not work (\(errno)), and documents wait for that: see dmesg(1), "
                + "or the log of the program that serves it, then mend or replace it"
        case .identifier(let error):
            return "cannot write \(place) (\(error)), and documents that are claimed first, such as those for another "
                + "filesystem, wait for that: make room, or put a file that the daemon may write in its place"
        }
    }
}
