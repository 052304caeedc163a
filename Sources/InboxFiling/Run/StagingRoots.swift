import InboxLinux

/// The folders whose staging folders a document may use on its way.
struct StagingRoots {
    /// A folder in which a staging folder may lie.
    struct Root {
        let folder: OpenFolder
        let path: BytePath
        let status: FileStatus

        init(_ folder: OpenFolder, at path: BytePath) throws(SyscallError) {
            self.folder = folder
            self.path = path
            status = try folder.directory.status()
        }

        /// Returns whether both are on one device and mount, so that rename(2) should work.
        func isOnSameMount(_ other: FileStatus) -> Bool {
            status.identity.file.device == other.identity.file.device && status.mount == other.mount
        }

        /// The topmost folder around this one on the same mount, as far as nobody else could exchange those on the way; nil
        /// where there is none inside the root.
        func top(beneath root: BytePath) throws(SyscallError) -> Root? {
            var found: Root?
            while let parent = (found ?? self).path.parent, parent.isInside(root) {
                let folder: OpenFolder
                do throws(SafePathError) { folder = OpenFolder(try SafePath.open(parent)) } catch { break }
                let around = try Root(folder, at: parent)
                guard around.isOnSameMount(status) else { break }
                found = around
            }
            return found
        }
    }

    /// Those that may take the source: the first one to which a rename leads is used.
    let sources: [Root]
    /// The topmost folder on the destination's filesystem, as far as the way to the destination shows: there the copy is
    /// made.
    let target: Root
    /// The source and its destination are on one device and mount.
    let isOnOneMount: Bool

    /// Finds them: for the source Documents, the Inbox, or the top of the mount inside that it lies on, where recovery finds
    /// the staging folder without a journal; and else its own folder.
    /// - Parameter documents: Documents itself, where its staging folder may be used.
    init(
        of prepared: PreparedDocument, in folder: OpenFolder, documents: DestinationRoot?
    ) throws(SyscallError) {
        let request = prepared.request
        let own = try Root(folder, at: request.folderPath)
        var roots: [Root] = []
        if let documents { roots.append(try Root(documents.opened.folder, at: documents.path)) }
        if request.folder != nil, let inbox = request.openedInbox() {
            roots.append(try Root(inbox, at: request.inbox))
        }
        roots = roots.filter { $0.isOnSameMount(own.status) }
        if roots.isEmpty, let top = try own.top(beneath: request.inbox) { roots.append(top) }
        sources = roots + [own]
        let place = try Root(prepared.reached.folder, at: prepared.reached.path)
        isOnOneMount = place.isOnSameMount(own.status)
        var (top, path) = (place, place.path)
        for folder in prepared.reached.way.dropLast().reversed() {
            guard let parent = path.parent else { break }
            path = parent
            let around = try Root(folder, at: path)
            if around.isOnSameMount(place.status) { top = around }
        }
        target = top
    }
}
