import InboxDetection
import InboxLinux

/// Finds out what an interrupted batch came to, and makes the records that are missing.
///
/// A document whose intent stands in the journal is either still in the Inbox, where the next scan meets it, or at its
/// destination, where its five marks tell it from every other. It is never moved here.
enum Recovery {
    /// The records of a batch stand in the last part of the history.
    static let tail: Int64 = 4 << 20

    /// Completes the history and clears the journal; answers the records that were missing.
    static func run(_ journal: Journal, _ history: History, _ detector: Detector) throws(SyscallError) -> [FiledRecord]
    {
        let intents = try journal.leftOver()
        var made: [FiledRecord] = []
        if !intents.isEmpty {
            let recorded = String(decoding: try history.tail(tail), as: UTF8.self)
            for intent in intents where !recorded.contains("\"id\":\"\(intent.id)\"") {
                if let record = try missing(intent, detector) { made.append(record) }
            }
            let lines = Array(made.map(\.line).joined())
            try history.append(lines, isDurable: true)
        }
        try journal.clear()
        return made
    }

    /// The record of a document that has moved; nil where it has not, or where its owner took it since.
    private static func missing(_ intent: Intent, _ detector: Detector) throws(SyscallError) -> FiledRecord? {
        guard let id = RecordID(intent.id), let source = EscapedBytes.bytes(intent.source).map(BytePath.init(bytes:)),
            let path = EscapedBytes.bytes(intent.destination).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(intent.name).flatMap({ FileName($0) }),
            try !stands(intent.identity, at: source)
        else { return nil }
        do throws(SyscallError) {
            let folder = try Directory.open(path: path.bytes)
            guard let name = try find(intent.identity, in: folder) else { return nil }
            return record(id, from: source, to: path, name, wanted: wanted, size: intent.size, in: folder, detector)
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// The record of a document that has reached a folder under a name.
    static func record(
        _ id: RecordID, from source: BytePath, to path: BytePath, _ name: FileName, wanted: FileName, size: UInt64,
        in folder: borrowing Directory, _ detector: Detector
    ) -> FiledRecord {
        let detection: Detection
        do throws(SyscallError) {
            detection = detector.detect(name, reading: try folder.file(name))
        } catch {
            detection = detector.detect(unreadable: name)
        }
        return FiledRecord(
            id: id, time: .now(), source: source, destination: path.appending(BytePath(bytes: Array(name.bytes))),
            type: detection.type.identifier, mime: detection.mime, size: size,
            evidence: detection.evidence.rawValue, renamed: name != wanted, proof: .recovered)
    }

    private static func stands(_ identity: FileIdentity, at path: BytePath) throws(SyscallError) -> Bool {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return false }
        do throws(SyscallError) {
            return try Directory.open(path: parent.bytes).status(of: name).identity == identity
        } catch  where error.errno.isAbsent {
            return false
        }
    }

    /// The name of the file with these marks, other than `excluded`, by the inode numbers that the folder tells.
    static func find(
        _ identity: FileIdentity, in folder: borrowing Directory, except excluded: FileName? = nil
    ) throws(SyscallError) -> FileName? {
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            if entry.inode == identity.file.inode, entry.name != excluded,
                try folder.status(of: entry.name).identity == identity
            {
                return entry.name
            }
        }
        return nil
    }
}
