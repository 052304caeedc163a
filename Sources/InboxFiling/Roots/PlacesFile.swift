import FoundationEssentials
import InboxLinux

/// `places`: the identity of each root, one JSON object a line, private to the daemon's user.
///
/// It is replaced as a whole. What cannot be read of it is as if it had never been written: the root is then taken as it
/// is found, as at a first start.
enum PlacesFile {
    fileprivate struct Line: Decodable {
        let path: String
        let device: UInt64
        let filesystem: String?
        let inode: UInt64
        let birth: String?
        let owner: UInt32
        let boot: String?
    }

    static var name: FileName { FileName("places").unsafelyUnwrapped }
    private static var temporary: FileName { FileName("places.new").unsafelyUnwrapped }
    /// Bytes; what is longer was not written by a daemon.
    private static let longest = 4 << 20

    /// Returns the remembered roots, and whether some of the file could not be understood.
    static func read(in state: OpenFolder) throws(SyscallError) -> (roots: [BytePath: RememberedRoot], isDamaged: Bool)
    {
        try removeRemains(in: state)
        let text: [UInt8]?
        do throws(SyscallError) {
            text = try state.directory.file(name).contents(limit: longest)
        } catch  where error.errno.isAbsent {
            return ([:], false)
        } catch  where !error.errno.isTransient {
            return ([:], true)
        }
        return text.map(parse) ?? ([:], true)
    }

    static func parse(_ text: [UInt8]) -> (roots: [BytePath: RememberedRoot], isDamaged: Bool) {
        let decoder = JSONDecoder()
        var roots: [BytePath: RememberedRoot] = [:]
        var isDamaged = !text.isEmpty && text.last != UInt8(ascii: "\n")
        for line in text.split(separator: UInt8(ascii: "\n")) {
            do {
                let line = try decoder.decode(Line.self, from: Data(line))
                guard let path = BytePath(escapedText: line.path), let root = RememberedRoot(line) else {
                    isDamaged = true
                    continue
                }
                roots[path] = root
            } catch {
                isDamaged = true
            }
        }
        return (roots, isDamaged)
    }

    static func text(_ roots: [BytePath: RememberedRoot]) -> [UInt8] {
        roots.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.flatMap { path, root in
            var line = JSONLine()
            line.add("path", path)
            line.add("device", root.filesystem.device)
            line.add("filesystem", root.filesystem.identifier)
            line.add("inode", root.inode)
            line.add("birth", root.birth.map { "\($0.seconds).\($0.nanoseconds)" })
            line.add("owner", root.owner)
            line.add("boot", root.boot)
            return line.finished()
        }
    }

    /// Replaces the file: written and synced under another name, then renamed.
    static func write(_ text: [UInt8], in state: OpenFolder) throws(SyscallError) {
        do throws(SyscallError) {
            let file = try state.directory.appendingFile(temporary)
            try file.truncate(to: 0)
            try file.write(text)
            try file.syncData()
            try state.directory.replace(name, by: temporary)
        } catch {
            try removeRemains(in: state)
            throw error
        }
        try state.directory.sync()
    }

    /// Removes what an interrupted or failed writing has left.
    private static func removeRemains(in state: OpenFolder) throws(SyscallError) {
        do throws(SyscallError) { try state.directory.removeFile(temporary) } catch  where error.errno.isAbsent {
            // There is nothing.
        }
    }
}

extension RememberedRoot {
    fileprivate init?(_ line: PlacesFile.Line) {
        var birth: Timestamp?
        if let text = line.birth {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = UInt32(parts[1]),
                nanoseconds < 1_000_000_000
            else { return nil }
            birth = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        }
        self.init(
            filesystem: FilesystemMark(device: line.device, identifier: line.filesystem), inode: line.inode,
            birth: birth, owner: line.owner, boot: line.boot)
    }
}

/// The writing of `places`, which waits for the disk.
package struct PlacesWriting: Sendable {
    let state: OpenFolder
    let text: [UInt8]

    /// Writes it.
    package func perform() throws(SyscallError) { try PlacesFile.write(text, in: state) }
}
