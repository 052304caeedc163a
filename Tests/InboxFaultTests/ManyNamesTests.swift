import InboxTestSupport
import Testing

/// What documents cost beside many names, counted in system calls and not timed: however many there are, it stays the same.
@Suite("Beside many names", .serialized)
struct ManyNamesTests {
    private static let few = 1_000
    private static let many = Extent.times(1_000_000, part: 8_000)
    /// So many documents are dropped one after another.
    private static let drops = 100
    /// So many documents have moved, and are not recorded, when the daemon is killed.
    private static let unrecorded = 8
    /// Trying the names 1, 2, 4, … and then bisecting takes twice so many calls for each doubling of the names: 3 measured.
    private static let mostForDoubling = 4

    /// Calls on what is in Documents.
    private struct Figures {
        /// Those that read the names in Documents before the daemon is ready.
        var readingsBeforeReady = 0
        /// Those that read the names in Documents, in a run that recovers.
        var readings = 0
        /// Those that read them in a run that files.
        var laterReadings = 0
        /// All others in the run that recovers.
        var recovery = 0
        /// Those that explain where a document of a much used name would go.
        var explaining = 0
        /// Those that file it, as the first one after a start.
        var first = 0
        /// Those that file others of its name.
        var sameName = 0
        /// Those that file as many of different names.
        var differentNames = 0
    }

    @Test(
        "Recovery, a name that is used a million times, and the explanation of it cost what they cost beside few"
    )
    func counts() async throws {
        let few = try await Self.figures(beside: Self.few)
        let many = try await Self.figures(beside: Self.many)
        print("beside \(Self.few) names: \(few)\nbeside \(Self.many): \(many)")
        #expect(few.readingsBeforeReady == 0 && many.readingsBeforeReady == 0)
        // One reading finds some 800 names in each call; one for each document would be eight.
        #expect(few.readings > 0 && many.readings < Self.many / 600)
        #expect(few.laterReadings > 0 && many.laterReadings < Self.many / 600)
        #expect(abs(many.recovery - few.recovery) <= 16)
        let doublings = (Self.many / Self.few).bitWidth - (Self.many / Self.few).leadingZeroBitCount
        let more = doublings * 2 * Self.mostForDoubling
        #expect(many.explaining <= few.explaining + more)
        #expect(many.first <= few.first + more)
        for figures in [few, many] { #expect(figures.sameName * 10 <= figures.differentNames * 13) }
    }

    private static func figures(beside count: Int) async throws -> Figures {
        try await Gate.daemons.pass(isLong: count == many) {
            let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
            defer { stage.close() }
            for number in 0..<count { try Disk.put([], at: stage.documents / name(number)) }
            var figures = Figures()
            try await recover(stage, &figures)
            let calls = Calls(of: stage, "trace-running")
            try await stage.start()
            #expect(try await stage.control(["pause"]).exit == .status(0))
            try stage.moveIn([65], as: "letter.txt")
            try await stage.expectListed("letter.txt", state: "waiting", reasons: [])
            _ = try calls.more()
            let explanation = try await stage.control(["explain", "--json", stage.inbox / "letter.txt"])
            #expect(explanation.output.contains("/letter-\(count).txt\""), "\(explanation)")
            figures.explaining = try calls.more().count
            #expect(try await stage.control(["resume"]).exit == .status(0))
            try await stage.expectFiledRecords(unrecorded + 2)
            figures.first = try calls.more().count
            figures.sameName = try await drop(stage, calls) { _ in "letter.txt" }
            figures.differentNames = try await drop(stage, calls) { TestPath("different \($0).txt") }
            figures.laterReadings = try calls.readings()
            #expect(Disk.exists(stage.documents / name(count + drops)))
            return figures
        }
    }

    private static func name(_ number: Int) -> TestPath {
        number == 0 ? "letter.txt" : TestPath("letter-\(number).txt")
    }

    /// Kills the daemon when all documents but one have moved and none is recorded, and lets the next run recover.
    private static func recover(_ stage: Stage, _ figures: inout Figures) async throws {
        for number in 0...unrecorded { try stage.moveIn([65, UInt8(number)], as: TestPath("\(number).txt")) }
        stage.variables = ["INBOXD_FAULT=renameat2@/Inbox/:\(unrecorded + 1):KILL"]
        try await stage.runDaemon(["--once"])
        #expect(stage.lastRun?.exit == .signal(9))
        try #require(try Disk.names(in: stage.inbox).count == 1 && stage.filedRecords().isEmpty)
        let calls = Calls(of: stage, "trace-recovery")
        // Nobody receives what it says, but the attempt shows when it is ready.
        stage.variables.append("NOTIFY_SOCKET=\(stage.root)/nobody")
        try await stage.runDaemon(["--once"])
        #expect(stage.lastRun?.exit == .status(0))
        #expect(try stage.filedRecords().count == unrecorded + 1)
        let all = try calls.all()
        let ready = try #require(all.firstIndex { $0.name == "sendmsg" })
        figures.readingsBeforeReady = all[..<ready].count(where: calls.isReading)
        figures.readings = try calls.readings()
        figures.recovery = try calls.more().count
    }

    /// Drops documents one after another; returns how many calls that took.
    private static func drop(_ stage: Stage, _ calls: Calls, as name: (Int) -> TestPath) async throws -> Int {
        _ = try calls.more()
        let records = try stage.filedRecords().count
        for number in 0..<drops {
            let name = name(number)
            try stage.moveIn([66, UInt8(number)], as: name)
            try await eventually(every: .milliseconds(1)) {
                Disk.exists(stage.inbox / name) ? "\(name) is still in the Inbox" : nil
            }
        }
        try await stage.expectFiledRecords(records + drops)
        return try calls.more().count
    }
}

/// The calls that a daemon has made so far.
private final class Calls {
    private let trace: TestPath
    private let documents: String
    private var known = 0

    /// Those of the daemons that are started from now on.
    init(of stage: Stage, _ name: TestPath) {
        trace = stage.root / name
        documents = "\(stage.documents)"
        // No MIME database: reading it is a hundred calls that have nothing to do with a document.
        stage.variables = ["INBOXD_TRACE=\(trace)", "XDG_DATA_DIRS=\(stage.root)/home"]
    }

    /// All of them; one that is being written is left out.
    func all() throws -> [CallTrace.Call] {
        let text = Disk.text(trace)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return try CallTrace(String(text[...end])).calls
    }

    func isReading(_ call: CallTrace.Call) -> Bool { call.name == "getdents64" && call.subject == documents }

    /// How many read the names in Documents.
    func readings() throws -> Int { try all().count(where: isReading) }

    /// The others on Documents and what is in it, without those that were returned before: its names are read in portions,
    /// whatever is done meanwhile.
    func more() throws -> [CallTrace.Call] {
        let found = try all().filter { $0.subject.hasPrefix(documents) && !isReading($0) }
        defer { known = found.count }
        return Array(found.dropFirst(known))
    }
}
