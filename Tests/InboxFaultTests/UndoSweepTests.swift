import Glibc
import InboxTestSupport
import Testing

/// A kill before a call that changes something, or a call that fails, while a document is put back.
@Suite("A document that is put back when the daemon is killed, or a call fails")
struct UndoSweepTests {
    /// How many numbers of a sweep are a part of it.
    private static let part = 8

    private static let unit = FaultRow(
        name: "undo of a database with its logs", taken: ["a/app.db"],
        drops: FaultRow.unit(
            "a/app.db", as: "a/app-1.db",
            head: Array("SQLite format 3\u{0}".utf8) + Array(repeating: 0x78, count: 100),
            with: [("a/app.db-wal", "a/app-1.db-wal"), ("a/app.db-shm", "a/app-1.db-shm")]))

    private static let rows =
        [FaultRow(name: "undo", drops: [FaultRow.drop("a/letter.txt")]), unit]
        + (FaultStage.hasOtherFilesystem
            ? [FaultRow(name: "undo across", isAcross: true, drops: [FaultRow.drop("a/letter.txt")])] : [])

    @Test(
        "Killed before any call that changes something, one whole document is where it was or back and held, and is recorded so",
        arguments: rows)
    func killed(_ row: FaultRow) async throws { try await sweep(row, ["KILL"]) }

    @Test("When any call fails once, it is where it was or back and held, and is recorded so", arguments: rows)
    func failed(_ row: FaultRow) async throws {
        try await sweep(row, [ENOSPC, EIO, EACCES].map { "\($0)" })
    }

    @Test("Where no rename spares what exists, and no file gets a second name, a document is put back all the same")
    func nameless() async throws {
        let stage = try await UndoStage(
            FaultRow(
                name: "undo without links", standing: NamelessTests.standing, drops: [FaultRow.drop("a/letter.txt")]))
        try await stage.undo(nil)
        #expect(stage.reply?.exit == .status(0), "\(stage.reply?.errors ?? "")")
        #expect(try await stage.settled() == .inInbox)
    }

    /// Each call gets one of the actions, by turns: a call takes six starts of a daemon.
    private func sweep(_ row: FaultRow, _ actions: [String]) async throws {
        let undisturbed = try await UndoStage(row)
        try await undisturbed.undo(nil)
        #expect(undisturbed.reply?.exit == .status(0), "\(undisturbed.reply?.errors ?? "")")
        #expect(try await undisturbed.settled() == .inInbox)
        let calls = try undisturbed.calls()
        var numbers = Array(try undisturbed.numbers())
        #expect(numbers.count > 20, "there is next to nothing to strike")
        if actions == ["KILL"] { numbers = numbers.filter { $0 <= calls.count && calls[$0 - 1].isChange } }
        try await Sweep.each(Extent.some(Self.part, of: numbers, for: "\(row.name), \(actions)")) { number in
            let action = actions[number % actions.count]
            let stage = try await UndoStage(row)
            try await stage.undo("*@\(stage.root):\(number):\(action)")
            do {
                try stage.expectWhole()
                let place = try await stage.settled()
                // What was reported as done is done.
                if stage.reply?.exit == .status(0), place == .inDocuments { throw Failure("it is not back") }
            } catch {
                let struck = try stage.trace().calls.last { $0.result == .struck }
                Issue.record("\(row.name), \(action) at \(number), \(struck.map { "\($0)" } ?? "none"): \(error)")
            }
        }
    }
}

/// A document that is filed, and put back under a fault plan.
private final class UndoStage {
    enum Whereabouts { case inDocuments, inInbox }

    let files: FaultStage
    private let id: String
    private(set) var reply: Stage.Run?

    var root: TestPath { files.stage.root }

    init(_ row: FaultRow) async throws {
        files = try FaultStage(row)
        let run = try await files.run()
        guard run.exit == .status(0) else { throw Failure("filing: \(run.exit): \(run.errors)") }
        id = try files.stage.filedRecords().last?["id"]?.string ?? ""
    }

    private var tracePath: TestPath { root / "trace-undo" }

    func trace() throws -> CallTrace { try CallTrace(reading: tracePath) }

    /// The calls as plans count them.
    func calls() throws -> [CallTrace.Call] {
        try trace().calls.filter { $0.subject.contains(root.description) }
    }

