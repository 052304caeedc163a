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

    /// Completes the history, removes what is left over, and clears the journal.
    static func run(
        _ journal: CopyJournal, _ history: History, _ detector: Detector
    ) throws(SyscallError) -> Findings {
        var findings = Findings()
        let intents = try journal.leftOver()
        // Written just before the first copy got its name.
        let begun = try journal.lastWritten()
        if !intents.isEmpty {
            let recorded = String(decoding: try history.tail(Recovery.tail), as: UTF8.self)
            var published: [Published] = []
            for intent in intents {
                guard let found = try find(intent) else {
                    // A disk that is not there now: a later start finds it.
                    if intent.copy != nil, try !isThere(intent) { journal.keep() }
                    continue
                }
                published.append(found)
                if !recorded.contains("\"id\":\"\(intent.intent.id)\""), let record = record(found, detector) {
                    findings.records.append(record)
                }
            }
            // A name that is not on the disk yet must not outlive its source there.
            for found in published { try found.folder.directory.sync() }
            try history.append(Array(findings.records.map(\.line).joined()), isDurable: true)
            for found in published {
                if let notice = try CopiedSource.remove(found) { findings.notices.append(notice) }
            }
            for intent in intents { try removeTemporary(intent, announced: begun) }
        }
        try journal.clear()
        return findings
    }

    private static func folder(_ intent: CopyIntent) throws(SyscallError) -> OpenFolder? {
        guard let path = EscapedBytes.bytes(intent.intent.destination) else { return nil }
        do throws(SyscallError) {
            return OpenFolder(try Directory.open(path: path))
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Whether the filesystem of the copy is the one that stands at its destination.
    private static func isThere(_ intent: CopyIntent) throws(SyscallError) -> Bool {
        try folder(intent)?.directory.status().identity.file.device == intent.copy?.file.device
    }

    /// The published copy, by its marks.
    private static func find(_ intent: CopyIntent) throws(SyscallError) -> Published? {
        guard let copy = intent.copy, let source = EscapedBytes.bytes(intent.intent.source).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(intent.intent.name).flatMap({ FileName($0) }),
            let folder = try folder(intent),
            let name = try Recovery.find(copy, wanted, in: folder.directory, except: intent.temporary)
        else { return nil }
        return Published(intent: intent, source: source, folder: folder, name: name)
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
    private static func removeTemporary(_ intent: CopyIntent, announced: Timestamp) throws(SyscallError) {
        guard let temporary = intent.temporary, let folder = try folder(intent) else { return }
        do throws(SyscallError) {
            if !CopyTarget.isTemporary(temporary) {
                try removeUnfinished(temporary, intent, in: folder.directory, announced: announced)
                return
            }
            switch try folder.directory.status(of: temporary).kind {
            case .regular, .symlink: try folder.directory.removeFile(temporary)
            case .directory:
                if let wanted = EscapedBytes.bytes(intent.intent.name).flatMap({ FileName($0) }) {
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
