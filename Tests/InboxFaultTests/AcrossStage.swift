import Glibc
import InboxTestSupport

/// A daemon that has to copy: its first Inbox lies on another filesystem than Documents, its second one does not.
///
/// A copy of at least ``mebibytes`` waits at a barrier after its second MiB, once in the daemon's life or at each MiB; a
/// test may set up the barrier before another call.
final class AcrossStage {
    /// A plan that keeps the kernel from copying by itself, so that each MiB is a call of its own.
    private static let stepwise = "copy_file_range:*:18"
    /// So large is a document that does not pass the barrier before the test lets it.
    static let mebibytes = 8

    let stage: Stage
    let barrier: Barrier
    private let other: OtherFilesystem

    /// - Parameters:
    ///   - plan: one more fault plan, for all runs.
    ///   - call: the call that waits, as fault plans name it: the one that writes a MiB, unless the test says otherwise.
    ///   - when: which of these calls wait: their numbers, or `*` for each.
    init(
        _ plan: String? = nil, before call: String = "pwrite@/Documents/", at when: [String] = ["3"],
        settings: [TestPath] = []
    ) throws {
        other = try OtherFilesystem()
        stage = try Stage(settings: ["Inbox.Settle=0"] + settings)
        barrier = try Barrier(at: stage.root / "barrier")
        let waits = when.map { "\(call):\($0):WAIT=\(barrier.path)" }
        let plans = [plan, Self.stepwise].compactMap { $0 } + waits
        stage.variables = ["INBOXD_FAULT=\(plans.joined(separator: ";"))"]
        for folder in [inbox, outside] { try Disk.makeFolder(folder) }
    }

    deinit {
        barrier.open()
        stage.close()
        // What cannot be removed stays for whoever looks.
        try? Disk.removeTree(other.path)
    }

    /// The Inbox whose documents have to be copied.
    var inbox: TestPath { other.path / "Inbox" }

    /// A folder beside that Inbox.
    var outside: TestPath { other.path / "outside" }

    /// Starts a daemon with both Inboxes.
    func start(_ arguments: [TestPath] = []) async throws {
        try await stage.start(["--inbox", inbox, "--inbox", "Inbox"] + arguments)
    }

    /// A large document of which every MiB differs.
    static func large(_ first: UInt8 = 1) -> [UInt8] {
        (0..<UInt8(mebibytes)).flatMap { [UInt8](repeating: first &+ $0, count: 1 << 20) }
    }

    /// Makes a file elsewhere and renames it into the Inbox.
    func moveIn(_ bytes: [UInt8], as name: TestPath) throws {
        try Disk.put(bytes, at: outside / name)
        try Disk.move(outside / name, to: inbox / name)
    }

    /// Moves a large document in, and waits until its copy is at the barrier.
    /// - Parameter first: its name before.
    func beginCopy(of name: TestPath = "big.bin", from first: TestPath? = nil) async throws {
        let path = outside / (first ?? name)
        try Disk.put(Self.large(), at: path)
        try Disk.move(path, to: inbox / name)
        try await barrier.reached()
    }

    /// A way to a source that needs no path in the Inbox, which it has none of while it is copied.
    enum Door: CaseIterable, Sendable {
        /// A descriptor from before, opened again through `/proc/self/fd`.
        case descriptor
        /// Another name of the file, outside the Inbox.
        case name
    }

    /// Moves a large document in, and waits until it is at the barrier.
    /// - Returns: a path that still leads to its source, and the descriptor that has to be closed for that to end.
    func beginCopy(of name: TestPath = "big.bin", through door: Door) async throws -> (path: TestPath, held: Int32) {
        try Disk.put(Self.large(), at: outside / name)
        if door == .name { try Disk.link(outside / name, to: outside / "another name") }
        let held = try Disk.open(outside / name, O_RDONLY)
        try Disk.move(outside / name, to: inbox / name)
        try await barrier.reached()
        return (door == .name ? outside / "another name" : TestPath("/proc/self/fd/\(held)"), held)
    }

    /// Waits until somebody who opens the file is kept waiting by the daemon's lease, which proc_locks(5) shows.
    static func expectBreaking(_ path: TestPath) async throws {
        var info = stat()
        try Disk.check("stat", path, path.withCString { stat($0, &info) })
        let inode = info.st_ino
        try await eventually(every: .milliseconds(5)) {
            let lines = Disk.text("/proc/locks").split(separator: "\n")
            let isWaiting = lines.contains { $0.contains(" BREAKING ") && $0.contains(":\(inode) ") }
            return isWaiting ? nil : "nobody waits for a lease of \(path)"
        }
    }

    /// Where the source of this name lies while it is copied: nobody else enters the staging folder.
    func staged(_ name: TestPath) throws -> TestPath {
        let found = try Disk.leaves(of: inbox).filter { $0.staging != nil && $0.ends(with: name) }
        guard found.count == 1 else { throw Failure("\(found) are staged as \(name)") }
        return inbox / found[0]
    }

    /// What has to hold when all is quiet: these files in Documents and no others, hidden ones included, so many records
    /// (nil for one a file), nothing under way, and no staging folder.
    func expect(_ files: [TestPath: [UInt8]], records: Int? = nil, left: Set<TestPath> = []) async throws {
        try await stage.expectFiledRecords(records ?? files.count)
        try await eventually {
            let text = Disk.text(stage.state / "journal")
            return text.isEmpty ? nil : "the journal of the copies holds \(text)"
        }
        // The staging folders go last.
        try await eventually {
            let found = Set(try Disk.leaves(of: stage.documents, except: [stage.inbox]))
            guard found == Set(files.keys) else { return "Documents holds \(found), not \(files.keys)" }
            let stay = Set(try Disk.leaves(of: inbox))
            return stay == left ? nil : "the Inbox holds \(stay), not \(left)"
        }
        for (name, bytes) in files {
            // An empty folder is named with a slash, and holds nothing.
            if name.bytes.last == UInt8(ascii: "/"), bytes.isEmpty { continue }
            guard try Disk.read(stage.documents / name) != bytes else { continue }
            throw Failure("\(name) is not what was dropped")
        }
    }
}
