import InboxLinux

/// The files of one history, the oldest first.
///
/// Only the newest is open from the beginning. The others, of which there may be thousands, are opened when they are read:
/// several clients search at a time, and what they keep open the daemon lacks for filing.
package struct HistoryFiles: Sendable {
    /// One file. Its lines are only ever appended, so that those up to `size` do not change.
    struct Part: Sendable {
        /// Where its bytes are had from.
        fileprivate enum Source {
            case open(OpenFile)
            /// A file that was rotated keeps its name.
            case rotated(FileName, in: OpenFolder, inode: UInt64)
        }

        fileprivate let source: Source
        /// Bytes: the size of the file when the search began.
        let size: Int64

        /// The file, open; nil where it was removed meanwhile.
        func file() throws(SyscallError) -> OpenFile? {
            switch source {
            case .open(let file): return file
            case .rotated(let name, let folder, let inode):
                do throws(SyscallError) {
                    let file = OpenFile(try folder.directory.file(name))
                    return try file.descriptor.status().identity.file.inode == inode ? file : nil
                } catch  where error.errno.isAbsent {
                    return nil
                }
            }
        }
    }

    private static let current = Array("history.jsonl".utf8)

    private(set) var parts: [Part]

    /// Finds what is in a state folder; nil where there is no history at all.
    package init?(folder path: BytePath) throws(SyscallError) {
        let folder = OpenFolder(try Directory.open(path: path))
        // The current file first: one that is rotated from here on is found again below, under its new name, and known
        // by its inode; the other way round it could be missed.
        var known: Set<UInt64> = []
        let newest = try Self.newest(in: folder, &known)
        var parts: [Part] = []
        for name in try Self.rotatedNames(in: folder.directory) {
            if let part = try Self.rotated(name, in: folder, &known) { parts.append(part) }
        }
        parts += newest.map { [$0] } ?? []
        if parts.isEmpty { return nil }
        self.parts = parts
    }

    private static func newest(in folder: OpenFolder, _ known: inout Set<UInt64>) throws(SyscallError) -> Part? {
        guard let name = FileName(current) else { return nil }
        do throws(SyscallError) {
            let file = OpenFile(try folder.directory.file(name))
            return part(of: .open(file), try file.descriptor.status(), &known)
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Nil where the name is gone, or is one of the newest file.
    private static func rotated(
        _ name: [UInt8], in folder: OpenFolder, _ known: inout Set<UInt64>
    ) throws(SyscallError) -> Part? {
        guard let name = FileName(name) else { return nil }
        do throws(SyscallError) {
            let status = try folder.directory.status(of: name)
            let source = Part.Source.rotated(name, in: folder, inode: status.identity.file.inode)
            return part(of: source, status, &known)
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    private static func part(of source: Part.Source, _ status: FileStatus, _ known: inout Set<UInt64>) -> Part? {
        guard status.kind == .regular, known.insert(status.identity.file.inode).inserted else { return nil }
        return Part(source: source, size: Int64(clamping: status.size))
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
