import InboxConfiguration
import InboxFiling
import InboxLinux

/// The walked folders of all Inboxes. Only this class maps watch numbers and keys to folders.
final class WatchedTree {
    private static let folderEvents: InotifyMask = [
        .created, .movedTo, .movedFrom, .deleted, .closedAfterWriting, .attributes, .onlyFolder, .excludeUnlinked,
    ]
    private static let topEvents: InotifyMask = folderEvents.union([.selfDeleted, .selfMoved])

    /// The folders that are open at the moment.
    let openFolders: OpenFolders
    /// More folders are not walked at once: whoever creates a million of them gets no more memory.
    var mostFolders = 100_000
    private let inotify: Inotify?
    /// Folders without a watch are counted as unwatched.
    private let expectsEvents: Bool
    private let report: IntakeReport
    private var table = FolderTable()
    private var byWatch = WatchTable()
    private var isLimitReached = false

    /// A tree without folders.
    /// - Parameters:
    ///   - expectsEvents: whether a folder without a watch has to be polled.
    ///   - mounts: those of servers and programs.
    init(inotify: Inotify?, expectsEvents: Bool, on mounts: ForeignMounts? = nil, report: IntakeReport) {
        openFolders = OpenFolders(on: mounts)
        self.inotify = inotify
        self.expectsEvents = expectsEvents
        self.report = report
    }

    /// The walked folder that this is.
    func folder(_ key: FileKey) -> Folder? { table[key] }

    /// The keys of all walked folders.
    var keys: Set<FileKey> { Set(table.byKey.keys) }

    /// Every walked folder.
    var folders: Dictionary<FileKey, Folder>.Values { table.byKey.values }

    /// No more folders are walked.
    var isFull: Bool { table.byKey.count >= mostFolders }

    /// There is room for a tenth of all folders.
    var hasRoom: Bool { table.byKey.count < mostFolders / 10 * 9 }

    /// Folders of the owner who has most, whose place a new one of another owner in this folder takes: so many at once that
    /// all are inspected once for a 64th of them.
    func folders(givingRoomTo owner: UInt32, in parent: Folder, isFree: (Folder) -> Bool) -> [Folder] {
        table.giving(max(1, mostFolders / 64), for: owner, besides: parent, isFree: isFree)
    }

    /// The limit that is exceeded, in words.
    var limitText: String { "more than \(mostFolders) folders are there" }

    /// Returns the error that denies reading the folder with a name in a walked one; nil if it may be read, or
    /// something else is wrong with it.
    func denial(of name: FileName, in folder: Folder) -> SyscallError? {
        do throws(FolderError) {
            let opened = try open(folder)
            try openFolders.enter(folder.path(of: name)) { (mayCross) throws(SyscallError) in
                // Opened anew, as it is for a reading: that takes the right to search it too.
                _ = try opened.directory.folder(name, mayCross: mayCross).folder(beneath: [])
            }
            return nil
        } catch {
            guard case .failed(let error) = error, error.errno.isDenied else { return nil }
            return error
        }
    }

    /// Returns true if a walked folder may not be read.
    func isDenied(_ folder: Folder) -> Bool {
        do throws(FolderError) {
            let opened = try open(folder)
            try openFolders.call(at: folder.bytePath) { () throws(SyscallError) in
                _ = try opened.directory.folder(beneath: [])
            }
            return false
        } catch {
            if case .failed(let error) = error { return error.errno.isDenied }
            return false
        }
    }

    /// Opens a walked folder.
    func open(_ folder: Folder) throws(FolderError) -> OpenFolder { try openFolders.directory(folder) }

    /// The status of a name in a walked folder.
    func status(of name: FileName, in folder: Folder) throws(FolderError) -> FileStatus {
        guard let mount = openFolders.mount(of: name, in: folder) else {
            return try openFolders.status(of: name, in: folder)
        }
        let opened = try open(folder)
        let isFresh = folder.isForeign
        return try openFolders.call(on: mount) { () throws(SyscallError) in
            try opened.directory.status(of: name, isFresh: isFresh)
        }
    }

