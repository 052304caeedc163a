import InboxFiling
import InboxLinux

extension History {
    typealias Mark = HistoryMark

    /// Where the history ends now, less what is being written.
    var mark: Mark { end.withLock { $0 } }

    /// A wall clock that was set back by more than this could hide a file that was rotated since.
    private static let clockSlack: Int64 = 86_400

    /// A record that may be there.
    struct Wanted {
        /// The id of the operation.
        let id: String
        /// Where the history ended when it was begun; nil where that is not known.
        let mark: Mark?
        /// The beginning of the record's line.
        let head: [UInt8]

        /// The record of an operation that has its own id.
        init(id: String, mark: Mark?) {
            var line = JSONLine()
            line.add("id", id)
            self.init(id: id, mark: mark, head: line.bytes)
        }

        init(id: String, mark: Mark?, head: [UInt8]) {
            self.id = id
            self.mark = mark
            self.head = head
        }
    }

    /// Which of these ids have a record already.
    func recorded(_ wanted: [Wanted]) throws(SyscallError) -> Set<String> { Set(try places(of: wanted).keys) }

    /// The places of the records of these ids, as far as they have one already.
    ///
    /// It is read from where the history ended when they were written down; where that is not known, or the file has
    /// been rotated since, from the beginning, and every file that was written to since then.
    func places(of wanted: [Wanted]) throws(SyscallError) -> [String: Mark] {
        guard !wanted.isEmpty else { return [:] }
        let (file, inode, size) = state.withLock { ($0.file, $0.inode, $0.size) }
        var search = RecordSearch(for: wanted)
        let marks = wanted.compactMap { $0.mark?.file == inode ? $0.mark?.size : nil }
        guard marks.count == wanted.count, let first = marks.min() else {
            try search.look(through: file.descriptor, inode, from: 0, to: size)
            try lookThroughRotated(&search, since: wanted.compactMap { RecordID($0.id)?.seconds }.min() ?? .min)
            return search.found
        }
        // Somebody cut the file off, where it is shorter now.
        try search.look(through: file.descriptor, inode, from: first <= size ? first : 0, to: size)
        return search.found
    }

    private func lookThroughRotated(_ search: inout RecordSearch, since seconds: Int64) throws(SyscallError) {
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while !search.isDone, let entry = try entries.next() {
            guard Self.isRotated(entry.name) else { continue }
            let opened = OpenFile(try folder.directory.file(entry.name))
            let status = try opened.descriptor.status()
            guard status.kind == .regular, status.identity.modified.seconds >= seconds &- Self.clockSlack else {
                continue
            }
            try search.look(
                through: opened.descriptor, status.identity.file.inode, from: 0, to: Int64(clamping: status.size))
        }
    }
}

/// Looks for records by how their lines begin, in parts of bounded size.
private struct RecordSearch {
    /// The ids that are not found yet, by the heads of their lines.
    private var wanted: [[UInt8]: String] = [:]
    private(set) var found: [String: HistoryMark] = [:]
    /// The lengths of the heads, of which there are no more than two.
    private let lengths: [Int]

    init(for records: [History.Wanted]) {
        for record in records { wanted[record.head] = record.id }
        lengths = Set(records.map(\.head.count)).sorted()
    }

    var isDone: Bool { wanted.isEmpty }

    /// Reads a file of this inode number from the beginning of a line to an offset.
    mutating func look(
        through file: borrowing FileDescriptor, _ inode: UInt64, from start: Int64, to end: Int64
    ) throws(SyscallError) {
        let needed = lengths.last ?? 0
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        var line: [UInt8] = []
        var (offset, beginning) = (start, start)
        while offset < end, !isDone {
            let count = min(try file.read(into: &part, at: offset), Int(clamping: end - offset))
            if count == 0 { break }
            let base = offset
            offset += Int64(count)
            var rest = part[..<count]
            while !rest.isEmpty {
                let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
                if line.count < needed { line += rest[..<(newline ?? rest.endIndex)].prefix(needed - line.count) }
                guard let newline else { break }
                take(line, at: HistoryMark(file: inode, size: beginning))
                line = []
                rest = rest[(newline + 1)...]
                beginning = base + Int64(newline) + 1
            }
        }
    }

    private mutating func take(_ line: [UInt8], at place: HistoryMark) {
        for length in lengths where line.count >= length {
            if let id = wanted.removeValue(forKey: Array(line[..<length])) { found[id] = place }
        }
    }
}
