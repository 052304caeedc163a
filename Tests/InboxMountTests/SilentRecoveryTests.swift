import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// Two documents whose copies were published and not recorded when the daemon was killed: one of them on a server.
    @Suite("Recovery beside a server that does not answer")
    struct SilentRecoveryTests {
        static let means = Means.needed(.fuse, .program("bindfs"))

        @Test(
            "What is on this machine is recorded meanwhile, and the rest once it answers, each once",
            means, arguments: [true, false])
        func silentAtStart(isConfigured: Bool) async throws {
            try await onInterrupted { interrupted in
                if !isConfigured { try interrupted.forgetServer() }
                interrupted.server.signal(SIGSTOP)
                try await interrupted.start()
                try await interrupted.expectLocalRecorded()
                try await interrupted.stage.expectProblem("far does not answer")
                interrupted.server.signal(SIGCONT)
                try await interrupted.expectAllRecorded()
            }
        }

        @Test("A recovery that hangs on it keeps only its own documents waiting, also of later interruptions", means)
        func silentLater() async throws {
            try await onInterrupted { interrupted in
                let stage = interrupted.stage
                let barrier = try Barrier(at: stage.root / "barrier")
                // Nobody but recovery inspects the copy, and the second record is that of the document that is dropped then.
                try await interrupted.start([
                    "statx@/far/served.json:1:WAIT=\(barrier.path)", "write@/history.jsonl:2:\(ENOSPC)",
                ])
                try await barrier.reached()
                interrupted.server.signal(SIGSTOP)
                barrier.open()
                try await interrupted.expectLocalRecorded()
                try interrupted.drop("later.txt")
                try await stage.expectRecord([("destination", "Documents/later.txt"), ("proof", "recovered")])
                try await stage.expectProblem("far does not answer")
                interrupted.server.signal(SIGCONT)
                try await interrupted.expectAllRecorded()
            }
        }

        @Test(
            "A copy on this machine is recorded though the server that has its source does not answer, and is filed once",
            means)
        func silentSource() async throws {
            try await onMounts(in: .servers, settings: ["Inbox.Settle=0"]) { stage, mounts in
                let (tree, point) = (stage.root / "tree", stage.root / "in")
                try Disk.makeFolders(tree)
                let server = try mounts.serve("bindfs", ["-f", tree, point], at: point)
                defer { server.signal(SIGCONT) }
                try stage.useInbox(point)
                let barrier = try Barrier(at: stage.root / "history")
                stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:WAIT=\(barrier.path)"]
                try await stage.start()
                try Disk.put(Array("letter".utf8), at: point / "letter.txt")
                try await barrier.reached()
                _ = try await stage.end(SIGKILL)
                barrier.open()
                #expect(try stage.filedRecords().isEmpty && Disk.exists(stage.documents / "letter.txt"))
                stage.variables = []
                server.signal(SIGSTOP)
                try await stage.start()
                try await stage.expectFiledRecords(1)
                try await stage.expectProblem("does not answer")
                // Whoever takes it away now has it once.
                try Disk.move(stage.documents / "letter.txt", to: stage.root / "letter.txt")
                server.signal(SIGCONT)
                try await stage.expectProblem(nil)
                try await stage.expectNothingStaged(beneath: tree)
                try await stage.expectLeaves([], of: tree)
                try await stage.expectLeaves([], of: stage.documents, except: [stage.documents / "Inbox"])
                try await stage.expectFiledRecords(1)
            }
        }

        private func onInterrupted(_ body: (Interrupted) async throws -> Void) async throws {
            try await onMounts(in: .servers, settings: ["Inbox.Settle=0"]) { stage, mounts in
                let interrupted = try await Interrupted(stage, mounts)
                // A report of a failure walks there too, and so does the removal of the stage.
                defer { interrupted.server.signal(SIGCONT) }
                try await body(interrupted)
            }
        }
    }
}

/// A daemon that was killed before it could record two copies: one in Documents, and one on a server.
private final class Interrupted {
    let stage: Stage
    let server: Program
    private let inbox: TestPath
    /// What is served, as it is on the disk beneath: a test that touched the mount would hang itself.
    private let tree: TestPath
    private var names: Set<TestPath> = []

    init(_ stage: Stage, _ mounts: Mounts) async throws {
        self.stage = stage
        (inbox, tree) = (stage.root / "in", stage.root / "tree")
        try mounts.memory(at: inbox)
        try stage.useInbox(inbox)
        try Disk.makeFolders(tree)
        server = try mounts.serve("bindfs", ["-f", tree, stage.root / "far"], at: stage.root / "far")
        let text = "[DocumentType Far]\nContentTypes=public.json\nDestination=\(stage.root)/far\n"
        try Disk.put(Array(text.utf8), at: stage.root / "home/inboxd.conf")
        try Disk.put(Array("{}".utf8), at: inbox / "served.json")
        try drop("local.txt")
        let barrier = try Barrier(at: stage.root / "history")
        try await start(["write@/history.jsonl:1:WAIT=\(barrier.path)"])
        try await barrier.reached()
        for copy in [stage.documents / "local.txt", tree / "served.json"] where !Disk.exists(copy) {
            throw Failure("\(copy) is not published before the first record is written")
        }
        _ = try await stage.end(SIGKILL)
        guard try stage.filedRecords().isEmpty else { throw Failure("something is recorded") }
    }

    /// Starts the daemon under these plans.
    func start(_ plans: [String] = []) async throws {
        stage.variables = plans.isEmpty ? [] : ["INBOXD_FAULT=\(plans.joined(separator: ";"))"]
        try await stage.start(["--config", stage.root / "home/inboxd.conf"])
    }

    /// Nothing goes to the server by the configuration of the next start.
    func forgetServer() throws { try Disk.put([], at: stage.root / "home/inboxd.conf") }

    /// A document that has nothing to do with the server.
    func drop(_ name: TestPath) throws {
        try Disk.put(Array("\(name)".utf8), at: inbox / name)
        names.insert(name)
    }

    /// Waits until the copy in Documents is recorded, and its source gone.
    func expectLocalRecorded() async throws {
        try await stage.expectFiledRecords(1)
        try await stage.expectRecord([("destination", "Documents/local.txt"), ("proof", "recovered")])
        try await eventually {
            let sources = try Disk.leaves(of: inbox).filter { $0.ends(with: "local.txt") }
            return sources.isEmpty ? nil : "\(sources) are left"
        }
    }

    /// Waits until everything is recorded once, and nothing else is left.
    func expectAllRecorded() async throws {
        try await stage.expectProblem(nil)
        try await stage.expectFiledRecords(names.count + 1)
        try await stage.expectNothingStaged(beneath: inbox)
        try await stage.expectNothingStaged(beneath: tree)
        try await stage.expectLeaves(names, of: stage.documents, except: [stage.documents / "Inbox"])
        try await stage.expectLeaves(["served.json"], of: tree)
        try await stage.expectLeaves([], of: inbox)
        try await eventually {
            Disk.text(stage.state / "journal").isEmpty ? nil : "the journal is not empty"
        }
        let ids = try stage.filedRecords().compactMap { $0["id"]?.string }
        guard Set(ids).count == ids.count else { throw Failure("recorded twice: \(ids)") }
    }
}
