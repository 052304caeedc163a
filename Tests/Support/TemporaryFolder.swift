import Glibc
import InboxLinux

/// A folder of a test's own, which goes with the test.
package final class TemporaryFolder {
    /// Its path, without a slash at the end.
    package let path: String

    package init() throws {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/inbox-unit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SyscallError(.mkdirat, Errno(rawValue: errno)) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // What cannot be removed stays for whoever looks.
        try? Disk.removeTree(BytePath(path))
    }

    /// The path of a name in it, as the library takes paths.
    package func bytes(_ name: String = "") -> [UInt8] { Array((name.isEmpty ? path : path + "/" + name).utf8) }

    /// Opens it.
    package func open() throws(SyscallError) -> Directory { try Directory.open(path: bytes()) }

    /// Makes a file.
    package func write(_ name: String, _ content: String = "") throws(SyscallError) {
        let file = try FileDescriptor.open(path: bytes(name), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.write(Array(content.utf8))
    }

    /// Reads a file.
    package func read(_ name: String) throws(SyscallError) -> String {
        String(decoding: try FileDescriptor.reading(path: bytes(name)).contents(limit: 1 << 20), as: UTF8.self)
    }

    /// What stands under a name.
    package func status(_ name: String) throws(SyscallError) -> FileStatus { try FileStatus(path: bytes(name)) }

    package func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    package func makeLink(_ name: String, to target: String) { symlink(target, path + "/" + name) }
}
