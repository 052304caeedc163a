import InboxLinux

/// A document that the history says was filed, and where it was then.
package struct FiledDocument: Sendable {
    /// The id of its record.
    package let id: String
    /// When it was filed.
    package let time: String
    /// Where it was filed.
    package let path: BytePath
    /// The SHA-256 that its content had then; nil where nobody could have changed it since without being asked.
    package let sum: String?

    /// A document of these facts.
    package init(id: String, time: String, path: BytePath, sum: String? = nil) {
        (self.id, self.time, self.path, self.sum) = (id, time, path, sum)
    }
}

/// The documents that were filed so far, by their sizes.
package protocol FiledDocuments: Sendable {
    /// Returns those of this size, the newest first; nil where that is not known yet.
    func documents(ofSize size: UInt64) throws(SyscallError) -> [FiledDocument]?
    /// Begins to find out which there are.
    func begin()
}

/// The right of a user to read, judged from outside: by owners, modes and access lists.
struct ReadingRights {
    private let user: UInt32
    private let groups: Set<UInt32>

    private static let search: UInt32 = 1
    private static let read: UInt32 = 4

    init(of user: UInt32) {
        self.user = user
        groups = Self.isTrusted(user) ? [] : AccountNames.groups(ofUser: user)
    }

    private static func isTrusted(_ user: UInt32) -> Bool { user == 0 || user == Process.user }

    /// Returns whether the user may read a file that lies in a folder which a root leads to.
    func mayRead(_ file: borrowing FileDescriptor, in folder: ReachedFolder) throws(SyscallError) -> Bool {
        if Self.isTrusted(user) { return true }
        guard may(Self.read, try file.status(), file.accessList) else { return false }
        for folder in folder.way {
            guard may(Self.search, try folder.directory.status(), folder.directory.accessList) else { return false }
        }
        // The folders around the root.
        var path = folder.path
        for _ in folder.way { path = path.parent ?? path }
        while true {
            let status = try FileStatus(target: path, isRemembered: true)
            guard may(Self.search, status, nil) else { return false }
            guard let parent = path.parent, parent != path else { return true }
            path = parent
        }
    }

    private func may(_ bit: UInt32, _ status: FileStatus, _ list: @autoclosure () -> AccessList?) -> Bool {
        if status.owner == user { return status.permissions >> 6 & bit != 0 }
        guard (status.permissions >> 3 | status.permissions) & bit != 0 else { return false }
        if let list = list() { return list.permits(bit, user: user, group: status.group, belongs: groups.contains) }
        return (groups.contains(status.group) ? status.permissions >> 3 : status.permissions) & bit != 0
    }
}
