import InboxLinux

/// Who may put documents into a folder below a destination: guarantee 5 of the contract.
///
/// An existing folder of somebody else (neither the destination's owner nor root nor the daemon's user) may be private,
/// though the daemon could write there. A document enters it only if its own owner could have put it there.
package struct FolderRestrictions: Sendable {
    private let destination: (owner: UInt32, group: UInt32)
    /// The folders on the way that only their owners' documents enter.
    private var closed: [(path: BytePath, owner: UInt32)] = []

    /// No restriction, in the destination itself.
    package init(ofDestination status: FileStatus) {
        destination = (status.owner, status.group)
    }

    /// The restrictions in a folder of this one.
    /// - Parameter list: reads its access list, where the mode alone does not decide: with a list, the group bits of the
    ///   mode are the list's mask and not the rights of the group, acl(5).
    package func entering(
        _ path: BytePath, _ folder: FileStatus, list: () -> AccessList?
    ) -> FolderRestrictions {
        if [destination.owner, 0, Process.user].contains(folder.owner) { return self }
        // Whoever may not search a folder can put nothing there, and the members of its group have no more than its rights.
        let mayOthers = folder.permissions & 0o003 == 0o003
        let mayGroup = folder.permissions & 0o030 == 0o030
        if mayGroup, mayOthers || folder.group == destination.group,
            list().map({ $0.groupPermissions & 0o3 == 0o3 }) ?? true
        {
            return self
        }
        var inner = self
        inner.closed.append((path, folder.owner))
        return inner
    }

    /// The first folder on the way that a document of this owner must not enter; nil where it may enter all.
    package func denying(owner: UInt32) -> BytePath? {
        closed.first { $0.owner != owner }?.path
    }
}
