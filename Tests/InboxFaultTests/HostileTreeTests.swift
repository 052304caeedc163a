import Glibc
import InboxTestSupport
import Testing

/// Trees that somebody made to hurt.
@Suite("Hostile trees")
struct HostileTreeTests {
    @Test("A tree of thousands of levels is held, costs little, and keeps nobody waiting")
    func deep() async throws {
        try await onStage { stage in
            try Chain.make("d", levels: Extent.times(10_000, part: 3_000), in: stage.root / "outside", leaf: "bottom")
            try await stage.start()
            try Disk.move(stage.root / "outside/d", to: stage.inbox / "d")
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            try await stage.expectListed("d", state: "held", reasons: ["depth"])
            // 16 MiB: what a daemon holds that watches some hundred folders, and no multiple of the tree.
            #expect(try residentMemory(stage) < 64 << 20)
            #expect(try await stage.end(SIGTERM) == .status(0))
            #expect(try await stage.run("find", [stage.inbox, "-name", "bottom"]).output != "")
            _ = try await stage.run("rm", ["-rf", stage.inbox / "d"])
        }
    }

    @Test("Thousands of ignored files in one folder keep nobody waiting, and are counted")
    func ignoredCrowd() async throws {
        let count = Extent.times(50_000, part: 4_000)
        try await onStage { stage in
            for index in 0..<count { try Disk.put([], at: stage.inbox / TestPath("\(index).part")) }
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            // How long a debug build takes for all of them is not what this is about.
            try await stage.expectCounters(["ignored": count, "filed": 1, "waiting": 0], within: .seconds(300))
        }
    }

    @Test("Thousands of documents that come at once leave the daemon small, and it answers meanwhile")
    func crowd() async throws {
        // A debug build takes its time.
        let count = Extent.times(ReleaseTests.programs == nil ? 15_000 : 50_000, part: 1_500)
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0"], below: FaultStage.folder, programs: ReleaseTests.programs)
            defer { stage.close() }
            let tree = stage.root / "outside/tree"
            try Disk.makeFolder(tree)
            for index in 0..<count { try Disk.put([65], at: tree / TestPath("\(index).txt")) }
            if ReleaseTests.programs == nil {
                stage.variables = ["INBOXD_FAULT=renameat2@/Inbox/tree:\(count / 10):STOP"]
            }
            try await stage.start(["--log-level", "warning"])
            let before = try residentMemory(stage)
            try Disk.move(tree, to: stage.inbox / "tree")
            // Another one comes when a part of them has gone: it is filed before the last of them. The daemon waits
            // meanwhile, however slow this test is.
            try await eventually(within: .seconds(240), every: .milliseconds(1)) {
                if ReleaseTests.programs == nil { return try stage.isStopped ? nil : "a part of them is not filed" }
                return Disk.exists(stage.documents / "tree") ? nil : "none is filed"
            }
            stage.daemon?.signal(SIGSTOP)
            try stage.moveIn([1], as: "other.txt")
            stage.daemon?.signal(SIGCONT)
            var answers = 0
            var largest = 0
            try await eventually(within: .seconds(240), every: .milliseconds(50)) {
                let counters = try await stage.counters()
                answers += 1
                largest = max(largest, try residentMemory(stage))
                return counters["filed"] == count + 1 ? nil : "filed are \(counters)"
            }
            if Extent.isFull {
                print("\(count) at once: \(before >> 10) KiB before, \(largest >> 10) at most, \(answers) answers")
            }
            #expect(largest - before < 64 << 20)
            let records = try stage.filedRecords()
            #expect(records.count == count + 1)
            let place = records.firstIndex { $0["destination"]?.string?.hasSuffix("/other.txt") == true }
            // Some thousands are read at once and filed in their order: only what follows those is overtaken.
            let isOvertaking = place.map { $0 < count } == true
            #expect(place != nil && (isOvertaking || !Extent.isFull), "other.txt is record \(place ?? -1)")
        }
    }

    @Test("Thousands of documents under the same name in as many folders get a name each")
    func sameName() async throws {
        let count = Extent.times(5_000, part: 400)
        try await onStage(settings: ["Inbox.Settle=0", "Inbox.Folders=flatten"]) { stage in
            for index in 0..<count {
                let folder = stage.root / "outside/tree" / TestPath("\(index)")
                try Disk.makeFolders(folder)
                try Disk.put(Array("\(index)".utf8), at: folder / "scan.pdf")
            }
            try Disk.move(stage.root / "outside/tree", to: stage.inbox / "tree")
            // A program's usual time is for small work.
            let once = try Program(
                stage.daemonProgram, stage.standardArguments + ["--once"], environment: stage.environment,
                output: stage.root / "log/once", errors: stage.root / "log/once")
            #expect(try await once.ended(within: .seconds(240)) == .status(0))
            let contents = try Disk.leaves(of: stage.documents, except: [stage.inbox])
                .map { Disk.text(stage.documents / $0) }
            #expect(contents.sorted() == (0..<count).map { "\($0)" }.sorted())
        }
    }

    @Test("FIFOs, sockets and devices are held, and nobody waits for them")
    func specialFiles() async throws {
        try await onStage { stage in
            var expected: [TestPath] = ["fifo", "socket"]
            #expect((stage.inbox / "fifo").withCString { mkfifo($0, 0o644) } == 0)
            #expect((stage.inbox / "socket").withCString { mknod($0, S_IFSOCK | 0o644, 0) } == 0)
            // 1:7 is the full device; whoever may not make devices goes without.
            if (stage.inbox / "full").withCString({ mknod($0, S_IFCHR | 0o644, 0x107) }) == 0 {
                expected.append("full")
            }
            try await stage.start()
            for name in expected { try await stage.expectListed(name, state: "held", reasons: ["special"]) }
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            for name in expected { #expect(Disk.kind(stage.inbox / name) == .special) }
        }
    }

    @Test("A file that has other names elsewhere is filed, and the other names stay")
    func hardLinks() async throws {
        try await onStage { stage in
            for index in 0..<20 {
                let elsewhere = stage.root / "outside" / TestPath("\(index)")
                try Disk.put(Array("\(index)".utf8), at: elsewhere)
                try Disk.link(elsewhere, to: stage.inbox / TestPath("\(index).txt"))
                try Disk.link(elsewhere, to: stage.inbox / TestPath("again \(index).txt"))
            }
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .status(0))
            for index in 0..<20 {
                for name in ["\(index).txt", "again \(index).txt"] {
                    #expect(Disk.text(stage.documents / TestPath(name)) == "\(index)")
                }
                #expect(Disk.text(stage.root / "outside" / TestPath("\(index)")) == "\(index)")
            }
        }
    }

    @Test("Every byte that a name may have arrives")
    func names() async throws {
        try await onStage { stage in
            // Each byte in company, but the two that no name has, and alone too: less the dot and the tilde, since what
            // begins with the one and what ends with the other is ignored.
            let bytes = (1...255).filter { $0 != 0x2F && $0 != 0x2E }
            var names = bytes.filter { $0 != 0x7E }.map { TestPath([UInt8($0)]) }
            names += bytes.map { TestPath("x".utf8 + [UInt8($0)] + ".txt".utf8) }
            names += [TestPath([UInt8](repeating: 0xFF, count: 255)), TestPath("n".utf8 + [0x0A] + "=1".utf8)]
            for name in names { try Disk.put(name.bytes, at: stage.inbox / name) }
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .status(0))
            for name in names {
                let content = try? Disk.read(stage.documents / name)
                #expect(content == name.bytes, "\(name)")
            }
        }
    }

    private func residentMemory(_ stage: Stage) throws -> Int {
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        let fields = Disk.text(TestPath("/proc/\(daemon.processID)/statm")).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Failure("no statm") }
        return pages * 4096
    }
}

