import Glibc

/// A call on the disk that failed.
package struct DiskError: Error, CustomStringConvertible {
    package let call: String
    package let path: TestPath
    package let code: Int32

    package init(call: String, path: TestPath, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    package var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
}

/// The disk as a test's hand uses it: byte-exact paths, no Foundation.
package enum Disk {
    package enum Kind: Sendable { case file, folder, link, special }

    @discardableResult
    package static func check(_ call: String, _ path: TestPath, _ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw DiskError(call: call, path: path, code: errno) }
        return result
    }

    /// What is at the path, or nil where nothing is.
    package static func kind(_ path: TestPath) -> Kind? {
        var info = stat()
        guard path.withCString({ lstat($0, &info) }) == 0 else { return nil }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        case S_IFLNK: return .link
        default: return .special
        }
    }

    package static func exists(_ path: TestPath) -> Bool { kind(path) != nil }

    /// The permission bits.
    package static func mode(_ path: TestPath) throws -> mode_t {
        var info = stat()
        try check("lstat", path, path.withCString { lstat($0, &info) })
        return info.st_mode & 0o7777
    }

    /// The user that owns what is at the path; nil where nothing is.
    package static func owner(_ path: TestPath) -> uid_t? {
        var info = stat()
        return path.withCString { lstat($0, &info) } == 0 ? info.st_uid : nil
    }

    /// The inode number.
    package static func inode(_ path: TestPath) throws -> UInt64 {
        var info = stat()
        try check("lstat", path, path.withCString { lstat($0, &info) })
        return UInt64(info.st_ino)
    }

    /// Opens; every descriptor closes on exec, else a daemon that is spawned meanwhile would be a writer itself.
    package static func open(_ path: TestPath, _ flags: Int32, mode: mode_t = 0o644) throws -> Int32 {
        try check("open", path, path.withCString { Glibc.open($0, flags | O_CLOEXEC, mode) })
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: TestPath) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw DiskError(call: "write", path: path, code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes or rewrites a file, as a program that opens, writes and closes.
    package static func put(_ bytes: [UInt8], at path: TestPath) throws {
        try Program.starting.withLock { _ in
            let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
            defer { close(descriptor) }
            try write(bytes, to: descriptor, path)
        }
    }

    package static func append(_ bytes: [UInt8], to path: TestPath) throws {
        try Program.starting.withLock { _ in
            let descriptor = try open(path, O_WRONLY | O_APPEND)
            defer { close(descriptor) }
            try write(bytes, to: descriptor, path)
        }
    }

    package static func read(_ path: TestPath) throws -> [UInt8] {
        let descriptor = try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw DiskError(call: "read", path: path, code: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// The text of a file, nothing where it cannot be read: for reports on failures.
    package static func text(_ path: TestPath) -> String {
        (try? read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package static func linkTarget(_ path: TestPath) throws -> TestPath {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = path.withCString { readlink($0, &buffer, buffer.count) }
        guard count >= 0 else { throw DiskError(call: "readlink", path: path, code: errno) }
        return TestPath(buffer[..<count].map { UInt8(bitPattern: $0) })
    }

    /// The names in a folder, sorted by their bytes.
    package static func names(in folder: TestPath) throws -> [TestPath] {
        guard let stream = folder.withCString({ opendir($0) }) else {
            throw DiskError(call: "opendir", path: folder, code: errno)
        }
        defer { closedir(stream) }
        var names: [TestPath] = []
        while let entry = readdir(stream) {
            let name = TestPath(bytes(of: entry))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The name of an entry. Its record ends with the name, and so may the memory that it lies in: a copy of all of
    /// `d_name` would read on.
    package static func bytes(of entry: UnsafePointer<dirent>) -> [UInt8] {
        guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { return [] }
        let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Everything beneath a folder but folders that hold something; an empty folder ends with a slash. A folder that a
    /// daemon removes meanwhile is left out.
    package static func leaves(of folder: TestPath, except hidden: Set<TestPath> = []) throws -> [TestPath] {
        var leaves: [TestPath] = []
        func walk(_ names: [TestPath], _ path: TestPath, _ shown: TestPath) throws {
            for name in names where !hidden.contains(path / name) {
                let next = shown / name
                guard kind(path / name) == .folder else {
                    leaves.append(next)
                    continue
                }
                let inside: [TestPath]
                do { inside = try Disk.names(in: path / name) } catch let error as DiskError
                    where [ENOENT, ESTALE].contains(error.code)
                {
                    continue
                }
                let before = leaves.count
                try walk(inside, path / name, next)
                if leaves.count == before { leaves.append(TestPath(next.bytes + [UInt8(ascii: "/")])) }
            }
        }
        try walk(try names(in: folder), folder, "")
        return leaves
    }

    package static func makeFolder(_ path: TestPath) throws {
        try check("mkdir", path, path.withCString { mkdir($0, 0o755) })
    }

    package static func makeFolders(_ path: TestPath) throws {
        if kind(path) == .folder { return }
        if path.parent != path && path.parent != "." { try makeFolders(path.parent) }
        try makeFolder(path)
    }

    package static func move(_ path: TestPath, to target: TestPath) throws {
        try check("rename", path, path.withCString { from in target.withCString { Glibc.rename(from, $0) } })
    }

    package static func link(_ path: TestPath, to target: TestPath) throws {
        try check("link", target, path.withCString { from in target.withCString { Glibc.link(from, $0) } })
    }

    package static func makeLink(_ path: TestPath, to target: TestPath) throws {
        try check("symlink", path, target.withCString { to in path.withCString { symlink(to, $0) } })
    }

    package static func remove(_ path: TestPath) throws {
        try check("unlink", path, path.withCString { unlink($0) })
    }

    /// Removes a tree; folders that the test closed are opened first, since this also clears up after failures.
    package static func removeTree(_ path: TestPath) throws {
        guard kind(path) == .folder else { return try remove(path) }
        _ = path.withCString { chmod($0, 0o755) }
        for name in try names(in: path) { try removeTree(path / name) }
        try check("rmdir", path, path.withCString { rmdir($0) })
    }
}
