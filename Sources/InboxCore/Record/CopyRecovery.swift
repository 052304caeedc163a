import InboxDetection
import InboxLinux

/// Finishes or undoes the copies that an interruption left behind.
///
/// The marks of a copy are in the journal before it gets its name, and after its content is on the disk. So:
///
/// * no marks, or no file with them: the copy was not published. A hidden temporary goes; the source is as it was.
/// * a file with the marks under the hidden name alone: the same.
/// * a file with the marks under another name: it was published. It is recorded, unless it is already, and the source
///   goes if it still stands and is the same; a hidden name of the copy goes too.
///
/// Every step may be the last one: the records come first, and the journal is cleared when all is done, so that another
/// run does what is left and nothing twice.
enum CopyRecovery {
    /// What was found.
    struct Findings {
        var records: [FiledRecord] = []
        var notices: [String] = []
        /// Copies of which it cannot be told yet what came of them, or that cannot be ended yet, and why.
        var open: [(intent: CopyIntent, reason: String)] = []
    }

    /// A copy that was published.
    struct Published {
        let intent: CopyIntent
        let source: BytePath
        let folder: OpenFolder
        let name: FileName

        /// The source as it was copied.
        var wanted: FileIdentity { intent.intent.identity }
    }

    /// Completes the history, removes what is left over, and clears the journal of all that could be ended.
    /// - Parameter accepting: takes what stands at a destination now for what belongs there.
    static func run(
        _ journal: CopyJournal, _ history: History, _ detector: Detector, inboxes: [BytePath],
        accepting: Bool = false
    ) throws(SyscallError) -> Findings {
        var findings = Findings()
        let intents = try journal.leftOver()
        // Written just before the first copy got its name.
        let begun = try journal.lastWritten()
        if !intents.isEmpty {
            let recorded = try history.recorded(intents.map(\.intent))
            var places: [Place] = []
            var synced: Set<UInt64> = []
            for intent in intents {
                try attempt(intent, &findings) { (findings) throws(SyscallError) in
                    switch try look(intent, accepting: accepting) {
                    case .found(let place):
                        if let published = place.published { try syncFilesystem(of: published.folder, &synced) }
                        places.append(place)
                    case .gone: places.append(Place(intent: intent, folder: nil, published: nil))
                    case .away(let reason): findings.open.append((intent, reason))
                    }
                }
            }
            for published in places.compactMap(\.published) where !recorded.contains(published.intent.intent.id) {
                if let record = record(published, detector) { findings.records.append(record) }
            }
            // A record that is not on the disk yet must not outlive its source there.
            if places.contains(where: { $0.published != nil }) { try history.sync() }
            try history.append(Array(findings.records.map(\.line).joined()), isDurable: true)
            let filed = recorded.union(findings.records.map(\.id.text))
            for place in places {
                try attempt(place.intent, &findings) { (findings) throws(SyscallError) in
                    let source = try CopiedSource.find(place.intent, in: inboxes, accepting: accepting)
                    let isFiled = filed.contains(place.intent.intent.id)
                    try end(place, source, isFiled: isFiled, &findings)
                    try removeTemporary(place, announced: begun)
                }
            }
        }
        try journal.settle(isOpen: !findings.open.isEmpty)
        return findings
    }

    /// A name that is not on the disk yet must not outlive its source there. Each filesystem once: folders around the
    /// last one may be as new as the name.
    private static func syncFilesystem(of folder: OpenFolder, _ synced: inout Set<UInt64>) throws(SyscallError) {
        let device = try folder.directory.status().identity.file.device
        guard !synced.contains(device) else { return }
        guard try folder.isSyncedAsWhole else { return try folder.syncAlone() }
        try folder.syncFilesystem()
        synced.insert(device)
    }

    /// One copy that cannot be looked at or ended must not keep all the others waiting; want of memory or descriptors
    /// passes soon.
    private static func attempt(
        _ intent: CopyIntent, _ findings: inout Findings, _ body: (inout Findings) throws(SyscallError) -> Void
    ) throws(SyscallError) {
        do throws(SyscallError) { try body(&findings) } catch {
            if error.errno.isWantOfResources { throw error }
            findings.open.append((intent, "\(intent.intent.destination): \(error)"))
        }
    }

