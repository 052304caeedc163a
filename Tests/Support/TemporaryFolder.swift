import Glibc
import InboxLinux

/// A folder of a test's own, which goes with the test.
package final class TemporaryFolder {
    /// Its path, without a slash at the end.
    package let path: String

    /// - Parameter place: a folder on the wanted filesystem; nil for `TMPDIR`.
    package init(in place: String? = nil) throws {
        path = try TestRun.current.makeFolder(in: place.map { TestPath($0) }).description
    }

    deinit {
        // What cannot be removed stays for whoever looks.
        try? Disk.removeTree(TestPath(path))
    }

    /// The path of a name in it, as the library takes paths.
    package func bytePath(_ name: String = "") -> BytePath { BytePath(path).appending(name) }

    /// The address of a socket in it.
    package func address(_ name: String) throws -> SocketAddress {
        guard let address = SocketAddress(bytePath(name)) else { throw NoAddress() }
        return address
    }

    private struct NoAddress: Error {}

    /// Opens it.
    package func open() throws(SyscallError) -> Directory { try Directory.open(path: bytePath()) }

    /// Makes a file.
    package func write(_ name: String, _ content: String = "") throws(SyscallError) {
        try Program.starting.withLock { (_) throws(SyscallError) in
            let file = try FileDescriptor.open(path: bytePath(name), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
            try file.write(Array(content.utf8))
        }
    }

    /// Reads a file.
    package func read(_ name: String) throws(SyscallError) -> String {
        let content = try FileDescriptor.reading(path: bytePath(name)).contents(limit: 1 << 20)
        return String(decoding: content ?? [], as: UTF8.self)
    }

    /// What has a name.
    package func status(_ name: String) throws(SyscallError) -> FileStatus { try FileStatus(path: bytePath(name)) }

    package func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    package func rename(_ name: String, to other: String) { Glibc.rename(path + "/" + name, path + "/" + other) }

    package func makeLink(_ name: String, to target: String) { symlink(target, path + "/" + name) }
}
