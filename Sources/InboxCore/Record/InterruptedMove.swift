import InboxFiling
import InboxLinux

/// The place of a document whose move was interrupted, and of the files that belong to it.
struct InterruptedMove {
    /// Where the document is.
    fileprivate enum Place {
        /// It is at its destination.
        case moved(MovedDocument)
        /// It is in the Inbox.
        case stays
        /// It is in neither place though its filesystem is mounted: its owner moved or removed it.
        case gone
        /// It cannot be found out now, for this reason; whether its destination can be inspected.
        case unknown(String, isThere: Bool)
    }

    private let intent: JournalEntry
    private var place: Place
    /// The files that belong to it; nil where there are none, or nobody knows where it is.
    private var unit: InterruptedUnit?
    /// The names of these beside it at its destination.
    private(set) var members: [FileName] = []

    /// Inspects both places.
    init(_ intent: JournalEntry, in recovery: Recovery, _ search: inout FolderSearch) throws(SyscallError) {
        self.intent = intent
        place = try Place(intent, in: recovery, &search)
        if case .unknown = place { return }
        unit = try InterruptedUnit(intent, in: recovery, &search)
        if case .moved = place { members = unit?.namesThere ?? [] }
    }

    /// Where it was found, if it has moved.
    var moved: MovedDocument? { if case .moved(let document) = place { document } else { nil } }

    /// The reason why its place cannot be found out, in words; nil where it was.
    var absentReason: String? { if case .unknown(let reason, _) = place { reason } else { nil } }

    /// Gives it up where it is not at its destination, though that can be inspected.
    /// - Returns: whether it was given up.
    mutating func accept() -> Bool {
        guard case .unknown(_, isThere: true) = place else { return false }
        place = .gone
        return true
    }

    /// Returns what the table of recovery has to know.
    /// - Parameters:
    ///   - isPublished: whether this run has seen it at its destination.
    ///   - others: what other daemons of its Inbox may have done.
    func state(isRecorded: Bool, isPublished: Bool, _ others: OtherDaemons) -> RecoveryState {
        var state = RecoveryState(.rename, unsyncedBoot: intent.unsyncedBoot, isRecorded: isRecorded)
        (state.source, state.copy) =
            switch place {
            case .moved: (.gone, .marked)
            case .stays: (.inInbox, .none)
            case .gone: (.gone, isPublished ? .byThisRun : .none)
            case .unknown: (.away, .none)
            }
        if case .moved = place, state.record == .missing, state.doubt == .none, !isPublished, intent.undoes == nil {
            state.record = others.record(of: intent.id)
        }
        if let unit, unit.isApart(from: moved?.name, isInInbox: state.source == .inInbox) { state.source = .apart }
        return state
    }

    /// Brings it and the files that belong to it together.
    mutating func join() throws(SyscallError) {
        defer { unit = nil }
        switch place {
        case .moved(let document): members = try unit?.follow(to: document.name) ?? []
        case .stays: if let found = try unit?.goForward() { (place, members) = (.moved(found.0), found.1) }
        case .gone: try unit?.bringBack()
        case .unknown: break
        }
    }
}

extension InterruptedMove.Place {
    fileprivate init(_ intent: JournalEntry, in recovery: Recovery, _ search: inout FolderSearch) throws(SyscallError) {
        guard let parent = intent.source.parent, let name = FileName(intent.source.lastComponent) else {
            self = .gone
            return
        }
        var folder: OpenFolder?
        do throws(SafePathError) { folder = OpenFolder(try recovery.openSource(parent)) } catch {
            switch error {
            case .failed(_, let error) where error.errno.isAbsent: break
            case .failed(_, let error) where error.errno.isWantOfResources: throw error
            default:
                self = .unknown("\(error)", isThere: false)
                return
            }
        }
        let first = FirstName(name: name, identity: intent.identity, folder: folder)
        var source: FileStatus?
        do throws(SyscallError) {
            source = try first.status()
            self = try Self.atDestination(intent, first, source, recovery, &search)
            // A package that was not surveyed to its end counts as another one.
            if case .gone = self, recovery.abandonment.isRequested {
                self = .unknown("the daemon was asked to end", isThere: false)
            }
        } catch {
            // One that cannot be inspected must not keep all the others waiting for ever; want of memory or descriptors
            // passes soon.
            if error.errno.isWantOfResources { throw error }
            self = source != nil ? .stays : .unknown("\(intent.destination): \(error)", isThere: false)
        }
    }

    private static func atDestination(
        _ intent: JournalEntry, _ first: FirstName, _ source: FileStatus?, _ recovery: Recovery,
        _ search: inout FolderSearch
    ) throws(SyscallError) -> Self {
        let path = intent.destination
        let folder: OpenFolder
        do throws(SyscallError) {
            guard let found = try recovery.openDestination(of: intent) else {
                return .unknown("the path \(path) is not safe", isThere: false)
            }
            folder = found
        } catch  where error.errno.isAbsent {
            if source != nil { return .stays }
            // Where the folder itself has gone, the one around it is on the filesystem that it was on.
            return try intent.filesystem.isAround(path)
                ? .gone : .unknown("\(path) is missing, on a disk that is absent", isThere: false)
        }
        if let source {
            // A move without rename gives it a second name before it takes the first one away.
            guard source.links == intent.links &+ 1, let name = try search.name(of: intent, in: folder) else {
                return .stays
            }
            // Filed anew it would end as a twin.
            try folder.directory.sync()
            try first.remove()
            return .moved(MovedDocument(intent: intent, folder: folder, name: name))
        }
        var name = try search.name(of: intent, in: folder)
        if name == nil {
            let filesystem = try Filesystem(of: folder.directory.descriptor)
            name = try InterruptedMove.renumbered(intent, in: folder, on: filesystem, search)
        }
        if let name { return .moved(MovedDocument(intent: intent, folder: folder, name: name)) }
        return try folder.directory.filesystemMark().isSame(as: intent.filesystem)
            ? .gone : .unknown("\(path) is on another filesystem than before", isThere: true)
    }
}