    /// Walks a folder from now on: it is watched before it is read.
    func enter(
        _ status: FileStatus, at location: Folder.Location, in inbox: Inbox, moment: Moment
    ) -> Folder {
        let key = status.identity.file
        let folder = Folder(
            inbox: inbox, location: location, key: key, owner: status.owner, isMountTop: status.isMountTop,
            touched: moment.now)
        if let parent = folder.parent { parent.folder.position.folders[parent.name] = folder }
        table[key] = folder
        inbox.coverage.folderCount += 1
        if expectsEvents { inbox.coverage.unwatchedCount += 1 }
        noteFilesystem(folder)
        watch(folder)
        return folder
    }

    /// Moves a walked folder to another place in the same Inbox: it keeps its watch. False where it lies around that
    /// place: two mounts of one tree can make it appear so.
    func move(_ folder: Folder, into parent: Folder, as name: FileName) -> Bool {
        var ancestor: Folder? = parent
        while let current = ancestor {
            if current === folder { return false }
            ancestor = current.parent?.folder
        }
        if let former = folder.parent { detach(folder, from: former) }
        folder.position.location = .inside(parent, name)
        parent.position.folders[name] = folder
        openFolders.clear()
        return true
    }

    /// Another folder has the name of a walked one, which may have been renamed: it stays what it is until it turns up under
    /// another name, or that time is over.
    func displace(_ folder: Folder, until due: Instant) {
        if let parent = folder.parent { detach(folder, from: parent) }
        openFolders.clear()
        table.displaced.append((folder, due))
    }

    /// When the next of them has to have turned up.
    var nextDisplacement: Instant { table.displaced.first?.due ?? .never }

    /// Those of them that have not turned up in their time.
    func takeDisplaced(at now: Instant) -> [Folder] {
        let due = table.displaced.prefix { $0.due <= now }.map(\.folder)
        table.displaced.removeFirst(due.count)
        return due.filter { folder in
            !folder.isGone && folder.parent.map { $0.folder.folders[$0.name] !== folder } ?? false
        }
    }

    private func detach(_ folder: Folder, from parent: (folder: Folder, name: FileName)) {
        if parent.folder.folders[parent.name] === folder { parent.folder.position.folders[parent.name] = nil }
    }

    /// A folder has left the tree; returns it and all folders that were in it.
    func remove(_ folder: Folder) -> [Folder] {
        if let parent = folder.parent { detach(folder, from: parent) }
        var removed: [Folder] = []
        var rest = [folder]
        while let next = rest.popLast() {
            next.position.isGone = true
            openFolders.forget(next)
            report.end(.folder(next.key))
            if !next.isAround { next.inbox.coverage.folderCount -= 1 }
            endWatch(of: next)
            removed.append(next)
            rest.append(contentsOf: next.folders.values)
        }
        return removed
    }

    private func endWatch(of folder: Folder) {
        let watch = folder.position.watch
        let twin = watch.flatMap { byWatch.remove(folder, $0) }
        if table[folder.key] === folder { table[folder.key] = twin }
        if let watch {
            if twin == nil { retire(watch) }
        } else if expectsEvents, !folder.isAround {
            folder.inbox.coverage.unwatchedCount -= 1
        }
    }

    private func retire(_ watch: Int32) {
        byWatch.retire(watch)
        inotify?.unwatch(watch)
    }
}

// The numbers of watches.
extension WatchedTree {
    /// The watches that there are.
    var watches: Dictionary<Int32, Folder>.Keys { byWatch.watches }

    /// The folders that an event of this watch is about.
    func folders(of watch: Int32) -> [Folder] { byWatch[watch] }

    /// Returns true if an event without a folder belongs to a watch that was ended here, or is the last one of any
    /// watch, which the kernel marks.
    func isRetired(_ watch: Int32, isLast: Bool) -> Bool { byWatch.isRetired(watch, isLast: isLast) }

