import InboxLinux

extension StagingFolder {
    /// An object that has the name of a staging folder and is not shown to be one.
    package enum Occupant: Equatable {
        /// A folder of the daemon's user that others may write in: its permissions were changed, and what is in it may have
        /// been.
        case open(FileName, permissions: UInt32)
        /// A folder of another user: somebody made it, or its owner was changed.
        case foreign(FileName, owner: UInt32)
        /// No staging folder: it is no folder or has no lock, lies on another mount, or was found in the place of one that was
        /// just made.
        case namesake(FileName)

        /// Anybody may have put it there, and there never was a staging folder.
        package var isNamesake: Bool {
            if case .namesake = self { true } else { false }
        }

        /// Returns what the object is and what to do about it, in words.
        package func reason(in root: BytePath) -> String {
            switch self {
            case .open(let name, let permissions):
                "others may write in \(name) in \(root) (mode \(String(permissions, radix: 8))), where it may be:"
                    + " make sure of what is in there, and chmod it to 700"
            case .foreign(let name, let owner):
                "\(name) in \(root), where it may be, belongs to user \(owner): make sure of what is in there, and give it"
                    + " back to user \(Process.user)"
            case .namesake(let name):
                "\(name) in \(root), where it may be, is covered or replaced: move away or unmount what has this name"
            }
        }
    }

    /// Returns what a folder of this name is, if it is not shown to be the daemon's own; otherwise nil.
    static func occupant(
        _ folder: OpenFolder, _ name: FileName, in root: OpenFolder, createdAfter: Timestamp?
    ) throws(SyscallError) -> Occupant? {
        let status = try folder.directory.status()
        if try Filesystem(of: folder.directory.descriptor).isWithoutOwners {
            // Such filesystems may show the owner that the mount names, or the real one: never another user's.
            let owners = try [Process.user, 0, root.directory.status().owner]
            return owners.contains(status.owner) ? nil : .foreign(name, owner: status.owner)
        }
        guard status.owner == Process.user else { return .foreign(name, owner: status.owner) }
        let isClosed = status.permissions & 0o777 == 0o700
        if let createdAfter {
            guard status.permissions & 0o077 == 0, try status.isBorn(after: createdAfter, in: root.directory),
                try folder.directory.isEmpty
            else { return .namesake(name) }
            if !isClosed {
                // The default ACL of the root has taken rights from the owner, and would from what is made in here.
                try folder.directory.descriptor.removeAttribute(.defaultList)
                try folder.directory.descriptor.changePermissions(0o700)
            }
            return nil
        }
        guard try status.mount == root.directory.status().mount else { return .namesake(name) }
        if isClosed { return nil }
        guard try folder.directory.has(lockName) else { return .namesake(name) }
        guard status.permissions & 0o022 == 0 else { return .open(name, permissions: status.permissions & 0o777) }
        // Others could only read what is in it, as after chmod -R on the Inbox.
        try folder.directory.descriptor.changePermissions(0o700)
        return nil
    }
}
