import InboxLinux

/// What came of an intent, by what stands where it says.
enum IntentVerdict {
    /// Where a document was found that has moved.
    struct Moved {
        let source: BytePath
        let path: BytePath
        let folder: OpenFolder
        let name: FileName
        let wanted: FileName

        /// Brings the move to the disk, which nobody knows to have been done: its record must not be there without it.
        func sync(_ synced: inout FolderSyncs) -> SyscallError? {
            // The folders around it may be as new as its name.
            synced.sync(folder, at: path)
                ?? synced.syncAround(path, on: folder)
                ?? synced.syncAround(source, on: folder)
        }
    }

    /// It stands at its destination.
    case moved(Moved)
    /// It stands in the Inbox.
    case stays
    /// It stands in neither place, and its filesystem is there: its owner took it.
    case gone
    /// It cannot be told now, for this reason; whether its destination can be looked at.
    case unknown(String, isThere: Bool)

    /// Looks at both places. An intent that nobody here can have written tells of nothing.
    /// - Parameter begun: when the batch began, whose empty folders are removed; nil long after it.
    init(_ intent: Intent, madeAfter begun: Timestamp?) throws(SyscallError) {
        guard RecordID(intent.id) != nil,
            let source = EscapedBytes.bytes(intent.source).map(BytePath.init(bytes:)),
            let path = EscapedBytes.bytes(intent.destination).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(intent.name).flatMap({ FileName($0) })
        else {
            self = .gone
            return
        }
        var isAtSource = false
        do throws(SyscallError) {
            isAtSource = try Self.stands(intent, at: source)
            self = try Self.atDestination(intent, source, path, wanted, isAtSource, begun)
        } catch {
            // One that cannot be looked at must not keep all the others waiting for ever; want of memory or
            // descriptors passes soon.
            if error.errno.isWantOfResources { throw error }
            self = isAtSource ? .stays : .unknown("\(path): \(error)", isThere: false)
        }
    }

    private static func atDestination(
        _ intent: Intent, _ source: BytePath, _ path: BytePath, _ wanted: FileName, _ isAtSource: Bool,
        _ begun: Timestamp?
    ) throws(SyscallError) -> IntentVerdict {
        let folder: OpenFolder
        do throws(SyscallError) {
            folder = OpenFolder(try Directory.open(path: path.bytes))
        } catch  where error.errno.isAbsent {
            if isAtSource { return .stays }
            // Where the folder itself has gone, the one around it is on the filesystem that it was on.
            return try isOn(intent.home, around: path)
                ? .gone : .unknown("\(path) is missing, on a disk that is not there", isThere: false)
        }
        var found = try Recovery.find(intent.identity, wanted, in: folder.directory)
        if found == nil, let begun {
            found = try Recovery.copiedUp(intent, wanted, in: folder.directory, after: begun, source)
        }
        guard let name = found else {
            if isAtSource {
                if let begun { try Recovery.removeOwnFolder(wanted, in: folder.directory, madeAfter: begun) }
                return .stays
            }
            guard try !folder.directory.filesystemMark().isSame(as: intent.home) else { return .gone }
            return .unknown("\(path) is on another filesystem than before", isThere: true)
        }
        if isAtSource {
            guard try folder.directory.status(of: name).links == intent.links + 1 else { return .stays }
            try removeFirstName(intent, at: source, syncing: folder.directory)
        }
        return .moved(Moved(source: source, path: path, folder: folder, name: name, wanted: wanted))
    }

    /// Whether the nearest folder around a path that is there lies on this filesystem.
    static func isOn(_ home: FilesystemMark, around path: BytePath) throws(SyscallError) -> Bool {
        var path = path
        while let parent = path.parent {
            do throws(SyscallError) {
                return try Directory.open(path: parent.bytes).filesystemMark().isSame(as: home)
            } catch  where error.errno.isAbsent {
                path = parent
            }
        }
        return false
    }

    private static func stands(_ intent: Intent, at path: BytePath) throws(SyscallError) -> Bool {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return false }
        do throws(SyscallError) {
            return try intent.identity.isStill(name, in: try Directory.open(path: parent.bytes))
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    /// Ends the move of a document that got its second name just before the interruption, where the filesystem knows
    /// no rename that does not replace. Filed anew it would end as a twin.
    private static func removeFirstName(
        _ intent: Intent, at path: BytePath, syncing folder: borrowing Directory
    ) throws(SyscallError) {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return }
        try folder.sync()
        let around = try Directory.open(path: parent.bytes)
        if try intent.identity.isStill(name, in: around) { try around.removeFile(name) }
    }
}
