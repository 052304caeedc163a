import InboxLinux

/// The files of one history, open, the oldest first.
package struct HistoryFiles: Sendable {
    /// One file. Its lines are only ever appended, so that those up to `size` do not change.
    struct Part: Sendable {
        let file: OpenFile
        /// How many bytes it had when it was opened.
        let size: Int64
    }

    private static let current = Array("history.jsonl".utf8)

    private(set) var parts: [Part]

    /// Opens what is in a state folder; nil where there is no history at all.
    package init?(folder path: BytePath) throws(SyscallError) {
        let folder = try Directory.open(path: path)
        // The current file first: one that is rotated from here on is found again below, under its new name, and known
        // by its inode; the other way round it could be missed.
        var known: Set<UInt64> = []
        let newest = try Self.open(Self.current, in: folder, &known)
        var parts: [Part] = []
        for name in try Self.rotatedNames(in: folder) {
            if let part = try Self.open(name, in: folder, &known) { parts.append(part) }
        }
        parts += newest.map { [$0] } ?? []
        if parts.isEmpty { return nil }
        self.parts = parts
    }

    /// Nil where the name is gone, or is one that is open already.
    private static func open(
        _ name: [UInt8], in folder: borrowing Directory, _ known: inout Set<UInt64>
    ) throws(SyscallError) -> Part? {
        guard let name = FileName(name) else { return nil }
        do throws(SyscallError) {
            let file = try folder.file(name)
            let status = try file.status()
            guard status.kind == .regular, known.insert(status.identity.file.inode).inserted else { return nil }
            return Part(file: OpenFile(file), size: Int64(clamping: status.size))
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// `history-YYYYMMDDTHHMMSS.jsonl` and `history-YYYYMMDDTHHMMSS-1.jsonl`, by time and then by number.
    private static func rotatedNames(in folder: borrowing Directory) throws(SyscallError) -> [[UInt8]] {
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        var found: [(stamp: [UInt8], number: Int, name: [UInt8])] = []
        while let entry = try entries.next() {
            let name = Array(entry.name.bytes)
            guard name.starts(with: "history-".utf8), name.suffix(6).elementsEqual(".jsonl".utf8) else { continue }
            let fields = name.dropFirst(8).dropLast(6).split(separator: UInt8(ascii: "-"), maxSplits: 1)
            guard let stamp = fields.first else { continue }
            let number = fields.count < 2 ? 0 : Int(String(decoding: fields[1], as: UTF8.self)) ?? 0
            found.append((Array(stamp), number, name))
        }
        found.sort { left, right in
            left.stamp == right.stamp
                ? left.number < right.number : left.stamp.lexicographicallyPrecedes(right.stamp)
        }
        return found.map(\.name)
    }
}
