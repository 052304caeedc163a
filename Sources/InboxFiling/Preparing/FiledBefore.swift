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

extension FiledDocuments {
    /// Returns the path of a document that was filed before and has the same bytes as one that is not filed now; nil where
    /// there is none, and where that shows only when it is filed.
    /// - Parameters:
    ///   - owner: who would own the document. What this user may not read does not count.
    ///   - end: nothing is compared from then on.
    ///   - open: opens the folder at a path.
    package func predictedTwin(
        of file: OpenFile, _ status: FileStatus, owner: UInt32, until end: Instant = .never,
        in open: (BytePath) -> OpenFolder?
    ) -> BytePath? {
        guard status.kind == .regular, status.size > 0 else { return nil }
        let comparison = Comparison(of: file, isLeased: false, until: end, nil)
        let rights = ReadingRights(of: owner)
        do {
            var sum: String?
            for document in try documents(ofSize: status.size) ?? [] {
                try comparison.goOn()
                if document.sum != nil, sum == nil { sum = SHA256.text(of: try comparison.sum()) }
                let isKnown = sum != nil && document.sum == sum
                let found = Self.file(at: document.path, like: isKnown ? nil : status, rights, open)
                if let found, try isKnown || comparison.isEqual(to: found) { return document.path }
            }
        } catch {
            // A prediction is no promise.
        }
        return nil
    }

    private static func file(
        at path: BytePath, like status: FileStatus?, _ rights: ReadingRights, _ open: (BytePath) -> OpenFolder?
    ) -> OpenFile? {
        guard let parent = path.parent, let name = FileName(path.lastComponent), let folder = open(parent) else {
            return nil
        }
        do throws(SyscallError) {
            let found = try IdenticalDocument.file(name, in: folder, like: status)?.file
            guard let found, try rights.mayRead(found.descriptor, inFolderAt: parent) else { return nil }
            return found
        } catch {
            // What has gone or may not be read is not known to be identical.
            return nil
        }
    }
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
        for folder in folder.way {
            guard may(Self.search, try folder.directory.status(), folder.directory.accessList) else { return false }
        }
        // The folders around the root.
        var path = folder.path
        for _ in folder.way { path = path.parent ?? path }
        return try mayRead(file, inFolderAt: path)
    }

    /// Returns whether the user may read a file whose folder is at a path.
    func mayRead(_ file: borrowing FileDescriptor, inFolderAt path: BytePath) throws(SyscallError) -> Bool {
        if Self.isTrusted(user) { return true }
        guard may(Self.read, try file.status(), file.accessList) else { return false }
        var path = path
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
