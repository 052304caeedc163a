import InboxLinux

/// A process that has a file open for writing.
struct WritingProcess: Hashable, Sendable {
    /// Its number.
    let number: Int32
    /// The process's own name, proc_pid_comm(5): any bytes; none if it cannot be read.
    let name: [UInt8]

    /// A process of this number and name.
    init(number: Int32, name: [UInt8]) {
        self.number = number
        self.name = name
    }

    /// The process whose folder of proc(5) this is.
    init(number: Int32, folder: borrowing Directory) {
        self.init(number: number, name: Self.name(in: folder))
    }

    /// Bytes. The kernel keeps 15 of a program's name, and shows 63 of its own threads'.
    private static let longestName = 64

    private static var file: FileName { FileName("comm").unsafelyUnwrapped }

    private static func name(in folder: borrowing Directory) -> [UInt8] {
        do throws(SyscallError) {
            let text = try folder.file(file).contents(limit: longestName) ?? []
            return text.last == UInt8(ascii: "\n") ? text.dropLast() : text
        } catch {
            // It has just ended.
            return []
        }
    }
}
