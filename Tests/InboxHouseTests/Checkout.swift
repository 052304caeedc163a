import Glibc

/// The files of this checkout, read without Foundation.
enum Checkout {
    /// A folder or file that could not be read.
    struct Unreadable: Error {
        let path: String
    }

    static let root: String = {
        var parts = String(describing: #filePath).split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }()

    static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return lstat(root + "/" + path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool {
        access(root + "/" + path, F_OK) == 0
    }

    /// The names in a folder, sorted.
    static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(root + "/" + folder) else { throw Unreadable(path: folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // A copy of all of `d_name` could read past the end of the memory that the record lies in.
            guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { continue }
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let bytes = Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
            let name = String(decoding: bytes, as: UTF8.self)
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Every file beneath a folder whose name ends in one of these.
    static func files(in folder: String, endingIn suffixes: [String]) throws -> [String] {
        try names(in: folder).flatMap { name in
            let path = folder + "/" + name
            if isFolder(path) { return try files(in: path, endingIn: suffixes) }
            return suffixes.contains { name.hasSuffix($0) } ? [path] : []
        }
    }

    static func text(_ path: String) throws -> String {
        guard let stream = fopen(root + "/" + path, "re") else { throw Unreadable(path: path) }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
