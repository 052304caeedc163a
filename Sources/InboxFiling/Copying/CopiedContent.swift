import InboxLinux

/// How long what was copied is compared with its copy, before the source goes: not for as long as its owner likes, who may
/// have made it of nothing but holes, and not when the daemon ends.
package struct ComparisonPatience: Sendable {
    /// A source that takes longer counts as changed. The kernel breaks a lease after 45 s, proc_sys_fs(5), `lease-break-time`.
    private static let longest = Duration.seconds(10)

    private let deadline = Instant.now() + longest
    private let abandonment: Abandonment

    package init(_ abandonment: Abandonment) {
        self.abandonment = abandonment
    }

    /// Whether the daemon is asked to end, so that nothing is known.
    var isAbandoned: Bool { abandonment.isRequested }

    /// Whether a comparison has to end.
    var isOver: Bool { isAbandoned || deadline <= .now() }
}

extension FileDescriptor {
    /// Whether a copy has the content of this file, and nobody has written to the file since a status of it was taken: it has
    /// the same one after the comparison, and its lease is whole. A writer who waits for the end of the lease ends the
    /// comparison.
    /// - Parameter isLeased: whether it has a lease.
    func isCopied(
        to copy: borrowing FileDescriptor, since status: FileStatus, isLeased: Bool, _ patience: ComparisonPatience
    ) throws(SyscallError) -> Bool {
        func isAwaited() throws(SyscallError) -> Bool { isLeased ? try !ReadLease.isWhole(self) : false }
        let isSame = try hasContent(of: copy) { () throws(SyscallError) in patience.isOver ? true : try isAwaited() }
        guard isSame, try !isAwaited() else { return false }
        let now = try self.status()
        return now.identity == status.identity && now.changed == status.changed
    }
}
