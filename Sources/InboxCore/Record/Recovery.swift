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
    static func run(
        _ journal: Journal, _ history: History, _ detector: Detector, tell: (Happening) -> Void = { _ in }
    ) throws(SyscallError) -> [FiledRecord] {
        let intents = try journal.leftOver()
        var made: [FiledRecord] = []
        if !intents.isEmpty {
            // Written just before the first name of the batch moved.
            let begun = try journal.file.descriptor.status().identity.modified
            let recorded = String(decoding: try history.tail(tail), as: UTF8.self)
            for intent in intents where !recorded.contains("\"id\":\"\(intent.id)\"") {
                do throws(SyscallError) {
                    if let record = try missing(intent, begun, detector) { made.append(record) }
                } catch  where error.errno.isDenied {
                    // One document that may not be looked at must not keep all the others waiting for ever.
                    tell(.notice("cannot find out what became of \(intent.source) after an interruption: \(error)"))
                }
            }
            let lines = Array(made.map(\.line).joined())
            try history.append(lines, isDurable: true)
        }
        try journal.clear()
        return made
    }

    /// The record of a document that has moved; nil where it has not, or where its owner took it since.
    private static func missing(
        _ intent: Intent, _ begun: Timestamp, _ detector: Detector
    ) throws(SyscallError) -> FiledRecord? {
        guard let id = RecordID(intent.id), let source = EscapedBytes.bytes(intent.source).map(BytePath.init(bytes:)),
            let path = EscapedBytes.bytes(intent.destination).map(BytePath.init(bytes:)),
            let wanted = EscapedBytes.bytes(intent.name).flatMap({ FileName($0) })
        else { return nil }
        let isAtSource = try stands(intent, at: source)
        do throws(SyscallError) {
            let folder = try Directory.open(path: path.bytes)
            var found = try find(intent.identity, wanted, in: folder)
            if found == nil { found = try copiedUp(intent, wanted, in: folder, after: begun, source) }
            guard let name = found else {
                if isAtSource { try removeOwnFolder(wanted, in: folder, madeAfter: begun) }
                return nil
            }
            if isAtSource {
                guard try folder.status(of: name).links == intent.links + 1 else { return nil }
                try removeFirstName(intent, at: source, syncing: folder)
            }
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
        let detection = detect(name, in: folder, detector)
        return FiledRecord(
            id: id, time: .now(), source: source, destination: path.appending(BytePath(bytes: Array(name.bytes))),
            type: detection.type.identifier, mime: detection.mime, size: size,
            evidence: detection.evidence.rawValue, renamed: name != wanted, proof: .recovered)
    }

    /// The name of a document that an overlay copied up as it was moved there: its source has gone, and a file with its
    /// size and its time has come into being since the batch began.
    private static func copiedUp(
        _ intent: Intent, _ wanted: FileName, in folder: borrowing Directory, after begun: Timestamp,
        _ source: BytePath
    ) throws(SyscallError) -> FileName? {
        guard try Filesystem(of: folder.descriptor).isLayered, try isAbsent(source) else { return nil }
        let row = NumberedName(wanted)
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            guard row.number(of: entry.name) != nil else { continue }
            guard let now = try identity(of: entry.name, in: folder), let birth = now.file.birth, birth >= begun
            else { continue }
            if try CopyUp.mayBe(now, intent.identity, in: folder) { return entry.name }
        }
        return nil
    }

    private static func isAbsent(_ path: BytePath) throws(SyscallError) -> Bool {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return true }
        do throws(SyscallError) {
            _ = try Directory.open(path: parent.bytes).status(of: name)
            return false
        } catch  where error.errno.isAbsent {
            return true
        }
    }

    private static func detect(_ name: FileName, in folder: borrowing Directory, _ detector: Detector) -> Detection {
        do throws(SyscallError) {
            let kind = try folder.status(of: name).kind
            guard kind == .regular else { return detector.detect(unopened: name, kind) }
            return detector.detect(name, reading: try folder.file(name))
        } catch {
            return detector.detect(unreadable: name)
        }
    }

    private static func stands(_ intent: Intent, at path: BytePath) throws(SyscallError) -> Bool {
        guard let parent = path.parent, let name = FileName(path.lastComponent) else { return false }
        do throws(SyscallError) {
            return intent.identity.isStill(try Directory.open(path: parent.bytes).status(of: name).identity)
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
        if intent.identity.isStill(try around.status(of: name).identity) { try around.removeFile(name) }
    }

    /// Removes the empty folder that was made for a package to be renamed over, where the filesystem knows no rename
    /// that does not replace: it has the marks of one that this user made for nobody else after the batch had begun.
    static func removeOwnFolder(
        _ wanted: FileName, in folder: borrowing Directory, madeAfter begun: Timestamp
    ) throws(SyscallError) {
        let row = NumberedName(wanted)
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            guard row.number(of: entry.name) != nil else { continue }
            let status = try folder.status(of: entry.name)
            guard status.kind == .directory, status.owner == Process.user, status.permissions & 0o777 == 0o700,
                let birth = status.identity.file.birth, birth >= begun
            else { continue }
            do throws(SyscallError) { try folder.removeFolder(entry.name) } catch  where error.errno == .notEmpty {
                // Whoever put something in has made it theirs.
            }
        }
    }

    /// The name of the file with these marks: `wanted` or one of its row before any other, which may be another name of
    /// the same file.
    ///
    /// Others are looked at only where the folder tells of that inode number: FUSE filesystems and overlays may tell
    /// of another than the file has.
    static func find(
        _ identity: FileIdentity, _ wanted: FileName, in folder: borrowing Directory, except excluded: FileName? = nil
    ) throws(SyscallError) -> FileName? {
        let row = NumberedName(wanted)
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        var found: FileName?
        while let entry = try entries.next() {
            let isInRow = row.number(of: entry.name) != nil
            guard isInRow || entry.inode == identity.file.inode, entry.name != excluded,
                let now = try self.identity(of: entry.name, in: folder), identity.isStill(now)
            else { continue }
            if isInRow { return entry.name }
            found = entry.name
        }
        return found
    }

    /// Nil for a name that went away at this moment.
    private static func identity(
        of name: FileName, in folder: borrowing Directory
    ) throws(SyscallError) -> FileIdentity? {
        do throws(SyscallError) { return try folder.status(of: name).identity } catch  where error.errno == .noEntry {
            return nil
        }
    }
}

extension FileIdentity {
    /// Whether another state is one of this file: by inode and birth, since whoever waited for the lease may have
    /// written to it as soon as it had moved, and a machine that starts anew may number its devices anew; by all five
    /// marks where the filesystem keeps no birth.
    func isStill(_ other: FileIdentity) -> Bool {
        guard let birth = file.birth else { return self == other }
        return other.file.inode == file.inode && other.file.birth == birth
    }
}
