import FoundationEssentials
import InboxFiling
import InboxLinux

/// Reads the records of documents whose handlers are due: in the pool.
struct HandlerReading: Sendable {
    let history: History
    /// Where the history ended when the last try of those that were tried began.
    let marks: [RecordID: HistoryMark]

    /// The result of a reading.
    struct Found: Sendable {
        /// The documents, in their order, and how often the handler of each was tried by an earlier run.
        var documents: [(document: HandledDocument, tries: Int)] = []
        /// The ids of those whose handlers have ended, as the history has it already.
        var ended: [RecordID] = []
        /// The ids of those whose records are not where they were.
        var lost: [RecordID] = []
    }

    /// Reads the records of these.
    func documents(of due: [DueHandler]) throws(SyscallError) -> Found {
        var found = Found()
        var files: [UInt64: OpenFile?] = [:]
        let ended = try ended(among: due)
        for due in due {
            let file: OpenFile?
            if let known = files[due.place.file] {
                file = known
            } else {
                file = try history.file(due.place.file)
                files[due.place.file] = file
            }
            if ended.contains(due.id) {
                found.ended.append(due.id)
            } else if let file,
                let document = try HandledDocument(recordedAs: FiledSizes.line(of: file, from: due.place.size)),
                document.id == due.id.text
            {
                found.documents.append((document, Int(due.tries)))
            } else {
                found.lost.append(due.id)
            }
        }
        return found
    }

    /// The ids of those whose last try has ended, and is recorded: whoever was killed then could not write down that it has.
    private func ended(among due: [DueHandler]) throws(SyscallError) -> Set<RecordID> {
        let wanted = due.compactMap { due in
            marks[due.id].map { History.Wanted(id: due.id.text, mark: $0) }
        }
        // After a rotation the record of the document itself may be found, and of the end nothing is known.
        let places = try history.places(of: wanted)
        return Set(due.filter { due in places[due.id.text].map { $0 != due.place } ?? false }.map(\.id))
    }
}

/// The members of a record that matter to its handler.
struct FiledLine: Decodable {
    let id: String
    let event: String
    let time, source, destination, type, mime, documentType: String?
    let size: UInt64?
    let annotations, facts: [String: String]?
    let date, title, author, origin, application: String?
    let owner: UInt32?
    let identity: [String]?

    /// The properties that the document states of itself, by the names of the members.
    var told: [String: String] {
        ["date": date, "title": title, "author": author, "origin": origin, "application": application]
            .compactMapValues(\.self)
    }

    /// The members of a line; nil for one that is no record.
    init?(_ line: some Sequence<UInt8>) {
        do { self = try JSONDecoder().decode(FiledLine.self, from: Data(line)) } catch { return nil }
    }

    /// The beginning of the record's line in the history, which no other has.
    var head: [UInt8] {
        var line = JSONLine()
        line.add("id", id)
        line.add("time", time)
        line.add("event", event)
        return line.bytes
    }
}

extension HandledDocument {
    /// The document of a filed record; nil where it is another one, or no document type got the document.
    init?(recordedAs line: some Sequence<UInt8>) {
        guard let line = FiledLine(line) else { return nil }
        self.init(line)
    }

    /// The document of a filed record; nil where it is another one, or no document type got the document.
    init?(_ line: FiledLine) {
        guard line.event == "filed", let documentType = line.documentType,
            let source = line.source.flatMap(BytePath.init(escapedText:)),
            let path = line.destination.flatMap(BytePath.init(escapedText:))
        else { return nil }
        self.init(
            id: line.id, path: path, source: source, type: line.type ?? "public.data", mime: line.mime,
            size: line.size ?? 0, documentType: documentType, annotations: line.annotations ?? [:],
            facts: line.facts ?? [:], told: line.told, owner: line.owner,
            identity: line.identity.flatMap(FileIdentity.init(numbers:)))
    }
}

extension History {
    /// The file of the history with this inode number, whatever somebody such as logrotate(8) has named it; nil where it is
    /// gone.
    func file(_ inode: UInt64) throws(SyscallError) -> OpenFile? {
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard entry.inode == inode else { continue }
            do throws(SyscallError) { return OpenFile(try folder.directory.file(entry.name)) } catch {
                if !error.errno.isAbsent { throw error }
            }
        }
        return nil
    }
}
