import InboxDetection
import InboxLinux

/// Finds out what an interrupted batch came to, and makes the records that are missing.
///
/// A document whose intent stands in the journal is either still in the Inbox, where the next scan meets it, or at its
/// destination, where its marks tell it from every other. It is never moved here. Where neither can be told, because a
/// disk is not there or may not be looked at, its intent is kept until it can.
enum Recovery {
    /// What was found.
    struct Findings {
        var records: [FiledRecord] = []
        var notices: [String] = []
    }

    /// An intent and what came of it, as far as that can be told now.
    private struct Case {
        let entry: UnresolvedIntents.Entry
        let verdict: IntentVerdict
    }

    /// Completes the history, keeps what cannot be told yet, and clears the journal.
    static func run(
        _ journal: Journal, _ unresolved: UnresolvedIntents, _ history: History, _ detector: Detector
    ) throws(SyscallError) -> Findings {
        let left = try journal.leftOver()
        // Written just before the first name of the batch moved.
        let begun = try journal.file.descriptor.status().identity.modified
        let known = Set(unresolved.entries.map(\.intent.id))
        let new = left.filter { !known.contains($0.id) }.map { UnresolvedIntents.Entry($0) }
        let findings = try settle(unresolved.entries + new, begun, unresolved, history, detector)
        try journal.clear()
        return findings
    }

    /// Looks again at what could not be told before.
    /// - Parameter accepting: takes what stands at a destination now for what belongs there, so that an intent whose
    ///   document is not there is given up.
    static func retry(
        _ unresolved: UnresolvedIntents, _ history: History, _ detector: Detector, accepting: Bool = false
    ) throws(SyscallError) -> Findings {
        try settle(unresolved.entries, nil, unresolved, history, detector, accepting: accepting)
    }

    private static func settle(
        _ entries: [UnresolvedIntents.Entry], _ begun: Timestamp?, _ unresolved: UnresolvedIntents,
        _ history: History, _ detector: Detector, accepting: Bool = false
    ) throws(SyscallError) -> Findings {
        var findings = Findings()
        let recorded = try history.recorded(entries.filter { $0.boot == nil }.map(\.intent))
        var cases: [Case] = []
        for entry in entries where !recorded.contains(entry.intent.id) && !entry.isOfThisBoot {
            cases.append(Case(entry: entry, verdict: try IntentVerdict(entry.intent, madeAfter: begun)))
        }
        var kept = entries.filter { $0.isOfThisBoot }
        var lines: [UInt8] = []
        var synced = FolderSyncs()
        for found in cases {
            let intent = found.entry.intent
            switch found.verdict {
            case .moved(let moved):
                guard found.entry.boot == nil, let record = record(intent, moved, detector) else { continue }
                findings.records.append(record)
                lines += record.line
                if let failure = moved.sync(&synced) {
                    findings.notices.append("the name of \(record.destination) may not be on the disk yet: \(failure)")
                    kept.append(UnresolvedIntents.Entry(intent, boot: UnresolvedIntents.currentBoot))
                }
            case .stays where found.entry.boot != nil:
                lines += undone(intent)
                findings.notices.append("\(intent.source) is in the Inbox again: the disk has lost its move")
            case .stays, .gone: break
            case .unknown(_, isThere: true) where accepting:
                findings.notices.append("gave up the record of \(intent.source), which is not at its destination")
            case .unknown(let reason, _):
                kept.append(found.entry.because(reason))
            }
        }
        // What an interrupted run has appended may not be on the disk, where the journal will no longer tell of it.
        if !recorded.isEmpty { try history.sync() }
        try history.append(lines, isDurable: true)
        try unresolved.keep(kept)
        return findings
    }

    private static func record(
        _ intent: Intent, _ moved: IntentVerdict.Moved, _ detector: Detector
    ) -> FiledRecord? {
        guard let id = RecordID(intent.id) else { return nil }
        return record(
            id, from: moved.source, to: moved.path, moved.name, wanted: moved.wanted, size: intent.size,
            in: moved.folder.directory, detector)
    }

    /// That a document which was recorded stands in the Inbox again, though nobody asked for it.
    private static func undone(_ intent: Intent) -> [UInt8] {
        var line = JSONLine()
        line.add("id", intent.id)
        line.add("time", Timestamp.now().text)
        line.add("event", "undone")
        line.add("source", intent.source)
        line.add("reason", HoldReason.syncFailed.rawValue)
        return line.finished
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
    static func copiedUp(
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
                try isStill(identity, entry.name, in: folder)
            else { continue }
            if isInRow { return entry.name }
            found = entry.name
        }
        return found
    }

    private static func isStill(
        _ identity: FileIdentity, _ name: FileName, in folder: borrowing Directory
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) { return try identity.isStill(name, in: folder) } catch  where error.errno.isAbsent {
            // It went away at this moment.
            return false
        }
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
    /// Whether what stands under a name is this file or package, whatever its device is numbered now.
    func isStill(_ name: FileName, in folder: borrowing Directory) throws(SyscallError) -> Bool {
        let status = try folder.status(of: name)
        if isStill(status.identity) { return true }
        guard status.kind == .directory, file.birth == nil, file.inode == status.identity.file.inode else {
            return false
        }
        // The marks of a package that is moved are those of all that is in it.
        do throws(FolderWalk.Failure) {
            return isStill(try PackageSurvey(of: try Self.package(name, in: folder)).status.identity)
        } catch {
            switch error {
            case .tooLarge: return false
            case .failed(let error): throw error
            }
        }
    }

    private static func package(
        _ name: FileName, in folder: borrowing Directory
    ) throws(FolderWalk.Failure) -> Directory {
        do throws(SyscallError) { return try folder.folder(name) } catch { throw .failed(error) }
    }

    /// Whether another state is one of this file: by inode and birth, since whoever waited for the lease may have
    /// written to it as soon as it had moved; by size and time too where the filesystem keeps no birth. Not by the
    /// device, since a machine that starts anew may number its devices anew.
    private func isStill(_ other: FileIdentity) -> Bool {
        guard other.file.inode == file.inode else { return false }
        if let birth = file.birth { return other.file.birth == birth }
        return other.size == size && other.modified == modified
    }
}
