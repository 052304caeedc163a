import Glibc
import InboxLinux
import InboxTestSupport
import InboxVarlink
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("When recovery is tried again")
struct PendingRecoveryTests {
    private let stage: IntakeStage
    private let recovery: PendingRecovery

    init() throws {
        stage = try IntakeStage()
        recovery = PendingRecovery(stage.intake)
    }

    private func later(_ seconds: Int64) -> Moment {
        let now = stage.moment.now + .seconds(seconds)
        return Moment(now: now, wall: stage.moment.wall(at: now))
    }

    /// Whether recovery is due, when everything has been read again so often and another daemon was seen or not.
    private func isDue(after seconds: Int64, rescans: Int = 0, hasSeenAnother: Bool = false) -> Bool {
        let count = stage.intake.accounting.rescans + rescans
        recovery.note(seen: hasSeenAnother ? [BytePath("/inbox")] : [], rescans: count, at: later(seconds))
        recovery.proceed(at: later(seconds))
        return recovery.isDue
    }

    @Test("The roots are searched again with a later reading of the Inboxes, at most every ten minutes")
    func search() {
        #expect(recovery.takeWish() != nil)
        #expect(!isDue(after: 3600, rescans: 1), "the search at the start is still under way")
        recovery.take(Recovery.Findings(), JournalEntries(), at: stage.moment)
        #expect(!isDue(after: 3600), "nothing has been read again")
        #expect(!isDue(after: 599, rescans: 1), "the last search was a moment ago")
        #expect(isDue(after: 600, rescans: 2))
        #expect(recovery.takeWish()?.isAccepting == false)
        #expect(!isDue(after: 3600, rescans: 3), "the search is under way")
    }

    @Test("What another daemon has in an Inbox is inspected after half a minute, then less and less often")
    func seen() {
        _ = recovery.takeWish()
        // Also while a search is under way.
        #expect(!isDue(after: 0, hasSeenAnother: true))
        recovery.take(Recovery.Findings(), JournalEntries(), at: stage.moment)
        #expect(recovery.nextTry == .never && recovery.nextDeadline == later(30).now)
        var time: Int64 = 0
        for wait: Int64 in [30, 60, 120, 240, 480, 600, 600] {
            time += wait
            #expect(!isDue(after: time - 1, hasSeenAnother: true))
            #expect(isDue(after: time))
            _ = recovery.takeWish()
            var findings = Recovery.Findings()
            findings.hasOthers = true
            recovery.take(findings, JournalEntries(), at: later(time))
        }
        #expect(recovery.nextTry == .never, "nothing of this daemon is open")
        #expect(isDue(after: time + 600))
        _ = recovery.takeWish()
        recovery.take(Recovery.Findings(), JournalEntries(), at: later(time + 600))
        #expect(recovery.nextDeadline == .never)
        #expect(!isDue(after: time + 601, hasSeenAnother: true) && recovery.nextDeadline == later(time + 631).now)
    }

    @Test("As long as something of its own is open, recovery has its own times")
    func open() {
        _ = recovery.takeWish()
        var findings = Recovery.Findings()
        findings.isClean = false
        recovery.take(findings, JournalEntries(), at: stage.moment)
        let due = recovery.nextTry
        #expect(due > stage.moment.now && due < .never)
        recovery.proceed(at: Moment(now: due, wall: stage.moment.wall(at: due)))
        #expect(recovery.isDue)
    }

    @Test("What ends with a record counts as that says, once it has ended", arguments: [false, true])
    func departed(isDiscard: Bool) throws {
        var identifiers = RecordID.Source()
        let status = try Directory.open(path: BytePath("/")).status()
        let (inbox, target) = (BytePath("/inbox"), BytePath("/documents"))
        let mark = FilesystemMark(device: 1, identifier: nil)
        var claim = JournalEntry(
            id: identifiers.next(at: .now()), source: inbox.appending(aName("a.txt")), status: status,
            destination: target, name: aName("a.txt"), filesystem: mark,
            claim: JournalEntry.ClaimPlaces(from: inbox, into: inbox, on: mark, named: nil, making: target))
        claim.isDiscard = isDiscard
        var entries = JournalEntries()
        entries.documents[claim.id] = claim
        var findings = Recovery.Findings()
        findings.open = [(claim.source, "its server does not answer")]
        var staged = StagedDocuments()
        func sum() -> Accounting {
            var sum = Accounting()
            staged.add(to: &sum) { _ in false }
            return sum
        }
        staged.take(findings, entries)
        #expect(sum().isBalanced && sum().waiting == 1)
        findings.open = []
        findings.recorded = [claim.id.text]
        staged.take(findings, JournalEntries())
        #expect(sum().isBalanced && sum().waiting == 0 && sum().withdrawn == 0)
        #expect(sum().duplicates == (isDiscard ? 1 : 0) && sum().filed == (isDiscard ? 0 : 1))
    }

    @Test("A recovery that fails as a whole is a problem until one does not")
    func failed() {
        _ = recovery.takeWish()
        var findings = Recovery.Findings()
        findings.failure = SyscallError(.openat, Errno(rawValue: EACCES))
        recovery.take(findings, JournalEntries(), at: stage.moment)
        #expect(stage.intake.problems.all.count == 1)
        #expect(stage.intake.problems.all.first?.contains("openat: Permission denied: it is tried again") == true)
        recovery.take(Recovery.Findings(), JournalEntries(), at: stage.moment)
        #expect(stage.intake.problems.isEmpty)
    }
}
