import InboxLinux

/// Finds out before a copy whether its source can be removed afterwards. Nothing is changed for the answer.
package struct RemovalObstacle {
    /// The reason why something in a package cannot be removed; nil if nothing prevents it.
    package private(set) var words: String?
    /// The folder that may be changed, as was asked last.
    private var changeable: FolderWalk.Level?

    /// Returns why a document cannot be removed with everything in it; nil if nothing prevents it.
    static func find(_ document: PreparedDocument, in folder: OpenFolder) throws(SyscallError) -> String? {
        try find(document.status, in: folder) ?? document.innerObstacle
    }

    /// Returns why a name cannot leave its folder; nil if nothing prevents it.
    static func find(_ status: FileStatus, in folder: OpenFolder) throws(SyscallError) -> String? {
        try find(status, in: folder.directory, try folder.directory.status(), mayChange: false)
    }

    /// Takes in what a survey finds in a folder.
    mutating func inspect(
        _ status: FileStatus, _ name: FileName, in level: FolderWalk.Level
    ) throws(SyscallError) {
        guard words == nil else { return }
        words = try Self.find(status, in: level.directory, level.status, mayChange: changeable === level)
            .map { "\(name) in it: \($0)" }
        changeable = level
    }

    /// Returns why a name cannot be removed; nil if nothing prevents it.
    ///
    /// unlink(2): rights to the folder, the sticky bit, immutable files and folders, mount points.
    private static func find(
        _ status: FileStatus, in folder: borrowing Directory, _ around: FileStatus, mayChange: Bool
    ) throws(SyscallError) -> String? {
        if let fixation = Fixation(status, in: around) { return fixation.words }
        do throws(SyscallError) {
            if !mayChange { try folder.mayChange() }
        } catch  where error.errno.isDenied {
            return "its folder may not be changed: \(error.errno)"
        }
        if status.mount != around.mount { return "something is mounted there" }
        let isSticky = around.permissions & 0o1000 != 0
        if isSticky, ![status.owner, around.owner].contains(Process.user), try !Process.actsAsOwner() {
            return "its folder is sticky, and neither is the daemon's"
        }
        return nil
    }
}

extension OpenedSource {
    /// Refuses what cannot leave its folder.
    /// - Parameter mount: that of its destination, to which it moves or is copied.
    func showRemovable(_ request: FilingRequest, from folder: OpenFolder, to mount: UInt64) throws(Refusal) {
        let obstacle = try Refusal.at(request.path, RemovalObstacle.find(status, in: folder))
        if mount != 0, status.mount != 0, mount != status.mount {
            if file == nil, status.kind == .regular { throw .unreadable }
            if obstacle != nil { try request.showWritableInbox() }
            if let obstacle = obstacle ?? innerObstacle { throw Refusal(unremovable: obstacle) }
        } else if folder.changeFailure?.errno.isReadOnly == true, !request.isInWritableInbox {
            // So is its destination, which is what everything waits for.
        } else if let obstacle {
            throw Refusal(.hold(.permission, "it cannot be moved: \(obstacle)"))
        } else if let failure = package?.changeFailure {
            if failure.errno.isReadOnly { throw Refusal(.hold(.permission, "it cannot be moved: \(failure.errno)")) }
            throw Refusal(failure, at: request.path)
        }
    }
}

extension FilingRequest {
    /// The document lies inside the Inbox, which can be changed: if its own folder cannot, that folder is a btrfs
    /// snapshot.
    fileprivate var isInWritableInbox: Bool { folder != nil && openedInbox()?.mayChange == true }

    /// Where the whole Inbox is read-only, everything in it waits for that, and it is no obstacle of one document.
    func showWritableInbox() throws(Refusal) {
        if let failure = openedInbox()?.changeFailure, failure.errno.isReadOnly { throw Refusal(failure, at: inbox) }
    }
}

extension Refusal {
    /// A file that could only move has to be copied.
    static var unreadable: Refusal {
        Refusal(.hold(.permission, "it has to be copied to its destination, and may not be read"))
    }

    /// A document is not copied that could not be removed afterwards.
    init(unremovable obstacle: String) {
        self.init(.hold(.permission, "it would be copied, but could not be removed then: \(obstacle)"))
    }
}

extension OpenFolder {
    /// The reason why this process may not add or remove names in the folder; nil if it may.
    var changeFailure: SyscallError? {
        do throws(SyscallError) {
            try directory.mayChange()
            return nil
        } catch {
            return error
        }
    }

    /// This process may add and remove names in the folder.
    var mayChange: Bool { changeFailure == nil }
}
