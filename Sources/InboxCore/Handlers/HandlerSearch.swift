import FoundationEssentials
import InboxFiling
import InboxLinux
import UniformTypeIdentifiers

/// Finds the documents in the history whose handlers have not ended: after a start, on a thread of its own.
struct HandlerSearch: Sendable {
    /// The members of a record that matter here.
    fileprivate struct Record: Decodable {
        let id: String
        let event: String
        let source: String?
        let destination: String?
        let type: String?
        let mime: String?
        let size: UInt64?
        let documentType: String?
        let proof: String?
        let annotations: [String: String]?
        let facts: [String: String]?
        let date: String?
        let title: String?
        let author: String?
        let origin: String?
        let application: String?

        /// The properties that the document states of itself, by the names of the members.
        var told: [String: String] {
            ["date": date, "title": title, "author": author, "origin": origin, "application": application]
                .compactMapValues(\.self)
        }
        let owner: UInt32?
        let identity: [String]?
    }

    let history: History
    /// Which document type gets what an interrupted run has moved: its record was made without that.
    let choice: DocumentTypeChoice

    /// A file of the history, and what of it is searched.
    private typealias Part = (file: OpenFile, start: Int64, end: Int64)

    /// The documents of filed records between two places that have no handler's record and were not put back, in their
    /// order.
    /// - Parameter most: no more of an owner are kept at a time, as ``HandlerShares`` has it; where there are more, the
    ///   first ones are returned.
    /// - Returns: the documents, and the owners of others.
    func documents(
        after mark: History.Mark, to end: History.Mark, most: Int = .max,
        where isWanted: (HandledDocument) -> Bool = { _ in true }
    ) throws(SyscallError) -> (documents: [HandledDocument], full: Set<UInt32>) {
        var parts = try parts(from: mark, to: end)
        while true {
            let (documents, full, rest) = try documents(in: parts, most: most, where: isWanted)
            guard documents.isEmpty, let rest else { return (documents, full) }
            // All of the first ones have ended: the search goes on with those that there was no room for.
            parts = Array(parts.dropFirst(rest.part))
            parts[0].start = rest.offset
        }
    }

    /// The documents of one pass, the owners of those that there was no room for, and where the first of these is.
    private func documents(
        in parts: [Part], most: Int, where isWanted: (HandledDocument) -> Bool
    ) throws(SyscallError) -> ([HandledDocument], full: Set<UInt32>, rest: (part: Int, offset: Int64)?) {
        var shares = HandlerShares(most: most)
        var full: Set<UInt32> = []
        var found: [String: HandledDocument] = [:]
        var order: [String] = []
        var rest: (part: Int, offset: Int64)?
        for (number, part) in parts.enumerated() {
            try lines(of: part) { line, offset in
                guard let record = Self.record(line) else { return }
                if record.event == "handler" || record.event == "undone" {
                    if let ended = found.removeValue(forKey: record.id) { shares.giveBack(ended.owner) }
                } else if let document = HandledDocument(record.id, record, choice), isWanted(document),
                    found[record.id] == nil
                {
                    guard !full.contains(document.owner), shares.take(for: document.owner) else {
                        full.insert(document.owner)
                        rest = rest ?? (number, offset)
                        return
                    }
                    found[record.id] = document
                    order.append(record.id)
                }
            }
        }
        return (order.compactMap { found[$0] }, full, rest)
    }

    /// The files that have what was recorded between two places: the one that the first place is in, whatever somebody
    /// such as logrotate(8) has named it, all that were rotated since, and the one that the second place is in.
    private func parts(from mark: History.Mark, to end: History.Mark) throws(SyscallError) -> [Part] {
        var rotated: [FileName] = []
        var entries = try DirectoryEntries(of: try history.folder.directory.folder(beneath: []))
        let present = history.state.withLock { $0.file }
        var renamed: [FileName] = []
        while let entry = try entries.next() {
            if History.isRotated(entry.name) {
                rotated.append(entry.name)
            } else if entry.inode == mark.file, entry.name != History.name {
                renamed = [entry.name]
            }
        }
        var files: [OpenFile] = []
        for name in renamed + rotated.sorted(by: History.isOlder) {
            files.append(OpenFile(try history.folder.directory.file(name)))
        }
        var parts: [Part] = []
        var known: Set<UInt64> = []
        for (number, file) in (files + [present]).enumerated() {
            let status = try file.descriptor.status()
            let inode = status.identity.file.inode
            let isFirst = inode == mark.file
            // It may have been rotated since it was opened.
            guard known.insert(inode).inserted, isFirst || !parts.isEmpty || number == files.count else { continue }
            let limit = inode == end.file ? end.size : Int64(clamping: status.size)
            // Somebody cut the file off, where it is shorter now.
            parts.append((file, isFirst && mark.size <= limit ? mark.size : 0, limit))
            if inode == end.file { break }
        }
        return parts
    }

    /// Returns true if a place is still in the history: somebody may have moved, removed or truncated a file.
    static func finds(_ mark: History.Mark, in history: History) throws(SyscallError) -> Bool {
        let present = history.mark
        if present.file == mark.file { return mark.size <= present.size }
        var entries = try DirectoryEntries(of: try history.folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard entry.inode == mark.file else { continue }
            let status = try history.folder.directory.status(of: entry.name)
            return status.kind == .regular && mark.size <= Int64(clamping: status.size)
        }
        return false
    }

    private func lines(of part: Part, _ body: (_ line: [UInt8], _ offset: Int64) -> Void) throws(SyscallError) {
        var offset = part.start
        var line: [UInt8] = []
        while offset < part.end {
            let count = min(64 * 1024, Int(clamping: part.end - offset))
            let block = try part.file.descriptor.bytes(from: offset, count: count)
            if block.isEmpty { break }
            for byte in block {
                offset += 1
                if byte == UInt8(ascii: "\n") {
                    body(line, offset - Int64(line.count) - 1)
                    line.removeAll(keepingCapacity: true)
                } else {
                    line.append(byte)
                }
            }
        }
    }

    /// Returns the document of a filed record.
    static func document(_ line: [UInt8], _ choice: DocumentTypeChoice) -> HandledDocument? {
        record(line).flatMap { HandledDocument($0.id, $0, choice) }
    }

    private static func record(_ line: [UInt8]) -> Record? {
        // Two of the kinds of lines matter; the others are not worth a parser.
        guard line.first == UInt8(ascii: "{") else { return nil }
        do { return try JSONDecoder().decode(Record.self, from: Data(line)) } catch { return nil }
    }
}

extension HandledDocument {
    fileprivate init?(_ id: String, _ record: HandlerSearch.Record, _ choice: DocumentTypeChoice) {
        guard record.event == "filed",
            let source = record.source.flatMap(BytePath.init(escapedText:)),
            let path = record.destination.flatMap(BytePath.init(escapedText:))
        else { return nil }
        var documentType = record.documentType
        if documentType == nil, record.proof == FiledRecord.Proof.recovered.rawValue,
            let type = record.type
        {
            documentType = choice.winner(
                recoveredFrom: source, type, size: record.size ?? 0, annotations: record.annotations ?? [:])
        }
        guard let documentType else { return nil }
        self.init(
            id: id, path: path, source: source, type: record.type ?? "public.data", mime: record.mime,
            size: record.size ?? 0, documentType: documentType, annotations: record.annotations ?? [:],
            facts: record.facts ?? [:], told: record.told, owner: record.owner,
            identity: record.identity.flatMap(FileIdentity.init(numbers:)))
    }
}
