import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// A server that stops while the daemon uses what it serves: whoever calls it waits, without an error.
    @Suite("A server that stops while the daemon works")
    struct StoppedServerTests {
        static let means = Means.needed(.fuse, .program("bindfs"))

        /// What the stopped server serves.
        enum Role: CaseIterable {
            case insideInbox
            case inbox
            case documents
            case destination
        }

        @Test(
            "Polling goes on elsewhere, the daemon replies, ends on SIGTERM and files everything once", means,
            arguments: Role.allCases)
        func polling(_ role: Role) async throws {
            try await onServed(role, ["Inbox.Poll=100ms"]) { served in
                try await served.exchange()
                served.server.signal(SIGSTOP)
                try await served.expectReplies()
                try served.dropAll()
                try await served.expectLocalFiled()
                try await served.expectReplies()
                served.server.signal(SIGCONT)
                try await served.expectAllFiled()
                served.server.signal(SIGSTOP)
                try served.dropAll()
                try await served.expectReplies()
                try await served.expectEnd()
                try await served.stage.start(served.arguments)
                try await served.expectAllFiled()
            }
        }

        @Test(
            "What is filed into it or from it at that moment keeps nothing else waiting", means,
            arguments: Role.allCases)
        func filing(_ role: Role) async throws {
            try await onServed(role, []) { served in
                try await served.exchange()
                for _ in 0..<60 { try served.dropAll() }
                try await served.expectAnotherRecord()
                served.server.signal(SIGSTOP)
                try await served.expectReplies()
                try served.dropAll()
                try await served.expectLocalFiled()
                served.server.signal(SIGCONT)
                try await served.expectAllFiled()
            }
        }

        @Test("A burst of documents beside it is filed", means, arguments: [Role.insideInbox, .inbox, .destination])
        func burst(_ role: Role) async throws {
            try await onServed(role, ["Inbox.Poll=100ms"]) { served in
                try await served.exchange()
                for _ in 0..<400 { try served.dropLocal() }
                try await served.expectAnotherRecord()
                served.server.signal(SIGSTOP)
                try await served.expectReplies()
                try await served.expectLocalFiled()
                served.server.signal(SIGCONT)
                try await served.expectAllFiled()
            }
        }

        @Test("The loop makes no call there itself", means, arguments: Role.allCases)
        func thread(_ role: Role) async throws {
            try await onServed(role, ["Inbox.Poll=100ms"], tracing: true) { served in
                try await served.exchange()
                try await served.exchange()
                try await served.explain()
                let calls = try served.tracedCalls()
                let own = calls.filter(\.isLoop)
                #expect(own.count < calls.count, "nothing of the server was traced")
                #expect(own.isEmpty, "\(own.map(\.line))")
            }
        }

        private func onServed(
            _ role: Role, _ settings: [TestPath], tracing: Bool = false,
            _ body: @escaping (Served) async throws -> Void
        ) async throws {
            try await onMounts(in: .servers, settings: ["Inbox.Settle=0"] + settings) { stage, mounts in
                let served = try Served(role, stage, mounts)
                // A report of a failure walks there too, and so does the removal of the stage.
                defer { served.server.signal(SIGCONT) }
                if tracing { stage.variables = ["INBOXD_TRACE=\(stage.root)/trace"] }
                try await stage.start(served.arguments)
                try await body(served)
            }
        }
    }
}

/// A stage of which one folder is served by bindfs, and what was dropped there and beside it.
final class Served {
    let stage: Stage
    let server: Program
    /// How the daemon is started.
    private(set) var arguments: [TestPath] = []
    private let role: ServerTests.StoppedServerTests.Role
    /// Where the server's tree is mounted.
    private let point: TestPath
    /// What is served, as it is on the disk beneath: a test that touched the mount would hang itself.
    private let tree: TestPath
    private let local: TestPath
    private var dropped: Set<TestPath> = []
    private var localOnes: Set<TestPath> = []
    private var records = 0

    init(_ role: ServerTests.StoppedServerTests.Role, _ stage: Stage, _ mounts: Mounts) throws {
        self.role = role
        self.stage = stage
        tree = stage.root / "tree"
        local = stage.root / "in"
        try Disk.makeFolders(tree)
        try stage.useInbox(local)
        switch role {
        case .insideInbox: point = local / "hung"
        case .inbox:
            point = stage.root / "served"
            stage.settings.append(TestPath("Inbox.Inbox=\(point)"))
        case .documents: point = stage.documents
        case .destination:
            point = stage.root / "far"
            let text = "[DocumentType Far]\nContentTypes=public.json\nDestination=\(point)\n"
            try Disk.put(Array(text.utf8), at: stage.root / "home/inboxd.conf")
            arguments = ["--config", stage.root / "home/inboxd.conf"]
        }
        server = try mounts.serve("bindfs", ["-f", tree, point], at: point)
    }

