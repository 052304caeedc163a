import Glibc
import InboxTestSupport
import Testing

/// What a process holds: its open descriptors and its own memory.
private struct Holdings {
    let descriptors: Int
    /// RssAnon of proc(5), in bytes.
    let memory: Int

    init(of process: pid_t) throws {
        descriptors = try Disk.names(in: TestPath("/proc/\(process)/fd")).count
        let status = Disk.text(TestPath("/proc/\(process)/status"))
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kibibytes = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
        else { throw Failure("no RssAnon in \(status)") }
        memory = kibibytes * 1024
    }
}

/// Where `INBOX_RELEASE_PROGRAMS` names the folder of a release binary, that is measured: seventy thousand documents
/// take it some seconds.
@Suite("Leaks", .serialized)
struct LeakTests {
    /// What the allocator may keep beside the documents: its arenas and tables grow in steps, and stay.
    ///
    /// A leak of 64 bytes a document would pass it at 65,536 documents, one of 2 KiB at the 2,000 of a part.
    static let band = 4 << 20
    static let count = Extent.times(ReleaseTests.programs == nil ? 10_000 : 70_000, part: 2_000)
    /// So many documents come at once: one half of them by themselves, the other half in a folder.
    private static let round = Extent.times(1_000, part: 250)

    @Test("After thousands of documents the daemon holds as many descriptors and as much memory as before")
    func none() async throws {
        let clock = ContinuousClock.now
        let (before, after) = try await holdings(filing: Self.count, programs: ReleaseTests.programs)
        print("leaks: \(before) before and \(after) after \(Self.count) documents in \(ContinuousClock.now - clock)")
        #expect(after.descriptors == before.descriptors)
        #expect(after.memory - before.memory < Self.band)
    }

    @Test(
        "The same holds where each document is copied to another filesystem, and where somebody follows",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"))
    func noneAcross() async throws {
        // A copy costs syncs on a real disk.
        let count = min(Self.count / 2, 5_000)
        let (before, after) = try await holdings(
            filing: count, programs: ReleaseTests.programs, across: true, isFollowed: true)
        print("leaks: \(before) before and \(after) after \(count) copies")
        #expect(after.descriptors == before.descriptors)
        #expect(after.memory - before.memory < Self.band)
    }

    @Test("A descriptor and 16 KiB that are lost with each document are seen")
    func seen() async throws {
        // Few enough that a daemon which may have 1,024 descriptors does not run out of them.
        let (lost, round) = (500, 250)
        let plan = "renameat2@/Inbox:\(Self.warmUp * round + 1)+:LEAK"
        let (before, after) = try await holdings(filing: lost, in: round, plan: plan)
        #expect(after.descriptors > before.descriptors + lost / 2)
        #expect(after.memory - before.memory > Self.band)
    }

    /// How many rounds come first: tables, arenas and the ring of events reach the size that they need.
    private static let warmUp = 8

    private func holdings(
        filing count: Int, in round: Int = round, plan: String? = nil, programs: TestPath? = nil, across: Bool = false,
        isFollowed: Bool = false
    ) async throws -> (before: Holdings, after: Holdings) {
        try await Gate.daemons.pass(isLong: count > Self.round) {
            let stage = try Stage(
                settings: ["Inbox.Settle=0", "Inbox.FolderSettle=0"], below: FaultStage.folder,
                inboxOn: across ? try OtherFilesystem(than: FaultStage.folder) : nil, programs: programs)
            defer { stage.close() }
            if let plan { stage.variables = ["INBOXD_FAULT=\(plan)"] }
            try await stage.start(["--log-level", "warning"])
            let follower = isFollowed ? try await Follower(stage, "f") : nil
            let warm = across ? 3 : Self.warmUp
            for part in 0..<warm { try await file(round, "warm \(part)", on: stage) }
            let before = try await settled(stage)
            for part in 0..<(count / round) { try await file(round, "\(part)", on: stage) }
            let after = try await settled(stage)
            #expect(try await stage.counters()["filed"] == (count / round + warm) * round)
            withExtendedLifetime(follower) {}
            return (before, after)
        }
    }

    private func file(_ count: Int, _ part: String, on stage: Stage) async throws {
        let outside = stage.inbox.parent / TestPath("outside \(part)")
        try Disk.makeFolders(outside / TestPath(part))
        let content = [UInt8](repeating: 65, count: 40)
        let names = (0..<count / 2).map { TestPath("\(part) \($0).txt") }
        for name in names {
            try Disk.put(content, at: outside / TestPath(part) / name)
            try Disk.put(content, at: outside / name)
        }
        try Disk.move(outside / TestPath(part), to: stage.inbox / TestPath(part))
        for name in names { try Disk.move(outside / name, to: stage.inbox / name) }
        try await eventually(within: .seconds(120)) {
            try Disk.names(in: stage.inbox).isEmpty ? nil : "not all of \(part) is filed"
        }
        // Nobody measures how long a folder of a hundred thousand names takes.
        for name in names { try Disk.remove(stage.documents / name) }
        for folder in [outside, stage.documents / TestPath(part)] { try Disk.removeTree(folder) }
    }

    /// What it holds when everything that was filed is recorded, and the client of the status has gone.
    private func settled(_ stage: Stage) async throws -> Holdings {
        try await stage.expectCounters(["waiting": 0])
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        // The client's connection and the batch's last folders close a moment later: the least of some looks counts.
        var last = try Holdings(of: daemon.processID)
        for _ in 0..<25 {
            pause(.milliseconds(20))
            let now = try Holdings(of: daemon.processID)
            if now.descriptors < last.descriptors { last = now }
        }
        return last
    }
}
