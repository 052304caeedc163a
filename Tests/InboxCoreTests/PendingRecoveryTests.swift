import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

@Suite("When recovery is tried again")
struct PendingRecoveryTests {
    private func later(_ seconds: Int64, than moment: Moment) -> Moment {
        let now = moment.now + .seconds(seconds)
        return Moment(now: now, wall: moment.wall(at: now))
    }

    @Test("Staging folders are searched for again with a later reading of the Inboxes, at most every ten minutes")
    func search() throws {
        let stage = try IntakeStage()
        let recovery = PendingRecovery(stage.intake)
        let rescans = stage.intake.accounting.rescans
        #expect(recovery.takeWish() != nil)
        recovery.noteRescans(rescans + 1, at: later(3600, than: stage.moment))
        #expect(!recovery.isDue, "the search at the start is still under way")
        recovery.take(Recovery.Findings(), at: stage.moment)
        recovery.noteRescans(rescans, at: later(3600, than: stage.moment))
        #expect(!recovery.isDue, "nothing has been read again")
        recovery.noteRescans(rescans + 1, at: later(599, than: stage.moment))
        #expect(!recovery.isDue, "the last search was a moment ago")
        recovery.noteRescans(rescans + 2, at: later(600, than: stage.moment))
        #expect(recovery.takeWish()?.isAccepting == false)
        recovery.noteRescans(rescans + 2, at: later(601, than: stage.moment))
        #expect(!recovery.isDue, "one search for each reading is enough")
    }

    @Test("As long as something is open, recovery has its own times")
    func open() throws {
        let stage = try IntakeStage()
        let recovery = PendingRecovery(stage.intake)
        _ = recovery.takeWish()
        var findings = Recovery.Findings()
        findings.isClean = false
        recovery.take(findings, at: stage.moment)
        let due = recovery.nextTry
        #expect(due > stage.moment.now && due < .never)
        recovery.noteRescans(stage.intake.accounting.rescans + 1, at: later(3600, than: stage.moment))
        #expect(!recovery.isDue && recovery.nextTry == due)
        recovery.proceed(at: Moment(now: due, wall: stage.moment.wall(at: due)))
        #expect(recovery.isDue)
    }
}