    /// The folder, beneath the mount where it has one, that documents in the Inbox with this name are filed into.
    private var documents: TestPath { role == .documents ? tree : stage.documents }

    /// One document each way is filed, so that everything is open and known.
    func exchange() async throws {
        try dropAll()
        try await expectAllFiled()
    }

    /// A document that has nothing to do with the server, unless it serves Documents.
    func dropLocal() throws {
        let name = TestPath("local-\(dropped.count).txt")
        try Disk.put(Array("\(name)".utf8), at: local / name)
        dropped.insert(name)
        if role != .documents { localOnes.insert(name) }
    }

    /// The same, and one that comes from the server, or goes there.
    func dropAll() throws {
        try dropLocal()
        let number = dropped.count
        switch role {
        case .insideInbox, .inbox:
            let name = TestPath("served-\(number).txt")
            try Disk.put(Array("\(name)".utf8), at: tree / name)
            dropped.insert(role == .inbox ? name : "hung" / name)
        case .documents: break
        case .destination:
            let name = TestPath("served-\(number).json")
            try Disk.put(Array("{\"a\": \(number)}".utf8), at: local / name)
            dropped.insert(name)
        }
    }

    /// Waits until more is filed than when everything was.
    func expectAnotherRecord() async throws {
        try await eventually(every: .milliseconds(1)) {
            try stage.filedRecords().count > records ? nil : "nothing more is filed"
        }
    }

    /// For longer than any question to a mount waits, the daemon replies to each of ours in time.
    func expectReplies() async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(4)
        while clock.now < end {
            let start = clock.now
            _ = try await stage.status()
            guard clock.now - start < .seconds(2) else { throw Failure("a reply took \(clock.now - start)") }
            pause(.milliseconds(50))
        }
    }

    /// Waits until everything is filed that has nothing to do with the server.
    func expectLocalFiled() async throws {
        try await eventually(every: .milliseconds(50)) {
            let waiting = localOnes.filter { !Disk.exists(stage.documents / $0) || Disk.exists(local / $0) }
            return waiting.isEmpty ? nil : "\(waiting.count) are not filed, such as \(waiting.first ?? "")"
        }
    }

    /// Waits until everything is filed, each once, and nothing else is there.
    func expectAllFiled() async throws {
        try await eventually(every: .milliseconds(50)) {
            let count = try stage.filedRecords().count
            return count == dropped.count ? nil : "\(count) of \(dropped.count) are recorded"
        }
        records = dropped.count
        let isFar = { (name: TestPath) in name.bytes.suffix(5).elementsEqual(".json".utf8) }
        if role == .destination { try await expect(dropped.filter(isFar), in: tree) }
        try await expect(dropped.filter { !isFar($0) }, in: documents, except: [stage.documents / "Inbox"])
        try await expect([], in: local, except: [local / "hung"])
        if role != .documents, role != .destination { try await expect([], in: tree) }
    }

    /// Waits until these are there and nothing else, less the staging folders, which go when nobody needs them.
    private func expect(_ names: Set<TestPath>, in folder: TestPath, except hidden: Set<TestPath> = []) async throws {
        try await eventually {
            let found = try Disk.leaves(of: folder, except: hidden).filter { leaf in
                !leaf.components.contains { $0.bytes.starts(with: ".inboxd-".utf8) }
            }
            return Set(found) == names ? nil : "\(folder) holds \(found), not \(names)"
        }
    }

    /// Asks about a document in the served folder.
    func explain() async throws {
        try Disk.put([1], at: tree / "asked.txt.part")
        let run = try await stage.control(["explain", point / "asked.txt.part"])
        guard run.exit == .status(0) else { throw Failure("explain: \(run.exit): \(run.errors)") }
    }

    /// The calls of the daemon on what the server serves, and whether the loop's thread made them.
    func tracedCalls() throws -> [(line: String, isLoop: Bool)] {
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        return Disk.text(stage.root / "trace").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            // What it is about may be two names.
            let concernsServer =
                fields.count == 6 && fields[3].split(separator: " ").contains { isServed(TestPath(String($0))) }
            return concernsServer ? (String(line), fields[5] == "\(daemon.processID)") : nil
        }
    }

    private func isServed(_ path: TestPath) -> Bool {
        path.components.starts(with: point.components)
    }

    /// SIGTERM ends the daemon without an error while the server is stopped; the server goes on.
    func expectEnd() async throws {
        guard let daemon = stage.daemon else { throw Failure("no daemon was started") }
        daemon.signal(SIGTERM)
        // The kernel keeps a process that has ended as long as the server, which was stopped with a request in hand, owes
        // an answer to one of its threads.
        try await eventually { daemon.hasExited ? nil : "it still runs" }
        server.signal(SIGCONT)
        let exit = try await stage.ended()
        guard exit == .status(0) else { throw Failure("the daemon ended with \(exit)") }
    }
}
