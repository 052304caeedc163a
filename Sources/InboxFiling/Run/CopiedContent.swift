import InboxLinux

/// The time for which copied content is compared with its copy before the source is removed: limited if others wait,
/// since its owner may have made it of nothing but holes; and ended when the daemon ends.
package struct ComparisonPatience: Sendable {
    private let deadline: Instant
    private let abandonment: Abandonment

    /// - Parameter isBrief: whether others wait.
    package init(_ abandonment: Abandonment, isBrief: Bool) {
        self.abandonment = abandonment
        deadline = isBrief ? .now() + (ComparingTime.tested ?? .seconds(10)) : .never
    }

    /// A comparison has to end: nobody knows what it would have shown.
    var isOver: Bool { abandonment.isRequested || deadline <= .now() }
}

extension FileDescriptor {
    /// Returns whether a copy has the content of this file, and nobody has written to the file since a status of it was
    /// taken: it has the same one after the comparison, and its lease is whole. A writer who waits for the end of the
    /// lease ends the comparison.
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
