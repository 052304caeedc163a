import InboxLinux

/// The folders of the Inboxes that are open during one batch, each shown to be the one that a request means.
package final class SourceFolders {
    /// More are not open at once. Most batches have one folder, and never ask.
    private lazy var limit = min(64, Process.descriptors(oneIn: 16))

    private struct Key: Hashable {
        let inbox: BytePath
        let folder: FilingRequest.FolderLocation?
    }

    private var open: [Key: OpenFolder] = [:]
    /// The one that was asked for last: most documents of a batch lie in one folder.
    private var last: (origin: FilingRequest.Origin, folder: OpenFolder)?

    /// The number of open folders.
    var count: Int { open.count }

    /// Nothing open yet.
    package init() {}

    /// The folder that the document of a request lies in.
    /// - Throws: ``FilingOutcome/changed`` where another folder has its place.
    package func folder(of request: FilingRequest) throws(Refusal) -> OpenFolder {
        if let last, last.origin === request.origin { return last.folder }
        let key = Key(inbox: request.inbox, folder: request.folder)
        if let found = open[key] {
            last = (request.origin, found)
            return found
        }
        let folder: OpenFolder
        let isMeant: Bool
        do throws(SyscallError) {
            folder = OpenFolder(try Self.open(request))
            isMeant =
                try request.folder.map { location throws(SyscallError) in
                    try Self.isFolder(folder, location.key)
                } ?? true
        } catch {
            throw Refusal(error, at: request.folderPath)
        }
        guard isMeant else { throw Refusal(.changed) }
        if !open.isEmpty, open.count >= limit { open.removeAll(keepingCapacity: true) }
        open[key] = folder
        last = (request.origin, folder)
        return folder
    }

    /// The modes of the folders that a document lies in, of those that its destination has under the same names, by their
    /// places there.
    func modes(of request: FilingRequest, in names: [FileName]) throws(SyscallError) -> [Int: UInt32] {
        guard let own = request.folder?.names, !own.isEmpty, own.count <= names.count,
            let first = (0...(names.count - own.count)).last(where: { names[$0...].starts(with: own) })
        else { return [:] }
        var modes: [Int: UInt32] = [:]
        var folder = try Directory.open(path: request.inbox)
        for (index, name) in own.enumerated() {
            folder = try folder.folder(name)
            modes[first + index] = try folder.status().permissions
        }
        return modes
    }

    private static func isFolder(_ folder: OpenFolder, _ key: FileKey) throws(SyscallError) -> Bool {
        let now = try folder.directory.status().identity.file
        if now == key { return true }
        // An overlay's folder is born again when it is copied up.
        guard now.device == key.device, now.inode == key.inode else { return false }
        return try Filesystem(of: folder.directory.descriptor).isLayered
    }

    private static func open(_ request: FilingRequest) throws(SyscallError) -> Directory {
        guard let location = request.folder else { return try Directory.open(path: request.folderPath) }
        let root = try Directory.open(path: request.inbox)
        return location.names.isEmpty ? root : try root.folder(beneath: location.names)
    }
}

extension FilingRequest {
    /// The Inbox, opened where nobody could have led its path astray; nil where somebody could, or it is missing.
    func openedInbox() -> OpenFolder? {
        do throws(SafePathError) { return OpenFolder(try SafePath.open(inbox)) } catch { return nil }
    }
}
