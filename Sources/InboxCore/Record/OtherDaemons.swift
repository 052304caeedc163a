import FoundationEssentials
import InboxFiling
import InboxLinux

/// The other daemons of some Inboxes, in whose state folders recovery reads whether one of them has brought a document to the
/// destination where it is. Otherwise both would record it, and its handler would run twice.
struct OtherDaemons {
    /// The paths of their state folders.
    private var paths: Set<BytePath> = []
    private let own: OpenFolder
    private var found: [RecordID: RecoveryState.Record] = [:]

    /// The daemons that the Inboxes name which these documents come from.
    init(of documents: [JournalEntry], in recovery: Recovery) throws(SyscallError) {
        own = recovery.history.folder
        for inbox in recovery.inboxes where documents.contains(where: { $0.source.isInside(inbox) }) {
            do throws(SafePathError) {
                let folder = try recovery.openSource(inbox)
                do throws(SyscallError) { paths.formUnion(try InboxDaemons.states(on: folder.descriptor)) } catch {
                    throw .failed(inbox, error)
                }
            } catch {
                // On a filesystem without attributes nobody knows of anybody.
                if case .failed(_, let error) = error, error.errno.isWantOfResources { throw error }
            }
        }
        if !paths.isEmpty, let itself = try RealPath.of(own.directory.descriptor) { paths.remove(itself) }
    }

    /// There are none.
    var isEmpty: Bool { paths.isEmpty }

    /// Returns what is known of the record of a document that this daemon has not recorded.
    func record(of id: RecordID) -> RecoveryState.Record { isEmpty ? .missing : found[id] ?? .pending }

    /// Reads what the daemons have of documents that are at their destinations. Of one that is found there later, it is not
    /// known.
    mutating func read(about documents: [JournalEntry]) throws(SyscallError) {
        for document in documents { found[document.id] = .missing }
        for path in documents.isEmpty ? [] : paths {
            var state: OtherState?
            var recorded: Set<RecordID> = []
            do throws(SyscallError) {
                state = try OtherState(at: path)
                if let state { recorded = try Self.recorded(documents, in: state.folder) }
            } catch {
                if error.errno.isWantOfResources { throw error }
                if error.errno.isAbsent { continue }
                state = nil
            }
            for document in documents {
                var record = RecoveryState.Record.uncertain
                if recorded.contains(document.id) {
                    record = .elsewhere
                } else if let state {
                    record = try state.mayRecord(document, before: own) ? .pending : .missing
                }
                found[document.id] = max(found[document.id] ?? .missing, record)
            }
        }
    }
}

// The history of another daemon.
extension OtherDaemons {
    private struct Record: Decodable {
        let time, event, destination: String?
        let identity: [String]?

        /// Returns true if it says that this document was filed since its entry was begun.
        func isOf(_ document: JournalEntry) -> Bool {
            guard event == "filed" || event == "rejected",
                let file = identity.flatMap({ FileIdentity(numbers: $0) })?.file, file.isFile(document.identity.file),
                let time, time >= document.begun.text
            else { return false }
            // Without a birth time another file may have got the number.
            let folder = destination.flatMap(BytePath.init(escapedText:))?.parent
            return file.birth != nil || folder == document.destination
        }
    }

    /// Returns the record in a line; nil for one from before a time.
    private static func record(in line: ArraySlice<UInt8>, since begun: Timestamp) -> Record? {
        // Between the id and the event.
        let time = line.dropFirst(#"{"id":"0123456789abcdef","time":""#.utf8.count)
        if time.lexicographicallyPrecedes(begun.text.utf8) { return nil }
        do { return try JSONDecoder().decode(Record.self, from: Data(line)) } catch { return nil }
    }

    /// Returns which of these documents the history in a state folder says were filed since their entries were begun.
    private static func recorded(
        _ documents: [JournalEntry], in folder: OpenFolder
    ) throws(SyscallError) -> Set<RecordID> {
        let begun = documents.map(\.begun).min() ?? .now()
        var recorded: Set<RecordID> = []
        // The one that grows is opened first: rotated meanwhile, it is read once more.
        var file: OpenFile?
        do throws(SyscallError) { file = OpenFile(try folder.directory.file(History.name)) } catch {
            if error.errno != .noEntry { throw error }
        }
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        repeat {
            _ = try file?.lines(from: 0, to: .max) { line, _ in
                guard let record = record(in: line, since: begun) else { return }
                recorded.formUnion(documents.lazy.filter(record.isOf).map(\.id))
            }
            var next = try entries.next()
            while let other = next, !History.isRotated(other.name) { next = try entries.next() }
            file = nil
            if let next { file = OpenFile(try folder.directory.file(next.name)) }
        } while file != nil
        return recorded
    }
}