    /// The numbers of the calls from the search of the history to the end of the entry, counted as plans count.
    func numbers() throws -> ClosedRange<Int> {
        let calls = try calls()
        guard let begun = calls.firstIndex(where: { $0.subject.hasSuffix("/journal") && $0.name == "write" }),
            let end = calls.lastIndex(where: { $0.subject.hasSuffix("/journal") && $0.name == "ftruncate" })
        else { throw Failure("the journal was not written") }
        return max(1, begun - 12)...end + 4
    }

    /// Runs a daemon under the plan, and asks it to put the document back.
    func undo(_ plan: String?) async throws {
        let stage = files.stage
        stage.variables = ["XDG_DATA_DIRS=\(root)/home", "INBOXD_TRACE=\(tracePath)"]
        let plans = [plan, files.row.standing].compactMap { $0 }
        if !plans.isEmpty { stage.variables.append("INBOXD_FAULT=\(plans.joined(separator: ";"))") }
        do { try await stage.start() } catch {
            // The plan struck before the daemon could answer.
            return
        }
        // inboxctl has neither plan nor trace.
        stage.variables = []
        reply = try await stage.control(["undo", TestPath(id)])
        if stage.daemon?.exit == nil { _ = try await stage.end(SIGTERM) }
    }

    /// Where a file of the document is.
    private func places(of drop: FaultRow.Drop) throws -> (documents: Bool, inbox: Bool) {
        func has(_ path: TestPath) throws -> Bool {
            guard Disk.exists(path) else { return false }
            guard try Disk.read(path) == drop.content else { throw Failure("\(path) is not what was filed") }
            return true
        }
        return (try has(files.stage.documents / drop.destination), try has(files.stage.inbox / drop.source))
    }

    /// Where all of it is.
    private func places() throws -> (documents: Bool, inbox: Bool) {
        let places = try files.row.drops.map(places)
        guard places.allSatisfy({ $0 == places[0] }) else { throw Failure("its files are apart: \(places)") }
        return places[0]
    }

    /// At every instant there is a whole copy of each file: at one of the two places, or as a claimed source.
    func expectWhole() throws {
        let claimed = try files.staged().contains { $0.drop != nil }
        for drop in files.row.drops {
            let (documents, inbox) = try places(of: drop)
            guard documents || inbox || claimed else { throw Failure("\(drop.source) is lost") }
            guard !(documents && inbox) else { throw Failure("\(drop.source) is there twice") }
        }
    }

    /// Where the document is after the next run, which ends what was begun; the one after that changes nothing.
    func settled() async throws -> Whereabouts {
        var place = try await next()
        if waitsForBoot {
            // The disk has failed to say that it keeps the name.
            try files.startMachineAnew()
            place = try await next()
        }
        guard try await next() == place else { throw Failure("another run moves it") }
        return place
    }

    /// The journal has a return, of a copy or of several files, that only the next boot can end: the disk has failed to keep
    /// their names.
    private var waitsForBoot: Bool { files.openEntries().contains(where: \.isUnsynced) }

    private func next() async throws -> Whereabouts {
        let run = try await files.run()
        let (documents, inbox) = try places()
        guard documents != inbox else {
            throw Failure("in Documents: \(documents), in the Inbox: \(inbox); \(run.errors)")
        }
        guard run.exit == .status(inbox ? 75 : 0) else { throw Failure("\(run.exit): \(run.errors)") }
        let undone = try files.stage.history().filter { $0["event"]?.string == "undone" }
        guard undone.count == (inbox ? 1 : 0), undone.allSatisfy({ $0["id"]?.string == id }) else {
            throw Failure("in the Inbox: \(inbox), the records: \(undone)")
        }
        guard try files.stage.filedRecords().count == 1 else { throw Failure("it was filed again") }
        if waitsForBoot { return inbox ? .inInbox : .inDocuments }
        guard try files.stagingFolders().isEmpty else { throw Failure("\(try files.stagingFolders()) are left") }
        let journal = Disk.text(files.journal)
        guard journal.isEmpty else { throw Failure("the journal has \(journal)") }
        return inbox ? .inInbox : .inDocuments
    }
}
