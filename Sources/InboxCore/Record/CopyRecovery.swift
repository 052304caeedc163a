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
    private struct Published {
        let intent: CopyIntent
        let source: BytePath
        let folder: OpenFolder
        let name: FileName
    }

    /// Completes the history, removes what is left over, and clears the journal.
    static func run(
        _ journal: CopyJournal, _ history: History, _ detector: Detector
    ) throws(SyscallError) -> Findings {
        var findings = Findings()
        let intents = try journal.leftOver()
        if !intents.isEmpty {
            let recorded = try history.recorded(intents.map(\.intent))
            var published: [Published] = []
            for intent in intents {
                guard let found = try find(intent) else {
                    // A disk that is not there now: a later start finds it.
                    if intent.copy != nil, try !isThere(intent) { journal.keep() }
                    continue
                }
                published.append(found)
                if !recorded.contains(intent.intent.id), let record = record(found, detector) {
                    findings.records.append(record)
                }
            }
            // A name that is not on the disk yet must not outlive its source there.
            for found in published { try found.folder.directory.sync() }
            try history.append(Array(findings.records.map(\.line).joined()), isDurable: true)
            for found in published {
                if let notice = try removeSource(found) { findings.notices.append(notice) }
            }
            for intent in intents { try removeTemporary(intent) }
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

    /// Removes the source of a published copy if it is still what was copied, also where it was taken aside already;
    /// tells where it has to stay.
    private static func removeSource(_ found: Published) throws(SyscallError) -> String? {
        guard let parent = found.source.parent, let name = FileName(found.source.lastComponent),
            let id = RecordID(found.intent.intent.id)
        else { return nil }
        do throws(SyscallError) {
            let folder = OpenFolder(try Directory.open(path: parent.bytes))
            let aside = SourceRemoval.asideName(id)
            _ = try remove(aside, of: found, in: folder, comparingChange: false)
            do throws(SyscallError) {
                try SourceRemoval.putBack(aside, as: name, in: folder)
            } catch  where error.errno.isAbsent {
                // Nothing has the other name, or nothing any more.
            }
            if try !remove(name, of: found, in: folder, comparingChange: true) {
                return "\(found.source) was copied, and has changed since or is being written: it stays"
            }
            return nil
        } catch {
            if error.errno.isAbsent { return nil }
            guard error.errno.isDenied else { throw error }
            return "\(found.source) was copied, but cannot be removed: \(error)"
        }
    }

    /// Removes a name of the source; false where it is the source, but not what was copied. Whoever has it open for
    /// writing now, or has changed it since, makes another document of it.
    private static func remove(
        _ name: FileName, of found: Published, in folder: OpenFolder, comparingChange: Bool
    ) throws(SyscallError) -> Bool {
        let wanted = found.intent.intent.identity
        do throws(SyscallError) {
            let file = try folder.directory.file(name)
            // Another file stands there: it is none of this.
            guard try file.status().identity.file == wanted.file else { return true }
            if ReadLease.take(file) == .writer { return false }
            for now in [try file.status(), try folder.directory.status(of: name)]
            where now.identity != wanted || (comparingChange && now.changed != found.intent.changed) {
                return false
            }
            try folder.directory.removeFile(name)
            try folder.directory.sync()
            return true
        } catch  where error.errno.isAbsent {
            return true
        }
    }

    private static func removeTemporary(_ intent: CopyIntent) throws(SyscallError) {
        guard let temporary = intent.temporary, let folder = try folder(intent) else { return }
        do throws(SyscallError) {
            guard try folder.directory.status(of: temporary).kind == .regular else { return }
            try folder.directory.removeFile(temporary)
        } catch  where error.errno.isAbsent {
            // It was never made, or it has its own name now.
        }
    }
}