extension InterruptedMove {
    /// The name of a document that has another number at its destination, and no name in the Inbox any more: an overlay
    /// copied it up after the move began, or the filesystem numbers its files anew whenever it is mounted, as FAT and exFAT
    /// do. It has its size and its time.
    static func renumbered(
        _ intent: JournalEntry, in folder: OpenFolder, on filesystem: Filesystem, _ search: FolderSearch
    ) throws(SyscallError) -> FileName? {
        guard filesystem.isLayered || !filesystem.hasLastingInodes, try isAbsent(intent.source) else { return nil }
        let known = intent.identity
        func isSame(_ name: FileName) throws(SyscallError) -> Bool {
            do throws(SyscallError) {
                let status = try folder.directory.status(of: name)
                let birth = status.identity.file.birth
                let isBornSo =
                    birth.map { filesystem.isLayered ? $0 >= intent.begun : $0 == known.file.birth } == true
                let now = isBornSo ? try FileIdentity.whole(name, status, in: folder.directory) : nil
                return now?.size == known.size && now?.modified == known.modified
            } catch  where error.errno.isAbsent || error.errno.isClosed {
                return false
            }
        }
        return try isSame(intent.wanted) ? intent.wanted : try search.row(of: intent.wanted, in: folder, isSame)
    }

    private static func isAbsent(_ path: BytePath) throws(SyscallError) -> Bool {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return true }
        do throws(SyscallError) { return try !Directory.open(path: parent).has(name) } catch
            where error.errno.isAbsent
        {
            return true
        }
    }
}

/// The name in the Inbox that a document had before its move.
private struct FirstName {
    let name: FileName
    let identity: FileIdentity
    /// Nil where it is gone.
    let folder: OpenFolder?

    /// The document's where it still has the name.
    func status() throws(SyscallError) -> FileStatus? {
        guard let folder else { return nil }
        do throws(SyscallError) {
            return try identity.isStill(name, in: folder.directory) ? try folder.directory.status(of: name) : nil
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Takes the name away from a document that has another one.
    func remove() throws(SyscallError) {
        if let folder, try identity.isStill(name, in: folder.directory) { try folder.directory.removeFile(name) }
    }
}

/// Where a document was found that has moved.
struct MovedDocument {
    let intent: JournalEntry
    let folder: OpenFolder
    let name: FileName

    /// Syncs the move, which may not be on the disk: without it there must be no record of it.
    func sync(_ synced: inout FolderSyncs) -> SyscallError? {
        // The folders around it may be as new as its name.
        synced.sync(folder, at: intent.destination)
            ?? synced.syncAround(intent.destination, on: folder)
            ?? synced.syncAround(intent.source, on: folder)
    }
}

extension FilesystemMark {
    /// Returns whether the nearest folder around a path that is there lies on this filesystem.
    func isAround(_ path: BytePath) throws(SyscallError) -> Bool {
        var path = path
        while let parent = path.parent {
            do throws(SyscallError) {
                return try Directory.open(path: parent).filesystemMark().isSame(as: self)
            } catch  where error.errno.isAbsent {
                path = parent
            }
        }
        return false
    }
}

extension FileIdentity {
    /// Returns whether what has a name is this file or package, whatever its device is numbered now.
    func isStill(_ name: FileName, in folder: borrowing Directory) throws(SyscallError) -> Bool {
        let status = try folder.status(of: name)
        if isStill(status.identity) { return true }
        guard status.kind == .directory, file.birth == nil, file.inode == status.identity.file.inode else {
            return false
        }
        return try Self.whole(name, status, in: folder).map(isStill) ?? false
    }

    /// The marks of what has a name and this status: those of a package that is moved are of all that is in it. Nil for one
    /// that has grown beyond what is surveyed.
    fileprivate static func whole(
        _ name: FileName, _ status: FileStatus, in folder: borrowing Directory
    ) throws(SyscallError) -> FileIdentity? {
        guard status.kind == .directory else { return status.identity }
        return try FolderWalk.whole { () throws(FolderWalk.Failure) in
            try PackageSurvey(of: FolderWalk.Failure.of(folder.folder(name)))
        }?.status.identity
    }

    /// Returns whether another state is one of this file: by inode and birth, since whoever waited for the lease may
    /// have written to it as soon as it had moved; by size and time too where the filesystem keeps no birth. Not by the
    /// device, since a machine that starts anew may number its devices anew.
    private func isStill(_ other: FileIdentity) -> Bool {
        guard other.file.inode == file.inode else { return false }
        if let birth = file.birth { return other.file.birth == birth }
        return other.size == size && other.modified == modified
    }
}
