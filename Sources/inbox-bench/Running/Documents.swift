import Glibc
import InboxLinux

/// The documents that are filed: of the kinds that an Inbox gets, each with a head that identifies it.
enum Documents {
    /// Bytes of a small one.
    static let size = 1024

    /// The extension, what the content begins with, and what shows that it is whole.
    typealias Kind = (suffix: String, head: [UInt8], end: [UInt8])

    static let kinds: [Kind] = [
        ("pdf", Array("%PDF-1.7\n".utf8), Array("\n%%EOF\n".utf8)),
        ("jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8), [0xFF, 0xD9]),
        (
            "png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8),
            [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
        ),
        ("html", Array("<!DOCTYPE html><html><head><title>x</title></head>".utf8), Array("</html>".utf8)),
        ("json", Array("{\"name\": \"value\", \"list\": [1, 2, 3], \"more\": \"".utf8), Array("\"}".utf8)),
        ("txt", Array("Words upon words, and then some more of them.\n".utf8), []),
    ]

    /// A photo of March 2011, as its EXIF block has it: two directories of an entry each, and the date.
    static let photo: Kind = {
        var head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 72]
        head += Array("Exif\0\0II*\0".utf8)
        head += [8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
        head += [1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0]
        head += Array("2011:03:04 05:06:07\0".utf8)
        return ("jpg", head + [0xFF, 0xDA, 0, 2], [0xFF, 0xD9])
    }()

    /// Contents of a size, one for each kind.
    static func contents(of size: Int = size, _ kinds: [Kind] = kinds) -> [[UInt8]] {
        kinds.map { kind in
            let isText = kind.head.allSatisfy { $0 < 0x80 && $0 >= 9 }
            let filler = isText ? Array("more words of text \n".utf8) : [0, 1, 0x9C, 7]
            let head = kind.head.prefix(size)
            let rest = max(0, size - head.count - kind.end.count)
            let content = Array(head) + (0..<rest).map { filler[$0 % filler.count] }
            // What JSON has in quotes goes on in one line.
            return (kind.suffix == "json" ? content.map { $0 == 0x0A ? 0x20 : $0 } : content) + kind.end
        }
    }

    /// The name of the document with a number.
    static func name(_ number: Int, _ kinds: [Kind] = kinds) -> String {
        "document-\(number).\(kinds[number % kinds.count].suffix)"
    }

    /// Makes so many documents in a folder, one after the other, as fast as it can.
    static func make(_ count: Int, in folder: String, size: Int = size, _ kinds: [Kind] = kinds) throws {
        let contents = contents(of: size, kinds)
        let target = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check("open", folder, target)
        defer { close(target) }
        for number in 0..<count {
            let name = name(number, kinds)
            let file = openat(target, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            try check("open", "\(folder)/\(name)", file)
            defer { close(file) }
            let content = contents[number % contents.count]
            guard Glibc.write(file, content, content.count) == content.count else {
                throw BenchmarkFailure("write \(folder): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Returns the number of names in a folder, without those that begin with a dot.
    static func count(in folder: String) throws -> Int {
        var count = 0
        try names(in: folder) { if $0[0] != CChar(UInt8(ascii: ".")) { count += 1 } }
        return count
    }

    /// Hands over every name in a folder, `.` and `..` included.
    static func names(in folder: String, _ body: (UnsafePointer<CChar>) -> Void) throws {
        guard let stream = opendir(folder) else {
            throw BenchmarkFailure("opendir \(folder): \(String(cString: strerror(errno)))")
        }
        defer { closedir(stream) }
        // An entry ends with its name, and so may the memory that it lies in: a copy of the structure would read on.
        let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
        while let entry = readdir(stream) {
            body((UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
        }
    }
}

extension Documents {
    /// Makes an empty file.
    static func writeEmpty(_ path: String) throws {
        let file = try check("open", path, open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
        close(file)
    }

    /// Makes a document, and returns when it was about to be closed.
    static func drop(_ content: [UInt8], at path: String) throws -> Instant {
        let file = try check("open", path, open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644))
        let count = Glibc.write(file, content, content.count)
        let moment = Instant.now()
        close(file)
        guard count == content.count else { throw BenchmarkFailure("write \(path): \(count) bytes") }
        return moment
    }

    /// Makes so many files of one byte that take no room: holes.
    static func makeHoles(_ count: Int, in folder: String) throws {
        let target = try check("open", folder, open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        defer { close(target) }
        for number in 0..<count {
            let file = openat(target, name(number), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            try check("open", folder, file)
            defer { close(file) }
            try check("ftruncate", folder, ftruncate(file, 1))
        }
    }
}

extension Documents {
    /// Writes a file that consists of so many equal parts.
    static func write(_ part: [UInt8], times: Int, to path: String) throws {
        let file = try check("open", path, open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644))
        defer { close(file) }
        for _ in 0..<times {
            guard Glibc.write(file, part, part.count) == part.count else {
                throw BenchmarkFailure("write \(path): \(String(cString: strerror(errno)))")
            }
        }
    }
}
