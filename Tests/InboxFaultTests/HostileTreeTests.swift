import Glibc
import InboxTestSupport
import Testing

/// Trees that somebody made to hurt.
@Suite("Hostile trees")
struct HostileTreeTests {
    @Test("A tree 10,000 levels deep is held, costs little, and keeps nobody waiting")
    func deep() async throws {
        try await onStage { stage in
            try Chain.make("d", levels: 10_000, in: stage.root / "outside", leaf: "bottom")
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

    @Test("50,000 ignored files in one folder keep nobody waiting, and are counted")
    func ignoredCrowd() async throws {
        try await onStage { stage in
            for index in 0..<50_000 { try Disk.put([], at: stage.inbox / BytePath("\(index).part")) }
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            try await stage.expectCounters(["ignored": 50_000, "filed": 1, "waiting": 0])
        }
    }

    @Test("Tens of thousands of documents that come at once leave the daemon small, and it answers meanwhile")
    func crowd() async throws {
        // A debug build takes its time.
        let count = ReleaseTests.programs == nil ? 15_000 : 50_000
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0"], below: FaultStage.folder, programs: ReleaseTests.programs)
            defer { stage.close() }
            let tree = stage.root / "outside/tree"
            try Disk.makeFolder(tree)
            for index in 0..<count { try Disk.put([65], at: tree / BytePath("\(index).txt")) }
            try await stage.start(["--log-level", "warning"])
            let before = try residentMemory(stage)
            try Disk.move(tree, to: stage.inbox / "tree")
            // Another one comes when a part of them has gone: it is filed long before the last of them.
            var left = count
            try await eventually(within: .seconds(240)) {
                left = count - (try await stage.counters()["filed", default: 0])
                return left < count ? nil : "none is filed"
            }
            try stage.moveIn([1], as: "other.txt")
            var answers = 0
            var largest = 0
            var wasAhead = false
            try await eventually(within: .seconds(240), every: .milliseconds(50)) {
                let counters = try await stage.counters()
                answers += 1
                largest = max(largest, try residentMemory(stage))
                if Disk.exists(stage.documents / "other.txt"), counters["filed", default: 0] < count { wasAhead = true }
                return counters["filed"] == count + 1 ? nil : "filed are \(counters)"
            }
            print("\(count) at once: \(before >> 10) KiB before, \(largest >> 10) KiB at most, \(answers) answers")
            #expect(largest - before < 64 << 20)
            #expect(wasAhead)
            let records = try Disk.read(stage.state / "history.jsonl").count { $0 == UInt8(ascii: "\n") }
            #expect(records == count + 1)
        }
    }

    @Test("5,000 documents under the same name in as many folders get 5,000 names")
    func sameName() async throws {
        try await onStage(settings: ["Inbox.Settle=0", "Inbox.Folders=flatten"]) { stage in
            for index in 0..<5_000 {
                let folder = stage.root / "outside/tree" / BytePath("\(index)")
                try Disk.makeFolders(folder)
                try Disk.put(Array("\(index)".utf8), at: folder / "scan.pdf")
            }
            try Disk.move(stage.root / "outside/tree", to: stage.inbox / "tree")
            try await stage.runDaemon(["--once"])
            let contents = try Disk.leaves(of: stage.documents, except: [stage.inbox])
                .map { Disk.text(stage.documents / $0) }
            #expect(contents.sorted() == (0..<5_000).map { "\($0)" }.sorted())
        }
    }

    @Test("FIFOs, sockets and devices are held, and nobody waits for them")
    func specialFiles() async throws {
        try await onStage { stage in
            var expected: [BytePath] = ["fifo", "socket"]
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
                let elsewhere = stage.root / "outside" / BytePath("\(index)")
                try Disk.put(Array("\(index)".utf8), at: elsewhere)
                try Disk.link(elsewhere, to: stage.inbox / BytePath("\(index).txt"))
                try Disk.link(elsewhere, to: stage.inbox / BytePath("again \(index).txt"))
            }
            try await stage.runDaemon(["--once"])
            #expect(stage.lastRun?.exit == .status(0))
            for index in 0..<20 {
                for name in ["\(index).txt", "again \(index).txt"] {
                    #expect(Disk.text(stage.documents / BytePath(name)) == "\(index)")
                }
                #expect(Disk.text(stage.root / "outside" / BytePath("\(index)")) == "\(index)")
            }
        }
    }

    @Test("Every byte that a name may have arrives")
    func names() async throws {
        try await onStage { stage in
            // Each byte alone and in company, but the two that no name has; what begins with a dot is ignored.
            var names = (1...255).filter { $0 != 0x2F && $0 != 0x2E }.map { BytePath([UInt8($0)]) }
            names += names.map { BytePath("x".utf8 + $0.bytes + ".txt".utf8) }
            names += [BytePath([UInt8](repeating: 0xFF, count: 255)), BytePath("n".utf8 + [0x0A] + "=1".utf8)]
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
        let fields = Disk.text(BytePath("/proc/\(daemon.processID)/statm")).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Failure("no statm") }
        return pages * 4096
    }
}

/// A test on a stage of its own, with a report where it fails.
func onStage(settings: [BytePath] = ["Inbox.Settle=0"], _ body: (Stage) async throws -> Void) async throws {
    try await Gate.daemons.pass {
        let stage = try Stage(settings: settings)
        defer { stage.close() }
        do { try await body(stage) } catch { Issue.record("\(error)\n\(await stage.report())") }
    }
}

/// A chain of folders that is too long for any path.
enum Chain {
    static func make(_ name: String, levels: Int, in folder: BytePath, leaf: String) throws {
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
