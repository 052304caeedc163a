import InboxLinux

/// What is mounted where: the table of proc(5), `/proc/self/mountinfo`.
public struct MountTable: Hashable, Sendable {
    /// One mount.
    struct Mount: Hashable, Sendable {
        let identifier: UInt64
        let path: BytePath
        /// What follows in the table: its options, and the filesystem with its own.
        let rest: [UInt8]
    }

    private let mounts: [Mount]

    /// An empty table.
    public init() {
        mounts = []
    }

    /// Reads the table's text: a line a mount, of which the first field is its number and the fifth its path, with
    /// blanks and backslashes as `\\ooo`. A line that is none is left out.
    public init(_ text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count == 6, let identifier = UInt64(String(decoding: fields[0], as: UTF8.self)) else {
                return nil
            }
            return Mount(
                identifier: identifier, path: BytePath(bytes: Self.unescaped(fields[4])), rest: Array(fields[5]))
        }
    }

    /// The mounts on a folder and below it.
    func mounts(beneath path: BytePath) -> [Mount] {
        mounts.filter { $0.path == path || $0.path.isInside(path) }
    }

    /// The mounts that a folder and what is below it lie on.
    func mounts(concerning path: BytePath) -> [Mount] {
        mounts.filter { $0.path == path || $0.path.isInside(path) || path.isInside($0.path) }
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                result.append(code)
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
