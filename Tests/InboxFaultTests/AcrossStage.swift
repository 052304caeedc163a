import Glibc
import InboxTestSupport

/// A daemon that has to copy: its first Inbox lies on another filesystem than Documents, its second one does not.
///
/// A copy of at least ``mebibytes`` waits at a barrier after its second MiB, once in the daemon's life or at each MiB.
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
    ///   - when: at which of all MiB that are copied the barrier stands: a number, or `*` for each.
    init(_ plan: String? = nil, at when: String = "3", settings: [BytePath] = []) throws {
        other = try OtherFilesystem()
        stage = try Stage(settings: ["Inbox.Settle=0"] + settings)
        barrier = try Barrier(at: stage.root / "barrier")
        let plans = [plan, Self.stepwise, "pwrite@/Documents/:\(when):WAIT=\(barrier.path)"].compactMap { $0 }
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
    var inbox: BytePath { other.path / "Inbox" }

    /// A folder beside that Inbox.
    var outside: BytePath { other.path / "outside" }

    /// Starts a daemon with both Inboxes.
    func start(_ arguments: [BytePath] = []) async throws {
        try await stage.start(["--inbox", inbox, "--inbox", "Inbox"] + arguments)
    }

    /// A large document of which every MiB differs.
    static func large(_ first: UInt8 = 1) -> [UInt8] {
        (0..<UInt8(mebibytes)).flatMap { [UInt8](repeating: first &+ $0, count: 1 << 20) }
    }

    /// Makes a file elsewhere and renames it into the Inbox.
    func moveIn(_ bytes: [UInt8], as name: BytePath) throws {
        try Disk.put(bytes, at: outside / name)
        try Disk.move(outside / name, to: inbox / name)
    }

    /// Moves a large document in, and waits until its copy stands at the barrier.
    func beginCopy(of name: BytePath = "big.bin") async throws {
        try moveIn(Self.large(), as: name)
        try await barrier.reached()
    }

    /// What has to hold when all is quiet: these files in Documents and no others, hidden ones included, so many records
    /// (nil for one a file), and nothing under way.
    func expect(_ files: [BytePath: [UInt8]], records: Int? = nil, left: Set<BytePath> = []) async throws {
        try await stage.expectFiledRecords(records ?? files.count)
        try await eventually {
            let text = Disk.text(stage.state / "journal-copies")
            return text.isEmpty ? nil : "the journal of the copies holds \(text)"
        }
        let found = Set(try Disk.leaves(of: stage.documents, except: [stage.inbox]))
        guard found == Set(files.keys) else { throw Failure("Documents holds \(found), not \(files.keys)") }
        for (name, bytes) in files where try Disk.read(stage.documents / name) != bytes {
            throw Failure("\(name) is not what was dropped")
        }
        let stay = Set(try Disk.leaves(of: inbox))
        guard stay == left else { throw Failure("the Inbox holds \(stay), not \(left)") }
    }
}
