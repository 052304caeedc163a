import Glibc

/// A folder for one test on another filesystem than the tests' own: shared memory, which needs no rights.
package struct OtherFilesystem {
    /// Whether there is one: /dev/shm may be missing, or the tests may be played there.
    package static var isThere: Bool {
        let stories = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        guard let own = device(of: stories), let other = device(of: "/dev/shm") else { return false }
        return own != other && access("/dev/shm", W_OK) == 0
    }

    package let path: BytePath

    package init() throws {
        var template = Array("/dev/shm/inboxd.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp in /dev/shm: \(errno)") }
        path = BytePath(template.dropLast().map { UInt8(bitPattern: $0) })
    }

    private static func device(of path: String) -> dev_t? {
        var told = stat()
        return stat(path, &told) == 0 ? told.st_dev : nil
    }
}
