import InboxLinux

/// A folder that nothing more can be written to for a while, or a file without which nothing can be claimed.
package struct Obstruction: Hashable, Sendable {
    private enum Reason: Hashable {
        case folder(Errno)
        case identifier(SyscallError)
    }

    /// The folder or file.
    package let place: BytePath
    private let reason: Reason

    /// Nil where the failure at this folder is another one.
    init?(_ error: SyscallError, at place: BytePath) {
        guard error.errno.isObstruction else { return nil }
        self.place = place
        reason = .folder(error.errno)
    }

    /// Another identifier for staging folders cannot be written into this file of the state folder.
    init(ofIdentifiersIn file: BytePath, _ error: SyscallError) {
        place = file
        reason = .identifier(error)
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
        case .identifier(let error):
            return "cannot write \(place) (\(error)), and documents that are claimed first, such as those for another "
                + "filesystem, wait for that: make room, or put a file that the daemon may write in its place"
        }
    }
}