/// A test on a stage of its own, with a report where it fails.
func onStage(settings: [TestPath] = ["Inbox.Settle=0"], _ body: (Stage) async throws -> Void) async throws {
    try await Gate.daemons.pass {
        let stage = try Stage(settings: settings)
        defer { stage.close() }
        do { try await body(stage) } catch { Issue.record("\(error)\n\(await stage.report())") }
    }
}

/// The same with a running daemon that stops before a call, `call` being a fault plan without its outcome, and traces its
/// calls.
func onStage(
    stoppedAt call: String, settings: [TestPath] = ["Inbox.Settle=0"], variables: [String] = [],
    _ body: (Stage, Barrier) async throws -> Void
) async throws {
    try await onStage(settings: settings) { stage in
        let barrier = try Barrier(at: stage.root / "barrier")
        // Whatever fails, the daemon can end.
        defer { barrier.open() }
        stage.variables = ["INBOXD_FAULT=\(call):WAIT=\(barrier.path)", "INBOXD_TRACE=\(stage.root)/trace"] + variables
        try await stage.start()
        try await body(stage, barrier)
    }
}

/// A chain of folders that is too long for any path.
enum Chain {
    static func make(_ name: String, levels: Int, in folder: TestPath, leaf: String) throws {
        var current = try Disk.open(folder, O_RDONLY)
        defer { close(current) }
        for _ in 0..<levels {
            guard mkdirat(current, name, 0o755) == 0 else { throw Failure("mkdirat: \(errno)") }
            let next = openat(current, name, O_RDONLY | O_CLOEXEC)
            guard next >= 0 else { throw Failure("openat: \(errno)") }
            close(current)
            current = next
        }
        let file = openat(current, leaf, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure("openat: \(errno)") }
        close(file)
    }
}
