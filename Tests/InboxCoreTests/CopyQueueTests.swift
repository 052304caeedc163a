import Glibc
import InboxConfiguration
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Documents that wait to be copied", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct CopyQueueTests {
    private func copying(_ intake: IntakeStage, _ target: CopyStage) throws -> Copying {
        Copying(
            intake: intake.intake, means: target.means, claims: target.claims,
            lanes: try CopyLanes(large: Copying.mostBytes) { $0.perform() })
    }

    @Test("Behind more large documents than may wait for their worker, a small one is copied, and nothing spins")
    func large() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = try copying(intake, target)
        // The worker of large documents has a job, whose end nobody takes.
        copying.lanes.large.begin(
            .claim(
                ClaimJob(
                    [], to: try target.root(), inboxFolders: [], comparing: .unlimited, filing: target.means,
                    means: target.claims)))
        func proceed() throws {
            for id in intake.ready(most: 1_000) { intake.intake.resolve(id, .across, at: intake.moment) }
            copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        }
        for number in 0..<600 {
            try intake.folder.write("inbox/\(number)", "")
            #expect(truncate("\(intake.folder.path)/inbox/\(number)", off_t(Copying.mostBytes)) == 0)
            intake.event(.movedTo, "\(number)")
        }
        try proceed()
        #expect(!copying.lanes.small.jobs.isBusy && !copying.hasRoom)
        try intake.drop("small", "content", .movedTo)
        try proceed()
        #expect(copying.lanes.small.jobs.isBusy && !copying.hasRoom)
        #expect(copying.lanes.large.queue.count < 600 && intake.intake.hasCopies(large: true))
    }

    /// An order to put back what is not there, which a worker refuses.
    private func order(_ number: Int) -> UndoOrder {
        var source = RecordID.Source()
        return UndoOrder(
            id: source.next(at: .now()), time: .now(), source: BytePath("/inbox/\(number)"),
            destination: BytePath("/documents/\(number)"), size: 1, identity: nil)
    }

    @Test("Between two documents that are put back a copy has its turn, and where none can begin they go on")
    func turns() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let copying = try copying(intake, target)
        let log = UndoJob.Log(filing: target.claims.log, append: { _ in }, hold: { _ in })
        let places = UndoJob.Places(
            documents: try target.root(), root: BytePath(target.target), inbox: BytePath(target.source),
            settings: InboxSettings())
        for number in 0..<3 {
            copying.undo(
                UndoJob(order(number), places, filing: target.means, claims: target.claims, log: log))
        }
        try intake.drop("small", "content", .movedTo)
        for id in intake.ready(most: 1) { intake.intake.resolve(id, .across, at: intake.moment) }
        func undone() throws -> Int {
            while copying.lanes.isBusy { try copying.takeFinished(at: intake.moment) }
            return copying.takeReports().count { if case .undone = $0 { true } else { false } }
        }
        copying.beginUndos(yielding: true)
        #expect(try undone() == 1)
        copying.beginUndos(yielding: true)
        #expect(copying.lanes.small.isFree && copying.hasRoom, "the copy waits for its turn")
        copying.beginUndos(yielding: false)
        #expect(try undone() == 1)
        copying.proceed(at: intake.moment, to: try target.root(), inboxFolders: [])
        #expect(try undone() == 0 && !intake.intake.hasCopies(large: false))
        copying.beginUndos(yielding: true)
        #expect(try undone() == 1)
    }

    @Test("What was put back is not put back again by a search of the history that began before")
    func again() throws {
        let (intake, target) = (try IntakeStage(), try CopyStage())
        let undoing = Undoing(try UndoneFile(in: target.state), target.journal, intake.intake)
        let order = order(1)
        let ticket = try undoing.admit(order)
        undoing.end(UndoJob.Report(order: order, outcome: .unrecorded), at: intake.moment)
        guard case .done = ticket.ending else { throw Failure("it was not put back") }
        #expect(throws: UndoRefusal.undone) { _ = try undoing.admit(order) }
    }
}
