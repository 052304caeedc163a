import CInboxLinux
import Glibc

/// Facts about this process.
package enum Process {
    /// Its number, getpid(2).
    package static var current: Int32 { getpid() }

    /// Its effective user, geteuid(2).
    package static var user: UInt32 { geteuid() }

    /// Its effective group, getegid(2).
    package static var group: UInt32 { getegid() }

    /// The name of this machine.
    package static var hostName: [UInt8] {
        var name = [UInt8](repeating: 0, count: 256)
        let isKnown = name.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { gethostname($0.assumingMemoryBound(to: CChar.self), raw.count - 1) == 0 } ?? false
        }
        return isKnown ? Array(name.prefix { $0 != 0 }) : []
    }

    /// Returns whether a process of this number is there, whoever's it is.
    package static func isThere(_ number: Int32) -> Bool { kill(number, 0) == 0 || errno == EPERM }

    /// The value of an environment variable, byte for byte; nil where it is not set.
    package static func environment(_ name: String) -> [UInt8]? {
        guard let value = getenv(name) else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// The arguments, byte for byte: names need not be UTF-8.
    ///
    /// Not those of `CommandLine`, which searches them beside the environment: a preloaded library that calls setenv(3) has
    /// moved that, and there are none.
    package static var arguments: [[UInt8]] {
        (0..<inbox_argument_count()).compactMap { index in
            inbox_argument(index).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// Where relative paths begin, getcwd(3); nil where the call fails.
    package static var workingDirectory: [UInt8]? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// The user's home folder by the user database, getpwuid_r(3); nil where it has none.
    package static var home: [UInt8]? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // The entry's texts lie in the buffer, which has to live until they are read.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, start, buffer.count, &found) == 0, found != nil, let path = entry.pw_dir
            else { return nil }
            return Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
        }
    }

    /// Raises the soft limit of open files as far as the hard one allows, but not beyond `count`: setrlimit(2). Nothing
    /// here uses select(2), which is why the soft limit is low.
    package static func raiseDescriptorLimit(to count: UInt) throws(SyscallError) {
        var limit = rlimit()
        _ = try systemCall(.getrlimit) { getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        guard limit.rlim_cur < count, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(count, limit.rlim_max)
        _ = try systemCall(.setrlimit) { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
    }

    /// Returns the number of files that may be open at once, by the current soft limit: getrlimit(2).
    package static func descriptorLimit() throws(SyscallError) -> Int {
        var limit = rlimit()
        _ = try systemCall(.getrlimit) { getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        return Int(clamping: limit.rlim_cur)
    }

    /// The part of the open files that one kind of work may have, at least a few: others need some at the same time.
    package static func descriptors(oneIn parts: Int) -> Int {
        // What a process is given where nobody has said otherwise.
        let usual = 1024
        do throws(SyscallError) { return max(8, try descriptorLimit() / parts) } catch { return usual / parts }
    }

    /// Ends the process with this status.
    package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
