import Glibc

extension Stage {
    /// Makes a file elsewhere and renames it into the Inbox: it is complete when it is seen first.
    package func moveIn(_ bytes: [UInt8], as name: TestPath) throws {
        try Disk.put(bytes, at: root / "outside" / name)
        try Disk.move(root / "outside" / name, to: inbox / name)
    }
}

/// `inboxctl events --json`, running beside a test, and what it has reported so far.
package final class Follower {
    package let program: Program
    private let output: TestPath
    private let errors: TestPath
    private var read: [JSONValue] = []
    private var counts: [String: Int] = [:]
    /// How many bytes of the output have been read: each line is read once.
    private var position: off_t = 0

    /// Starts it and waits until it misses nothing any more.
    package init(_ stage: Stage, _ name: TestPath, _ arguments: [TestPath] = []) async throws {
        output = stage.root / "log" / TestPath(name.bytes + Array(".events".utf8))
        errors = stage.root / "log" / TestPath(name.bytes + Array(".err".utf8))
        program = try Program(
            stage.controlProgram, ["--socket", stage.socket, "events", "--json"] + arguments,
            environment: stage.environment, output: output, errors: errors)
        try await eventually { try self.all().isEmpty ? "nothing reported, but: \(Disk.text(errors))" : nil }
    }

    /// What it wrote to standard error.
    package var complaints: String { Disk.text(errors) }

    /// Every event so far; a line that is being written is left out.
    package func all() throws -> [JSONValue] {
        let descriptor = try Disk.open(output, O_RDONLY)
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, position) }
            guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) else { return read }
            let lines = try JSONValue.parseLines(String(decoding: buffer[...end], as: UTF8.self))
            for line in lines { counts[line["kind"]?.string ?? "-", default: 0] += 1 }
            read += lines
            position += off_t(end + 1)
        }
    }

    /// How many events of a kind were reported so far.
    package func count(of kind: String) throws -> Int {
        _ = try all()
        return counts[kind, default: 0]
    }

    /// The kinds of the events about a name, in their order.
    package func kinds(of name: TestPath) throws -> [String] {
        try events(of: name).map { $0["kind"]?.string ?? "-" }
    }

    /// The events about a name, in their order.
    package func events(of name: TestPath) throws -> [JSONValue] {
        try all().filter { event in
            event["path"]?.string.map { TestPath(pathBytes(fromJSON: $0)).ends(with: name) } ?? false
        }
    }

    /// Waits until a condition holds of all that was reported.
    package func expect(_ what: String, _ condition: ([JSONValue]) throws -> Bool) async throws {
        try await eventually {
            let events = try all()
            return try condition(events) ? nil : "\(what): not reported, but \(events.suffix(30)) \(complaints)"
        }
    }
}
