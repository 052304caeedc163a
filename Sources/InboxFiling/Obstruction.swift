import InboxLinux

/// A folder that nothing more can be written to for a while.
package struct Obstruction: Hashable, Sendable {
    /// The folder.
    package let place: BytePath
    private let reason: Errno

    /// Nil where the failure at this folder is another one.
    init?(_ error: SyscallError, at place: BytePath) {
        guard error.errno.isObstruction else { return nil }
        self.place = place
        reason = error.errno
    }
}

extension Obstruction: CustomStringConvertible {
    /// What is wrong and what to do, in one line.
    package var description: String {
        let remedy =
            reason.isReadOnly ? "mount it for writing, or mend its disk" : "make room there, for inodes too (df -i)"
        return "nothing more can be written to \(place) (\(reason)), and documents wait for that: \(remedy)"
    }
}