    /// Requests the events of a folder; where there are none to be had it is polled.
    /// - Returns: false where no more watches are to be had by anybody.
    @discardableResult
    func watch(_ folder: Folder) -> Bool {
        guard let inotify, folder.position.watch == nil else { return true }
        do throws(FolderError) {
            adopt(try request(folder, from: inotify.watches), of: folder)
            if folder.position.watchFailure != nil {
                folder.position.watchFailure = nil
                report.end(.folder(folder.key))
            }
        } catch {
            guard case .failed(let error) = error else { return true }
            if error.isWantOfWatches {
                isLimitReached = true
                return false
            } else if error.errno.isWantOfDescriptors {
                report.noteShortage()
            } else if !error.errno.isAbsent {
                // Reported once it has been read: what cannot be read is reported as that.
                folder.position.watchFailure = error.errno
            }
        }
        return true
    }

    private func request(_ folder: Folder, from watches: InotifyWatches) throws(FolderError) -> Int32 {
        let mask = folder.parent == nil ? Self.topEvents : Self.folderEvents
        let opened = try open(folder)
        return try openFolders.call(at: folder.bytePath) { () throws(SyscallError) in
            try watches.add(opened.directory.descriptor, for: mask)
        }
    }

    /// The kernel's queue overflowed: that a watch has ended may have been among what was lost.
    func noteLoss() { byWatch.noteLoss() }

    /// Requests the events of a folder anew, if that its watch has ended may have been lost: a watch that is there keeps its
    /// number.
    func renewWatch(of folder: Folder) {
        guard let inotify, let former = folder.position.watch, folder.position.losses != byWatch.losses else { return }
        folder.position.losses = byWatch.losses
        do throws(FolderError) {
            let watch = try request(folder, from: inotify.watches)
            guard watch != former else { return }
            lostWatch(former, of: folder)
            adopt(watch, of: folder)
        } catch {
            // Only a watch that has ended needs room for another one; of any other failure the reading reports.
            guard case .failed(let error) = error, error.isWantOfWatches else { return }
            lostWatch(former, of: folder)
            isLimitReached = true
        }
    }

    /// A folder's events have this number.
    func adopt(_ watch: Int32, of folder: Folder) {
        byWatch.add(folder, watch)
        folder.position.watch = watch
        folder.position.losses = byWatch.losses
        if expectsEvents { folder.inbox.coverage.unwatchedCount -= 1 }
    }

    /// The kernel has ended the watch of a folder.
    func lostWatch(_ watch: Int32, of folder: Folder) {
        byWatch.remove(folder, watch)
        guard folder.position.watch == watch else { return }
        folder.position.watch = nil
        if expectsEvents { folder.inbox.coverage.unwatchedCount += 1 }
    }

    /// Watches the folder around some Inboxes. An Inbox itself reports its removal only when nobody is in it any
    /// more; the reappearance of a missing one is reported by the folder around it.
    ///
    /// Documents that are filed into that folder cause no events, since new names are requested only while an Inbox
    /// is missing.
    /// - Parameters:
    ///   - siblings: the Inboxes in it.
    ///   - inboxes: all Inboxes.
    func watchAround(_ parent: BytePath, _ siblings: [Inbox], among inboxes: [Inbox]) {
        guard let inotify else { return }
        let former = Set(siblings.compactMap(\.coverage.aroundWatch))
        var mask: InotifyMask = [.deleted, .movedFrom, .selfDeleted, .selfMoved, .onlyFolder]
        if siblings.contains(where: { $0.appointments.missingSince != nil }) { mask.formUnion([.created, .movedTo]) }
        do throws(FolderError) {
            let (watches, mask) = (inotify.watches, mask)
            let watch = try openFolders.call(at: parent) { () throws(SyscallError) in
                try watches.add(try Directory.open(path: parent).descriptor, for: mask)
            }
            for sibling in siblings { sibling.coverage.aroundWatch = watch }
        } catch {
            // Without it the removal is found by the next inspection or the next safety scan.
            for sibling in siblings { sibling.coverage.aroundWatch = nil }
        }
        // Another folder may be there now: nobody waits for the events of the one before.
        for watch in former { retireAround(watch, unlessOf: inboxes) }
    }

