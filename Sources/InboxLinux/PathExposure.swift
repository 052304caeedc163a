/// Somebody who could put something else in the place of a component of a path.
package struct PathExposure: Hashable, Sendable {
    /// Who could, and by what right.
    package enum Right: Hashable, Sendable {
        /// The owner of the folder that the component is in.
        case folderOwner(UInt32)
        /// The owner of the component itself, in a sticky folder that others may write to.
        case entryOwner(UInt32)
        /// The owner of a symbolic link.
        case linkOwner(UInt32)
        /// The members of a group that may write to the folder; whether an access list names others besides.
        case group(UInt32, hasList: Bool)
        /// Everybody, since everybody may write to the folder.
        case everybody
    }

    /// The component, by the path that led to it.
    package let component: BytePath
    /// Who could exchange it.
    package let right: Right

    /// Returns whether everybody who has the right is trusted.
    func isHarmless(_ users: TrustedUsers, endingAt owner: UInt32) -> Bool {
        switch right {
        case .folderOwner(let user), .entryOwner(let user), .linkOwner(let user):
            users.trusts(user, endingAt: owner)
        case .group(let group, let hasList): !hasList && users.trusts(group: group, endingAt: owner)
        case .everybody: false
        }
    }

    /// Who may exchange the entry of a folder.
    static func all(
        of entry: FileStatus, at component: BytePath, in folder: FileStatus, hasList: () -> Bool
    ) -> [PathExposure] {
        var rights: [Right] = [.folderOwner(folder.owner)]
        // With an access list the group's bits are its mask: the most that anybody in the list may do, acl(5).
        let isGroupWritable = folder.permissions & 0o020 != 0
        let isWritable = folder.permissions & 0o002 != 0
        if folder.permissions & 0o1000 != 0 {
            if isGroupWritable || isWritable { rights.append(.entryOwner(entry.owner)) }
        } else {
            if isWritable { rights.append(.everybody) }
            if isGroupWritable { rights.append(.group(folder.group, hasList: hasList())) }
        }
        if entry.kind == .symlink { rights.append(.linkOwner(entry.owner)) }
        return rights.map { PathExposure(component: component, right: $0) }
    }
}

extension PathExposure: CustomStringConvertible {
    /// Who could exchange what, and what would mend it.
    package var description: String {
        let folder = component.parent ?? BytePath("/")
        return switch right {
        case .folderOwner(let user):
            "user \(user) could exchange \(component), since the folder \(folder) is theirs: give it to root or to the "
                + "daemon's user"
        case .entryOwner(let user):
            "user \(user) could exchange \(component), which is theirs: give it to root or to the daemon's user"
        case .linkOwner(let user):
            "user \(user) made the symbolic link \(component): replace it by the folder itself"
        case .group(let group, hasList: false):
            "the members of group \(group) could exchange \(component): run \"chmod g-w\" or \"chmod +t\" on \(folder)"
        case .group(_, hasList: true):
            "those whom its access list names could exchange \(component): run \"setfacl -b\" or \"chmod +t\" on "
                + "\(folder)"
        case .everybody:
            "everybody could exchange \(component): run \"chmod o-w\" or \"chmod +t\" on \(folder), or where modes are those "
                + "of the mount, as on NTFS and exFAT, mount that with \"umask=022\""
        }
    }
}
