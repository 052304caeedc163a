import InboxLinux

/// A file in the memory of a process, as a line of proc_pid_maps(5) has it.
struct MappedFile: Hashable {
    /// Which file, as ``FileKey/device`` and ``FileKey/inode`` have it.
    let device, inode: UInt64

    /// Reads a line such as `7f00-7f01 rw-s 00000000 fe:01 42 /a`.
    ///
    /// Nil where what the process writes into that memory does not reach the file, and where the line is none.
    init?(written line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count >= 5, Self.isWritten(Array(fields[1])) else { return nil }
        let numbers = fields[3].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard numbers.count == 2, let major = Self.number(numbers[0], radix: 16),
            let minor = Self.number(numbers[1], radix: 16),
            let inode = UInt64(String(decoding: fields[4], as: UTF8.self))
        else { return nil }
        self.device = UInt64(major) << 32 | UInt64(minor)
        self.inode = inode
    }

    /// The same marks of a file that is not in memory.
    init(_ file: FileKey) {
        device = file.device
        inode = file.inode
    }

    /// Of `rwxs`: writable, and shared with the file.
    private static func isWritten(_ permissions: [UInt8]) -> Bool {
        permissions.count == 4 && permissions[1] == UInt8(ascii: "w") && permissions[3] == UInt8(ascii: "s")
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> UInt32? {
        UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
