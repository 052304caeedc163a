import CInboxLinux
import Glibc

/// Reads a folder's names in parts of bounded size: getdents64(2), without a copy of the whole list.
package struct DirectoryEntries: ~Copyable {
    /// One name.
    package struct Entry: Sendable {
        /// The name.
        package let name: FileName
        /// The inode number that the folder holds for it; a mounted folder's own number differs.
        package let inode: UInt64
        /// The kind, where the filesystem reports it here.
        package let kind: FileStatus.Kind?
    }

    private let folder: Directory
    private var buffer = [UInt8](repeating: 0, count: 32 * 1024)
    private var filled = 0
    private var offset = 0

    /// Begins at the folder's first name.
    package init(of folder: consuming Directory) throws(SyscallError) {
        let number = folder.descriptor.number
        _ = try systemCall(.lseek) { lseek(number, 0, SEEK_SET) }
        self.folder = folder
    }

    /// Begins at the first name of a folder that was opened for this, so that nobody has read from the descriptor.
    package init(ofOpenedAnew folder: consuming Directory) {
        self.folder = folder
    }

    /// The folder that is being read.
    package var directory: Directory { _read { yield folder } }

    /// The next name, less `.` and `..`; nil at the end.
    package mutating func next() throws(SyscallError) -> Entry? {
        while true {
            if offset >= filled {
                let number = folder.descriptor.number
                filled = try systemCall(.getdents64, .descriptor(number)) {
                    buffer.withUnsafeMutableBytes { inbox_getdents64(number, $0.baseAddress, $0.count) }
                }
                offset = 0
                if filled == 0 { return nil }
            }
            if let entry = parse() { return entry }
        }
    }

    /// The next names, at most as many; none at the end.
    package mutating func next(atMost most: Int) throws(SyscallError) -> [Entry] {
        var found: [Entry] = []
        while found.count < most, let entry = try next() { found.append(entry) }
        return found
    }

    /// `struct linux_dirent64`: inode (8 bytes), offset (8), length (2), type (1), the name and its NUL.
    private mutating func parse() -> Entry? {
        let header = 19
        guard filled - offset > header else {
            offset = filled
            return nil
        }
        let start = offset
        let (inode, length, type) = buffer.withUnsafeBytes { raw in
            (
                raw.loadUnaligned(fromByteOffset: start, as: UInt64.self),
                Int(raw.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self)), raw[start + 18]
            )
        }
        guard length > header, start + length <= filled else {
            offset = filled
            return nil
        }
        offset += length
        guard let name = FileName(buffer[(start + header)..<(start + length)].prefix { $0 != 0 }) else { return nil }
        return Entry(name: name, inode: inode, kind: Self.kind(type))
    }

    private static func kind(_ type: UInt8) -> FileStatus.Kind? {
        switch type {
        case 0: nil
        case 4: .directory
        case 8: .regular
        case 10: .symlink
        default: .special
        }
    }
}

extension Directory {
    /// The folder has no entries.
    package var isEmpty: Bool {
        get throws(SyscallError) {
            var entries = try DirectoryEntries(of: try folder(beneath: []))
            return try entries.next() == nil
        }
    }
}