    /// Ends what the source waits for. What is recorded was on the disk before, and goes even where its owner has taken
    /// the copy since.
    private static func end(
        _ place: Place, _ source: CopiedSource.Place, isFiled: Bool, _ findings: inout Findings
    ) throws(SyscallError) {
        switch source {
        case .gone: break
        case .away(let reason): findings.open.append((place.intent, reason))
        case .at(let source) where isFiled:
            if let notice = try source.remove(comparedTo: try place.published.flatMap(package)) {
                findings.notices.append(notice)
            }
        case .at(let source): try source.putBack()
        }
    }

    /// The copy of a package, open; nil for everything else.
    private static func package(_ published: Published) throws(SyscallError) -> OpenFolder? {
        do throws(SyscallError) {
            return OpenFolder(try published.folder.directory.folder(published.name))
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// The destination of a copy, and the copy where it was published.
    private struct Place {
        let intent: CopyIntent
        /// Nil where the folder is gone.
        let folder: OpenFolder?
        let published: Published?
    }

    private enum Look {
        case found(Place)
        /// Its destination is gone, and everything with it.
        case gone
        /// The disk is not there, in words.
        case away(String)
    }

    /// Looks for the copy at its destination, by its marks.
    private static func look(_ intent: CopyIntent, accepting: Bool) throws(SyscallError) -> Look {
        guard let source = EscapedBytes.bytes(intent.intent.source).map(BytePath.init(bytes:)),
            let path = EscapedBytes.bytes(intent.intent.destination).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(intent.intent.name).flatMap({ FileName($0) })
        else { return .gone }
        let folder: OpenFolder
        do throws(SyscallError) {
            folder = OpenFolder(try Directory.open(path: path.bytes))
        } catch  where error.errno.isAbsent {
            guard let home = intent.home, !accepting else { return .gone }
            return try IntentVerdict.isOn(home, around: path)
                ? .gone : .away("\(path) is missing, on a disk that is not there")
        }
        if let copy = intent.copy,
            let name = try Recovery.find(copy, wanted, in: folder.directory, except: intent.temporary)
        {
            let published = Published(intent: intent, source: source, folder: folder, name: name)
            return .found(Place(intent: intent, folder: folder, published: published))
        }
        if !accepting, let home = intent.home, try !folder.directory.filesystemMark().isSame(as: home) {
            return .away("\(path) is on another filesystem than before")
        }
        return .found(Place(intent: intent, folder: folder, published: nil))
    }

    private static func record(_ found: Published, _ detector: Detector) -> FiledRecord? {
        guard let id = RecordID(found.intent.intent.id),
            let path = EscapedBytes.bytes(found.intent.intent.destination).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(found.intent.intent.name).flatMap({ FileName($0) })
        else { return nil }
        return Recovery.record(
            id, from: found.source, to: path, found.name, wanted: wanted, size: found.intent.intent.size,
            in: found.folder.directory, detector)
    }

    /// Removes what has the hidden name, and the empty folder that was made for a package to be renamed over it.
    private static func removeTemporary(_ place: Place, announced: Timestamp) throws(SyscallError) {
        guard let temporary = place.intent.temporary, let folder = place.folder else { return }
        do throws(SyscallError) {
            if !CopyTarget.isTemporary(temporary) {
                try removeUnfinished(temporary, place.intent, in: folder.directory, announced: announced)
                return
            }
            switch try folder.directory.status(of: temporary).kind {
            case .regular, .symlink: try folder.directory.removeFile(temporary)
            case .directory:
                if let wanted = EscapedBytes.bytes(place.intent.intent.name).flatMap({ FileName($0) }) {
                    try Recovery.removeOwnFolder(wanted, in: folder.directory, madeAfter: announced)
                }
                try FolderRemoval.remove(temporary, in: folder)
            case .special: break
            }
        } catch  where error.errno.isAbsent {
            // It was never made, or it has its own name now.
        }
    }

    /// Removes an unfinished copy that has its own name already, if it is known as such: by its marks, or where the
    /// interruption came before they were written down, as an empty file of this user's that is as young as that.
    private static func removeUnfinished(
        _ name: FileName, _ intent: CopyIntent, in folder: borrowing Directory, announced: Timestamp
    ) throws(SyscallError) {
        let now = try folder.status(of: name)
        // Filesystems of this kind round times to 2 s.
        let isYoung = now.identity.modified.seconds + 2 >= announced.seconds
        let isOwn =
            intent.copy.map { $0.file.inode == now.identity.file.inode && $0.file.birth == now.identity.file.birth }
            ?? (isYoung && now.kind == .regular && now.size == 0 && now.owner == Process.user)
        if isOwn { try folder.removeFile(name) }
    }
}
