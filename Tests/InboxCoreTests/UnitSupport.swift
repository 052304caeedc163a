import Glibc
import InboxLinux
import Testing

@testable import InboxCore

/// A folder of a test's own, which goes with the test.
final class UnitFolder {
    /// Its path, without a slash at the end.
    let path: String

    init() throws {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(root)/inbox-unit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SyscallError(.mkdirat, Errno(rawValue: errno)) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        do {
            try Self.empty(try Directory.open(path: Array(path.utf8)))
        } catch {
            Issue.record("cannot clear \(path): \(error)")
        }
        rmdir(path)
    }

    private static func empty(_ folder: consuming Directory) throws(SyscallError) {
        var names: [(FileName, Bool)] = []
        var entries = try DirectoryEntries(of: folder)
        while let entry = try entries.next() { names.append((entry.name, entry.kind == .directory)) }
        for (name, isFolder) in names {
            if isFolder {
                try empty(try entries.directory.folder(name))
                try entries.directory.removeFolder(name)
            } else {
                try entries.directory.removeFile(name)
            }
        }
    }

    /// The path of a name in it, as the library takes paths.
    func bytes(_ name: String = "") -> [UInt8] { Array((name.isEmpty ? path : path + "/" + name).utf8) }

    /// Opens it.
    func open() throws(SyscallError) -> Directory { try Directory.open(path: bytes()) }

    /// Makes a file.
    func write(_ name: String, _ content: String = "") throws(SyscallError) {
        let file = try FileDescriptor.open(path: bytes(name), flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.write(Array(content.utf8))
    }

    /// Reads a file.
    func read(_ name: String) throws(SyscallError) -> String {
        String(decoding: try FileDescriptor.reading(path: bytes(name)).contents(limit: 1 << 20), as: UTF8.self)
    }

    /// What stands under a name.
    func status(_ name: String) throws(SyscallError) -> FileStatus { try FileStatus(path: bytes(name)) }

    func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    func makeLink(_ name: String, to target: String) { symlink(target, path + "/" + name) }
}

/// A name that the test knows to be one.
func aName(_ text: String) -> FileName {
    guard let name = FileName(text) else { preconditionFailure("\(text) is no name") }
    return name
}

/// Why the call failed; nil where it did not.
func failureOf(_ body: () throws -> Void) -> Errno? {
    do {
        try body()
        return nil
    } catch let error as SyscallError {
        return error.errno
    } catch {
        Issue.record(error)
        return nil
    }
}

/// Random numbers that are the same in every run (SplitMix64); a failing test names its seed.
struct UnitRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Any bytes; every other string is made of what UTF-8 and the escapes find hard.
    mutating func bytes(upTo count: Int) -> [UInt8] {
        let hard: [UInt8] = [
            0x5C, 0x78, 0x61, 0x2E, 0x2F, 0, 0x80, 0xBF, 0xC3, 0xA9, 0xE2, 0x80, 0xAE, 0xED, 0xF0, 0x9F,
        ]
        let isHard = Bool.random(using: &self)
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            isHard ? hard[Int.random(in: 0..<hard.count, using: &self)] : UInt8.random(in: 0...255, using: &self)
        }
    }
}

extension ArrivalID {
    /// A number for tests of what only hands it through.
    static func unit(_ number: UInt64) -> ArrivalID { ArrivalID(number: number) }
}
