import InboxFiling
import InboxLinux

/// The file `handlers` of an earlier version's state folder: where a search of the history for due handlers was to begin. The
/// history is searched once, what is due goes into the journal, and the file is removed.
struct EarlierHandlers: Sendable {
    private static var name: FileName { FileName("handlers").unsafelyUnwrapped }
    /// Bytes. What is beyond in a file that somebody else has filled is not read.
    private static let longest = 64 << 20

    /// From where on the history has handlers that are due; nil where none of that is known.
    private var mark: HistoryMark?
    /// The number of the last try that was begun and counts, by the document's id.
    private var tries: [String: Int] = [:]
    /// An id before those of all documents that each document type has a handler for.
    private var since: [String: String] = [:]
    /// The records of the documents whose handlers were to run again, by the documents' ids.
    private var again: [String: Substring] = [:]

    /// Returns true if there is such a file.
    static func exist(in state: OpenFolder) throws(SyscallError) -> Bool { try state.directory.has(name) }

    /// Writes down in the journal what they have left due, up to a place in the history, and removes the file.
    static func takeOver(
        in state: OpenFolder, _ history: History, upTo end: HistoryMark, _ journal: Journal
    ) throws(SyscallError) {
        let file = try state.directory.file(name)
        let size = min(Int(clamping: try file.status().size), longest)
        let earlier = EarlierHandlers(try file.bytes(from: 0, count: size))
        journal.note(due: try earlier.due(in: history, upTo: end), isFound: true)
        try journal.syncDue()
        try state.directory.removeFile(name)
    }

    /// Parses the lines of the file. Of each kind, a later line replaces an earlier one; a torn line is skipped.
    private init(_ text: [UInt8]) {
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3 else { continue }
            let (first, second) = (String(words[1]), String(words[2]))
            switch words[0] {
            case "mark":
                if let inode = UInt64(first), let size = Int64(second), size >= 0 {
                    mark = HistoryMark(file: inode, size: size)
                }
            case "try": tries[first] = Int(second)
            case "again": again[first] = words[2]
            case "over": again[first] = nil
            case "since": since[second] = first == "-" ? nil : first
            default: break
            }
        }
    }

    /// The filed records after the mark, of document types that had a handler, that have no handler's record and were not put
    /// back; and what was to run again.
    private func due(in history: History, upTo end: HistoryMark) throws(SyscallError) -> [DueHandler] {
        var due: [RecordID: DueHandler] = [:]
        if let mark {
            try history.lines(from: mark, to: end) { line, place in
                guard let record = FiledLine(line), let id = RecordID(record.id) else { return }
                if record.event == "handler" || record.event == "undone" {
                    due[id] = nil
                } else if record.event == "filed", let since = record.documentType.flatMap({ self.since[$0] }),
                    since < record.id
                {
                    due[id] = handler(id, record, at: place)
                }
            }
        }
        let lines = again.values.compactMap { FiledLine($0.utf8) }
        let places = try history.places(of: lines.map { History.Wanted(id: $0.id, mark: nil, head: $0.head) })
        for line in lines {
            if let id = RecordID(line.id), let place = places[line.id] { due[id] = handler(id, line, at: place) }
        }
        return Array(due.values)
    }

    private func handler(_ id: RecordID, _ record: FiledLine, at place: HistoryMark) -> DueHandler {
        DueHandler(id: id, at: place, owner: record.owner ?? Process.user, tries: tries[record.id] ?? 0)
    }
}

extension History {
    /// Reads the lines between two places: of the file that the first place is in, and those that were begun since.
    fileprivate func lines(
        from mark: Mark, to end: Mark, _ body: (_ line: ArraySlice<UInt8>, _ place: Mark) -> Void
    ) throws(SyscallError) {
        var rotated: [FileName] = []
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() { if Self.isRotated(entry.name) { rotated.append(entry.name) } }
        var inodes: [UInt64] = []
        for name in rotated.sorted(by: Self.isOlder) {
            inodes.append(try folder.directory.status(of: name).identity.file.inode)
        }
        inodes.append(end.file)
        for inode in inodes[(inodes.firstIndex(of: mark.file) ?? inodes.count - 1)...] {
            // Whatever logrotate(8) has named it.
            guard let file = try file(inode) else { continue }
            var start = inode == mark.file ? mark.size : 0
            let limit = try inode == end.file ? end.size : Int64(clamping: file.descriptor.status().size)
            while start < limit {
                let line = try FiledSizes.line(of: file, from: start)
                body(line, Mark(file: inode, size: start))
                start += Int64(line.count) + 1
            }
        }
    }
}