    /// Ends the watch around an Inbox, unless others need it.
    func unwatchAround(_ inbox: Inbox, others: [Inbox]) {
        guard let watch = inbox.coverage.aroundWatch else { return }
        inbox.coverage.aroundWatch = nil
        retireAround(watch, unlessOf: others)
    }

    private func retireAround(_ watch: Int32, unlessOf inboxes: [Inbox]) {
        // A folder that was moved into an Inbox keeps the number that it had as the one around it.
        guard byWatch[watch].isEmpty, !inboxes.contains(where: { $0.coverage.aroundWatch == watch }) else { return }
        retire(watch)
    }

    /// A mount inside an Inbox may be one whose changes send no events, though the Inbox around it sends them.
    ///
    /// Nor does a lease there show that nobody writes.
    func noteFilesystem(_ folder: Folder) {
        guard folder.inbox.coverage.filesystems[folder.key.device] == nil else { return }
        let filesystem: Filesystem
        do throws(FolderError) { filesystem = try self.filesystem(of: folder) } catch {
            // It cannot be read either then: asked again when it can.
            return
        }
        folder.inbox.coverage.filesystems[folder.key.device] = filesystem
        if let name = filesystem.nameWithoutEvents, inotify != nil, folder.inbox.settings.poll == .auto {
            report.add(.notice("\(folder.bytePath) is on \(name), which reports no changes: it is polled"))
        }
    }

    private func filesystem(of folder: Folder) throws(FolderError) -> Filesystem {
        let opened = try open(folder)
        return try openFolders.call(at: folder.bytePath) { () throws(SyscallError) in
            try Filesystem(of: opened.directory.descriptor)
        }
    }

    /// Determines the filesystems of an Inbox anew after its mounts have changed. Those that are gone are forgotten,
    /// since another filesystem may have their device numbers now.
    func noteFilesystemsAgain(of inbox: Inbox) {
        var found: [UInt64: Filesystem] = [:]
        var rest = [inbox.top, inbox.around].compactMap { $0 }
        while let folder = rest.popLast() {
            rest += folder.folders.values
            let device = folder.key.device
            guard found[device] == nil, let known = inbox.coverage.filesystems[device] else { continue }
            do throws(FolderError) { found[device] = try filesystem(of: folder) } catch {
                if !error.isAbsent { found[device] = known }
            }
        }
        inbox.coverage.filesystems = found
    }

    /// Nothing is known of an Inbox's filesystems any more.
    func forgetFilesystems(of inbox: Inbox) { inbox.coverage.filesystems = [:] }

    /// Reports how many watches are missing, once everything is read; or that there are enough again.
    func reportWatches(of inboxes: [Inbox]) {
        guard inotify != nil else { return }
        let missing = inboxes.reduce(0) { $0 + $1.coverage.unwatchedCount }
        if missing == 0 {
            isLimitReached = false
            report.end(.watchLimit)
        } else if isLimitReached {
            let count = inboxes.reduce(0) { $0 + $1.coverage.folderCount }
            let isPolled = inboxes.allSatisfy { $0.coverage.unwatchedCount == 0 || $0.isPolled }
            report.beginOnce(
                .watchLimit,
                "\(missing) of \(count) folders cannot be watched and are "
                    + (isPolled ? "polled" : "read only at the safety scan, since Poll=off")
                    + ": fs.inotify.max_user_watches is reached; raise it by at least \(missing) with sysctl(8)")
        }
    }
}

extension SyscallError {
    /// No more watches are available.
    fileprivate var isWantOfWatches: Bool { call == .inotifyAddWatch && errno == .noSpace }
}
