import Glibc
import InboxConfiguration
import InboxLinux
import InboxTestSupport
import Synchronization
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Documents that wait to be copied", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct CopyQueueTests {
    private let pool: FairPool

    init() throws { pool = try FairPool() }

    private func copying(_ intake: IntakeStage, _ target: CopyStage) -> Copying {
        Copying(
            intake: intake.intake, means: target.means, runs: target.runs,
            lanes: Lanes(of: pool, large: Copying.mostBytes))
    }

    @Test("Behind more large documents than may wait for their worker, a small one is copied, and nothing spins")
    func large() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = copying(intake, target)
        // The worker of large documents has a job, whose end nobody takes.
        copying.lanes.large.begin(
            .file(FilingJob(copying: [], try target.destinations(), target.runs)))
        func proceed() throws {
            for id in intake.ready(most: 1_000) { intake.intake.resolve(id, .across, at: intake.moment) }
            copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        }
        for number in 0..<600 {
            try intake.folder.write("inbox/\(number)", "")
            #expect(truncate("\(intake.folder.path)/inbox/\(number)", off_t(Copying.mostBytes)) == 0)
            intake.event(.movedTo, "\(number)")
        }
        intake.awaitCompany()
        try proceed()
        #expect(!copying.lanes.small.isBusy && !copying.hasRoom)
        try intake.drop("small", "content", .movedTo)
        try proceed()
        #expect(copying.lanes.small.isBusy && !copying.hasRoom)
        #expect(copying.lanes.large.queue.count < 600 && intake.intake.hasCopies(large: true))
    }

    @Test(
        "A user's large document that grew while it waited keeps nobody else's waiting",
        .enabled(if: geteuid() == 0, "only root makes files of others"))
    func grown() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let gates = Gates()
        let copying = Copying(
            intake: intake.intake, means: target.means, runs: target.runs,
            lanes: Lanes(of: pool, large: Copying.mostBytes) { work in
                gates.pass()
                return work.perform()
            })
        defer { gates.open() }
        func drop(_ name: String, of owner: uid_t) throws {
            let path = "\(intake.folder.path)/inbox/\(name)"
            try intake.folder.write("inbox/" + name, "")
            #expect(truncate(path, off_t(Copying.mostBytes)) == 0 && chown(path, owner, 0) == 0)
            intake.event(.movedTo, name)
            intake.awaitCompany()
            for id in intake.ready(most: 1) { intake.intake.resolve(id, .across, at: intake.moment) }
        }
        let nothing = FilingJob(copying: [], try target.destinations(), target.runs)
        copying.lanes.large.begin(.file(nothing), of: [0])
        try gates.awaitPassers(1)
        try drop("grown", of: 0)
        copying.lanes.large.queue.append(try #require(intake.intake.takeForCopy(large: true, at: intake.moment)))
        try drop("other", of: 1234)
        copying.lanes.large.share(at: .now() + .seconds(2))
        #expect(copying.lanes.large.isFree && copying.hasRoom)
        copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        #expect(!copying.hasRoom && !intake.intake.hasCopies(large: true))
        #expect(copying.lanes.large.owners == [0, 1234])
    }

    /// An order to put back what is not there, which a worker refuses.
    private func order(_ number: Int, size: UInt64 = 1, of user: UInt32 = 0) -> UndoOrder {
        var source = RecordID.Source()
        return UndoOrder(
            id: source.next(at: .now()), time: .now(), source: BytePath("/inbox/\(number)"),
            destination: BytePath("/documents/\(number)"), size: size, identity: nil, user: user)
    }

    private func job(_ order: UndoOrder, _ target: CopyStage) throws -> UndoJob {
        let log = UndoJob.Log(filing: target.runs.log, append: { _ in }, hold: { _ in })
        let places = UndoJob.Places(
            documents: try target.root(), root: BytePath(target.target), inbox: BytePath(target.source),
            settings: InboxSettings())
        return UndoJob(order, places, filing: target.means, means: target.runs, log: log)
    }

    @Test("Between two documents that are put back a copy has its turn, and where none can begin they go on")
    func turns() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = copying(intake, target)
        for number in 0..<3 { copying.undo(try job(order(number), target)) }
        try intake.drop("small", "content", .movedTo)
        for id in intake.ready(most: 1) { intake.intake.resolve(id, .across, at: intake.moment) }
        func undone() throws -> Int {
            while copying.lanes.isBusy { try pool.takeFinished() }
            return copying.lanes.takeReports().count { if case .undone = $0 { true } else { false } }
        }
        copying.beginUndos(yielding: true) { _ in }
        #expect(try undone() == 1)
        copying.beginUndos(yielding: true) { _ in }
        #expect(copying.lanes.small.isFree && copying.hasRoom, "the copy waits for its turn")
        copying.beginUndos(yielding: false) { _ in }
        #expect(try undone() == 1)
        copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        #expect(try undone() == 0 && !intake.intake.hasCopies(large: false))
        copying.beginUndos(yielding: true) { _ in }
        #expect(try undone() == 1)
    }

    @Test(
        "A large document is put back beside another user's copy that takes long, and one user has one thread",
        arguments: [false, true])
    func shared(isPaused: Bool) throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let gate = Gates()
        defer { gate.open() }
        let copying = Copying(
            intake: intake.intake, means: target.means, runs: target.runs,
            lanes: Lanes(of: pool, large: Copying.mostBytes) { job in
                gate.pass()
                return job.perform()
            })
        let large = Copying.mostBytes
        copying.lanes.large.begin(.undo(try job(order(0, size: large, of: 7), target)), of: [7])
        for (number, user) in [(1, 7), (2, 8), (3, 8), (4, 9)] as [(Int, UInt32)] {
            copying.undo(try job(order(number, size: large, of: user), target))
        }
        var begun: [BytePath] = []
        func proceed(at instant: Instant) {
            copying.share(at: instant, isPaused: isPaused)
            copying.beginUndos(yielding: !isPaused) { begun.append($0.source) }
        }
        proceed(at: .now())
        #expect(begun.isEmpty && !copying.hasUndo)
        // Each waits for a second at most: a thread that works counts as one that may be shared from then on.
        try gate.awaitPassers(1)
        proceed(at: .now() + .seconds(2))
        try gate.awaitPassers(2)
        proceed(at: .now() + .seconds(4))
        #expect(begun == ["/inbox/2", "/inbox/4"].map { BytePath($0) })
        try gate.awaitPassers(3)
        #expect(copying.nextSharing(isPaused: isPaused) == .never, "each of the three has a thread")
        // One that is small waits for none of them.
        copying.undo(try job(order(5, of: 7), target))
        proceed(at: .now())
        #expect(begun.last == BytePath("/inbox/5") && begun.count == 3)
    }

    @Test("The old path of a document is held from when it is about to be put back, not while it waits for that")
    func path() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let undoing = Undoing(try UndoneFile(in: target.state), target.journal, intake.intake)
        let order = order(1)
        try target.write([65], to: target.source + "/other")
        let other = try target.status(target.source + "/other").identity
        _ = try undoing.admit(order)
        #expect(!intake.intake.parts.undone.holds(other, at: order.source, as: ArrivalID(number: 1)))
        undoing.begin(order)
        #expect(intake.intake.parts.undone.holds(other, at: order.source, as: ArrivalID(number: 1)))
        undoing.end(UndoJob.Report(order: order, outcome: .refused(.handled)), at: intake.moment)
        #expect(!intake.intake.parts.undone.holds(other, at: order.source, as: ArrivalID(number: 1)))
    }

    @Test("What was put back is not put back again by a search of the history that began before")
    func again() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let undoing = Undoing(try UndoneFile(in: target.state), target.journal, intake.intake)
        let order = order(1)
        let ticket = try undoing.admit(order)
        undoing.end(UndoJob.Report(order: order, outcome: .unrecorded), at: intake.moment)
        guard case .done = ticket.ending else { throw Failure("it was not put back") }
        #expect(throws: UndoRefusal.undone) { _ = try undoing.hasFilingEnded(of: order.id) }
    }
}

/// Stops whoever passes until it is opened.
private final class Gates: Sendable {
    private struct State {
        var isOpen = false
        var passers = 0
    }

    private let state = Mutex(State())

    func open() { state.withLock { $0.isOpen = true } }

    func pass() {
        state.withLock { $0.passers += 1 }
        while !state.withLock({ $0.isOpen }) { sched_yield() }
    }

    /// Waits until so many have come.
    func awaitPassers(_ count: Int) throws {
        let end = ContinuousClock.now + Deadline.usual
        while state.withLock({ $0.passers < count }) {
            guard ContinuousClock.now < end else { throw Failure("fewer than \(count) jobs began") }
            sched_yield()
        }
    }
}
