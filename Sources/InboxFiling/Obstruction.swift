import InboxLinux

/// A folder that nothing more can be written to for a while, a disk that does not work, or a file without which nothing can
/// be claimed.
package struct Obstruction: Hashable, Sendable {
    private enum Reason: Hashable {
        case folder(Errno)
        case disk(Errno)
        case identifier(SyscallError)
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

    /// Whether it is a disk that does not work.
    package var isDisk: Bool {
        if case .disk = reason { true } else { false }
    }

    /// The same as a problem: a disk that does not work is one of the innermost of these folders around the place, however
    /// many files it fails for.
    package func problem(among roots: some Sequence<BytePath>) -> Obstruction {
        guard isDisk else { return self }
        let around = roots.filter { $0 == place || place.isInside($0) }
        return Obstruction(reason, at: around.max { $0.names.count < $1.names.count } ?? place)
    }
}

extension Obstruction: CustomStringConvertible {
    /// What is wrong and what to do, in one line.
    package var description: String {
        switch reason {
        case .folder(let errno):
            let remedy =
                errno.isReadOnly ? "mount it for writing, or mend its disk" : "make room there, for inodes too (df -i)"
            return "nothing more can be written to \(place) (\(errno)), and documents wait for that: \(remedy)"
        case .disk(let errno):
            return "the disk that \(place) is on does not work (\(errno)), and documents wait for that: see dmesg(1), "
                + "then mend or replace it"
        case .identifier(let error):
            return "cannot write \(place) (\(error)), and documents that are claimed first, such as those for another "
                + "filesystem, wait for that: make room, or put a file that the daemon may write in its place"
        }
    }
}
