import InboxLinux
import Synchronization

/// `journal`: the operations in progress, a line each; empty while there are none.
///
/// Lines are only appended. The last line of an entry counts, until another line names the entry's end. The file is
/// emptied when no entry is open. Where one stays open for long while others come and go, the file is replaced by one
/// that has the open entries alone.
package final class Journal: Sendable {
    /// The file, whose calls may wait for the disk.
    struct Written {
        var file: OpenFile
        /// The length of the file up to its last whole line.
        var size: Int64
        /// The length from which on the file is replaced.
        var full: Int64
        /// The disk may still have the file that this one has replaced.
        var isNameUnsynced = false
        /// The lines about due handlers that could not be written: they precede the next ones.
        var owed: [UInt8] = []
        /// The number of failed syncs, and the last failure.
        var failures = (count: 0, last: SyscallError?.none)
    }

    /// The open entries: those of the file, and claims that the file has lost.
    struct Open {
        /// The entries that no job works on and that have not ended.
        var resting: JournalEntries
        /// The entries of jobs that are under way.
        var active = JournalEntries()
        /// The entries that have ended but for the markers of their documents, which are to be removed.
        var spent: [RecordID: JournalEntry] = [:]
        /// Claims of this daemon that the file has lost, by the roots whose staging folders have notes of them.
        var noted: [BytePath: [RecordID: JournalEntry]] = [:]
        /// The handlers that are due.
        var due: DueHandlers
        /// The owners of such as nobody but an earlier run or a recovery has reported.
        var foundOwners: Set<UInt32>

        var isEmpty: Bool { resting.isEmpty && active.isEmpty && spent.isEmpty && due.isEmpty }

        /// Ends an entry. Returns whether nothing is left of it.
        mutating func end(_ id: RecordID) -> Bool {
            guard case .document(let entry)? = active.remove(id) ?? resting.remove(id), entry.marker != nil else {
                return true
            }
            spent[id] = entry
            return false
        }
    }

    /// Bytes. What follows in a longer file was never written by a daemon, and is not read.
    static let longest = 256 << 20
    /// Bytes. A shorter file is not replaced.
    private static let shortestFull: Int64 = 4 << 20

    private let folder: OpenFolder
    let written: Mutex<Written>
    /// Apart from the file, so that nobody who asks what is open waits for the disk. Whoever holds both has locked the file first.
    let open: Mutex<Open>
    /// Held by the one sync that is under way.
    private let syncing = Mutex(())
    private let identifiers = RecordIdentifiers()
    /// The document types that have a handler.
    let handled = Mutex<Set<String>>([])
    /// A warning about the lines that were damaged when the file was read; nil if none was.
    package let damage: String?

    /// The file's name in the state folder.
    package static var name: FileName { FileName("journal").unsafelyUnwrapped }
    private static var nextName: FileName { FileName("journal.new").unsafelyUnwrapped }

    /// Opens the journal in a state folder, and reads what an earlier run has left.
    /// - Parameter full: the length in bytes from which on the file is replaced.
    package init(in folder: OpenFolder, full: Int64? = nil) throws(StateFileError) {
        self.folder = folder
        let file: OpenFile
        let read: [UInt8]?
        do throws(SyscallError) {
            file = OpenFile(try folder.directory.appendingFile(Self.name))
            read = try file.descriptor.contents(limit: Self.longest)
        } catch {
            throw .failed(Self.name, error)
        }
        guard let bytes = read else { throw .tooLarge(Self.name) }
        var damaged: [BytePath?] = []
        var due = DueHandlers()
        let entries = JournalEntries(lines: bytes, due: &due, damaged: &damaged)
        damage = damaged.isEmpty ? nil : Self.words(ofDamaged: damaged)
        let open = Open(resting: entries, due: due, foundOwners: Set(due.all.map(\.owner)))
        if open.isEmpty, !bytes.isEmpty {
            do throws(SyscallError) { try file.descriptor.truncate(to: 0) } catch { throw .failed(Self.name, error) }
        }
        written = Mutex(
            Written(file: file, size: open.isEmpty ? 0 : Int64(bytes.count), full: full ?? Self.shortestFull))
        self.open = Mutex(open)
    }

    private static func words(ofDamaged sources: [BytePath?]) -> String {
        let count = sources.count == 1 ? "a line" : "\(sources.count) lines"
        let about = sources.lazy.compactMap { $0 }.first.map { ", of \($0) for one" } ?? ""
        return "\(count) of the journal cannot be read any more\(about): "
            + "a document that is in no Inbox is at its destination, perhaps without a record: look for it there; a "
            + "handler that was due may not run: \"inboxctl retry\" with the document's id runs it"
    }

    /// The file still has its name; assumed while somebody writes to it, for whom nobody waits.
    var isInPlace: Bool {
        written.withLockIfAvailable { folder.has($0.file, at: Self.name) } ?? true
    }

    /// Another id for an entry that is no document's.
    package func nextID() -> RecordID { identifiers.next(at: .now()) }

    /// The entries that no job works on and that have not ended: what recovery has to end.
    package var interrupted: JournalEntries { open.withLock { $0.resting } }

    /// The entries of documents that are put back, of jobs and of interrupted runs.
    package var undoing: [JournalEntry] {
        open.withLock { open in
            [open.resting, open.active].flatMap { $0.documents.values.filter { $0.undoes != nil } }
        }
    }

    /// Returns whether an entry has not ended.
    package func isOpen(_ id: RecordID) -> Bool {
        open.withLock { open in
            [open.resting, open.active].contains { $0.documents[id] != nil }
        }
    }

    /// Returns whether an entry of a document that was at this path in an Inbox has not ended.
    package func isOpen(at source: BytePath) -> Bool {
        open.withLock { open in
            [open.resting, open.active].contains { $0.documents.values.contains { $0.source == source } }
        }
    }

    /// The part of a document's filing or undo that has not ended.
    package enum Unfinished: Sendable {
        /// A job files it or puts it back.
        case underWay
        /// Its filing was interrupted, or what it has left is being removed.
        case filing
        /// It is recorded, and a restart of the machine shows whether the disk has kept its name.
        case unsynced
        /// Its return to an Inbox was interrupted.
        case undo
    }

    /// Returns what has not ended of the document with this id; nil if nothing. Once nothing is left of a recorded
    /// document, that is final: nobody begins another entry with its id.
    package func unfinished(_ id: RecordID) -> Unfinished? {
        open.withLock { open in
            if open.active.documents[id] != nil || open.active.has(undoOf: id) { return .underWay }
            if open.resting.has(undoOf: id) { return .undo }
            let noted = open.noted.values.lazy.compactMap { $0[id] }.first
            return (open.resting.documents[id] ?? noted).map { $0.isUnsynced ? .unsynced : .filing }
        }
    }

    /// These claims have not ended, of which only the notes in a root's staging folders know: the file was lost with its
    /// state folder. They are in memory alone, and replace those that were found there before.
    package func noteUnfinished(_ claims: [RecordID: JournalEntry], at root: BytePath) {
        open.withLock { $0.noted[root] = claims.isEmpty ? nil : claims }
    }

    /// The number of moves that have not ended.
    package var openMoveCount: Int { open.withLock { $0.resting.moves.count + $0.active.moves.count } }

    /// Writes down documents that a job is about to begin with, or what is known of them now. Recovery in this run knows the
    /// same even where it cannot be written.
    package func note(_ entries: [JournalEntry], isDurable: Bool) throws(SyscallError) {
        var lines = ByteWriter(room: entries.count << 10)
        lines.append(Self.newline)
        let types = handlerTypes
        open.withLock { open in
            for var entry in entries {
                let id = entry.id
                let resting = open.resting.documents.isEmpty ? nil : open.resting.documents.removeValue(forKey: id)
                if !types.isEmpty {
                    let former = open.active.documents[id] ?? resting
                    entry.isHandled = former?.isHandled ?? entry.needsHandler(types)
                }
                entry.append(to: &lines)
                open.active.documents[id] = entry
            }
        }
        try append(lines.bytes, isDurable: isDurable) { _ in }
    }

    /// Writes down a folder that is about to be created, or what is known of it now. No sync, since a tree of folders
    /// would wait for each: a power loss may leave an empty folder of the daemon's own, and nothing else.
    package func note(_ entry: FolderEntry) throws(SyscallError) {
        try append(Self.beginning + entry.line, isDurable: false) { open in
            open.resting.folders[entry.id] = nil
            open.active.folders[entry.id] = entry
        }
    }

    /// Keeps moves that are recorded, and that the disk has failed to confirm, until the next start of the machine. Where that
    /// cannot be written down it is in memory alone, for a later try of recovery's.
    package func keep(_ moves: [JournalEntry]) throws(SyscallError) {
        guard !moves.isEmpty else { return }
        defer { rest(moves.map(\.id)) }
        do throws(SyscallError) { try note(moves.map { $0.unsynced(in: Boot.current) }, isDurable: true) } catch {
            open.withLock { open in
                for move in moves { open.active.documents[move.id] = move.unsynced(in: Boot.none) }
            }
            throw error
        }
    }

    /// A job no longer works on these entries: those that have not ended are left to recovery.
    package func rest(_ ids: [RecordID]) {
        open.withLock { open in
            if open.active.isEmpty { return }
            for id in ids { if let entry = open.active.remove(id) { open.resting.insert(entry) } }
        }
    }

    /// The entries that have ended but for the markers of their documents.
    package var spent: [JournalEntry] { open.withLock { Array($0.spent.values) } }

    /// There are such entries.
    package var hasSpent: Bool { open.withLock { !$0.spent.isEmpty } }

    /// Nothing is to be done any more with the markers of these entries.
    package func endSpent(_ ids: [RecordID]) throws(SyscallError) {
        try end(ids) { open, id in
            open.spent[id] = nil
            return true
        }
    }

    /// These entries have ended, but for the markers of their documents. No sync: ended once more at the next start, they
    /// find nothing to do.
    package func end(_ ids: [RecordID]) throws(SyscallError) { try end(ids) { $0.end($1) } }

    func end(
        _ ids: [RecordID], as key: StaticString = "ended", _ remove: (inout Open, RecordID) -> Bool
    ) throws(SyscallError) {
        guard !ids.isEmpty else { return }
        try written.withLock { (written) throws(SyscallError) in
            var ids = ids
            let isEmpty = open.withLock { open in
                ids = ids.filter { remove(&open, $0) }
                return open.isEmpty
            }
            if ids.isEmpty { return }
            if isEmpty {
                try written.file.descriptor.truncate(to: 0)
                written.size = 0
                written.owed = []
            } else {
                var line = JSONLine()
                line.add(key, ids)
                line.addSum()
                try write(Self.beginning + line.finished(), &written)
                if written.size >= written.full { try replace(&written) }
            }
        }
    }

    /// A document is filed again, under another id: the move that an earlier run has left open is found no more, nor is a
    /// claim that did not come to its rename.
    /// - Parameter isReturned: it is not filed but put back, and what that has left open stays.
    package func endMoves(of file: FileKey, isReturned: Bool = false) throws(SyscallError) {
        let ids = open.withLock { open in
            let found = open.resting.documents.values.filter {
                $0.copied == nil && $0.identity.file.isFile(file) && ($0.undoes == nil || !isReturned)
            }
            return found.map(\.id)
        }
        // What has released it releases the next one.
        try end(ids) { open, id in
            open.resting.remove(id)
            return true
        }
    }

    func append(
        _ lines: [UInt8], isDurable: Bool, _ change: (inout Open) -> Void
    ) throws(SyscallError) {
        let failures = try written.withLock { (written) throws(SyscallError) in
            try write(lines, &written)
            open.withLock { change(&$0) }
            return written.failures.count
        }
        if isDurable { try sync(since: failures) }
    }

    /// Brings what was written to the disk, one caller at a time. The kernel reports an error to one caller of fdatasync(2)
    /// alone: here it also fails those whose lines were written before it, and who waited meanwhile.
    /// - Parameter failures: how many syncs had failed when the caller wrote.
    private func sync(since failures: Int) throws(SyscallError) {
        try syncing.withLock { (_) throws(SyscallError) in
            let (file, isNameUnsynced, failure) = written.withLock { written in
                (written.file, written.isNameUnsynced, written.failures.count > failures ? written.failures.last : nil)
            }
            if let failure { throw failure }
            do throws(SyscallError) {
                try file.descriptor.syncData()
                guard isNameUnsynced else { return }
                try folder.directory.sync()
                // Not of one that has replaced it meanwhile.
                written.withLock { if $0.file === file { $0.isNameUnsynced = false } }
            } catch {
                let failure = error
                written.withLock { $0.failures = ($0.failures.count + 1, failure) }
                throw failure
            }
        }
    }

    /// The bytes that precede what is appended: an end of line, since after a line torn by a crash the first new line
    /// would otherwise be unreadable.
    private static var beginning: [UInt8] { [newline] }
    static var newline: UInt8 { UInt8(ascii: "\n") }

    /// Appends whole lines; after a failure none of them counts.
    func write(_ others: [UInt8], _ written: inout Written) throws(SyscallError) {
        let lines = written.owed.isEmpty ? others : written.owed + others
        do throws(SyscallError) { try written.file.descriptor.write(lines) } catch {
            let failure = error
            do throws(SyscallError) { try written.file.descriptor.truncate(to: written.size) } catch {
                // What was written of the lines announces what is never begun: recovery finds nothing to do.
            }
            throw failure
        }
        written.size += Int64(lines.count)
        written.owed = []
    }

    /// Replaces the file by one that has the open entries alone.
    private func replace(_ written: inout Written) throws(SyscallError) {
        let next = OpenFile(try folder.directory.appendingFile(Self.nextName))
        try next.descriptor.truncate(to: 0)
        let lines = open.withLock { open in
            var due = ByteWriter()
            open.due.append(to: &due)
            return open.resting.lines + open.active.lines + Array(open.spent.values.map(\.line).joined()) + due.bytes
        }
        try next.descriptor.write(lines)
        try next.descriptor.syncData()
        try folder.directory.replace(Self.name, by: Self.nextName)
        // Whatever fails now, what is written down from here on belongs into the file that has the name.
        written.file = next
        written.owed = []
        written.size = Int64(lines.count)
        written.full = max(written.full, 2 * written.size)
        written.isNameUnsynced = true
        try folder.directory.sync()
        written.isNameUnsynced = false
    }
}

extension JournalEntries {
    fileprivate func has(undoOf id: RecordID) -> Bool { documents.values.contains { $0.undoes == id } }
}

extension FileIdentity {
    /// Returns whether both are of one file, unchanged. Not by the device, since a machine that starts anew may number
    /// its devices anew.
    package func isSame(_ other: FileIdentity) -> Bool {
        file.isFile(other.file) && size == other.size && modified == other.modified
    }
}

extension FileKey {
    /// Returns whether both are keys of one file, whatever its device is numbered.
    package func isFile(_ other: FileKey) -> Bool { inode == other.inode && birth == other.birth }
}

extension JournalEntry {
    /// Returns true if a handler is to be due once the document is recorded, as these document types have one.
    fileprivate func needsHandler(_ types: Set<String>) -> Bool {
        undoes == nil && main == nil && rejection == nil && !isDiscard && documentType.map(types.contains) == true
    }

    /// The same, with the boot in which the disk failed to say that it keeps the move.
    fileprivate func unsynced(in boot: String) -> JournalEntry {
        var entry = self
        entry.unsyncedBoot = boot
        return entry
    }
}
