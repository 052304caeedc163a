import InboxLinux

extension History {
    /// A place in the history: what is recorded after this moment stands behind it, or in a later file.
    struct Mark: Hashable, Sendable {
        /// The inode number of the file, which it keeps when it is rotated.
        let file: UInt64
        /// Its length.
        let size: Int64
    }

    /// Where the history ends now.
    var mark: Mark { state.withLock { Mark(file: $0.inode, size: $0.size) } }

    /// A wall clock that was set back by more than this could hide a file that was rotated since.
    private static let clockSlack: Int64 = 86_400

    /// Which of these intents have a record already.
    ///
    /// It is read from where the history ended when they were written down; where that is not known, or the file has
    /// been rotated since, from the beginning, and every file that was written to since then.
    func recorded(_ intents: [Intent]) throws(SyscallError) -> Set<String> {
        guard !intents.isEmpty else { return [] }
        let (file, inode, size) = state.withLock { ($0.file, $0.inode, $0.size) }
        var search = RecordSearch(for: intents.map(\.id))
        let marks = intents.compactMap { $0.historyMark?.file == inode ? $0.historyMark?.size : nil }
        guard marks.count == intents.count, let first = marks.min() else {
            try search.look(through: file.descriptor, from: 0, to: size)
            try lookThroughRotated(&search, since: intents.compactMap { RecordID($0.id)?.seconds }.min() ?? .min)
            return search.found
        }
        // Somebody cut the file off, where it is shorter now.
        try search.look(through: file.descriptor, from: first <= size ? first : 0, to: size)
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
            try search.look(through: opened.descriptor, from: 0, to: Int64(clamping: status.size))
        }
    }
}

/// Looks for records by their ids, in parts of bounded size: each line of a history begins with its id.
private struct RecordSearch {
    private static let head = Array("{\"id\":\"".utf8)
    private static let idLength = 16

    private var wanted: Set<[UInt8]>
    private(set) var found: Set<String> = []

    init(for ids: [String]) {
        wanted = Set(ids.map { Self.head + Array($0.utf8) + [UInt8(ascii: "\"")] })
    }

    var isDone: Bool { wanted.isEmpty }

    /// Reads from the beginning of a line to an offset.
    mutating func look(
        through file: borrowing FileDescriptor, from start: Int64, to end: Int64
    ) throws(SyscallError) {
        let needed = Self.head.count + Self.idLength + 1
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        var line: [UInt8] = []
        var offset = start
        while offset < end, !isDone {
            let count = min(try file.read(into: &part, at: offset), Int(clamping: end - offset))
            if count == 0 { break }
            offset += Int64(count)
            var rest = part[..<count]
            while !rest.isEmpty {
                let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
                if line.count < needed { line += rest[..<(newline ?? rest.endIndex)].prefix(needed - line.count) }
                guard let newline else { break }
                take(line)
                line = []
                rest = rest[(newline + 1)...]
            }
        }
    }

    private mutating func take(_ line: [UInt8]) {
        guard wanted.remove(line) != nil else { return }
        found.insert(String(decoding: line.dropFirst(Self.head.count).prefix(Self.idLength), as: UTF8.self))
    }
}
