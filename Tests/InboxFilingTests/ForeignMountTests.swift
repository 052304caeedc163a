import InboxLinux
import Testing

@testable import InboxFiling

/// A mount without a thread: the test itself reports what its calls come to.
@Suite("When a mount's silence is a problem")
struct ForeignMountTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)
    private let mount: ForeignMount

    init() throws {
        let table = MountTable(Array("30 21 0:40 / /a/nfs rw - nfs4 server:/ rw\n".utf8))
        let found = try #require(table.foreign(concerning: [BytePath("/a")]).values.first)
        mount = ForeignMount(found, isClosed: false, at: start)
    }

    private func call(returningAt instant: Instant) {
        mount.perform {}
        mount.take(answers: 1, at: instant)
    }

    @Test("It is one three seconds after the last call has returned")
    func late() {
        #expect(!mount.isLate(at: start + .milliseconds(2900)))
        call(returningAt: start + .milliseconds(2500))
        #expect(mount.isSilent)
        #expect(!mount.isLate(at: start + .milliseconds(5400)))
        #expect(mount.isLate(at: start + .milliseconds(5500)))
    }

    @Test("A mount whose calls all return, and all too late, is one after twenty seconds, and stays one")
    func alwaysLate() {
        for round in 1...9 {
            let instant = start + .milliseconds(2500 * round)
            #expect(mount.isLate(at: instant) == (round >= 8), "\(round)")
            call(returningAt: instant)
        }
        #expect(mount.isLate(at: start + .milliseconds(22_600)))
    }

    /// A question that the mount answers at once.
    private func question(at instant: Instant) {
        mount.ask(at: instant, isUrgent: true, mayStart: true) {}
        mount.take(answers: 1, at: instant)
    }

    @Test("A mount that answers each question and serves no call is one after twenty seconds, and stays one")
    func unserved() {
        for round in 0...9 {
            let instant = start + .milliseconds(3000 * round)
            question(at: instant)
            #expect(!mount.isSilent)
            mount.perform {}
            mount.abandon(since: instant, at: instant + .seconds(2))
            mount.noteHeeded()
            #expect(mount.isLate(at: instant + .milliseconds(2500)) == (round >= 6), "\(round)")
            mount.take(answers: 1, at: instant + .milliseconds(2500))
        }
        mount.end()
    }

    @Test(
        "It is over when a call is served, or when the questions of twenty seconds are answered",
        arguments: [true, false])
    func over(isServed: Bool) {
        mount.note(start + .seconds(4))
        #expect(mount.isLate(at: start + .seconds(4)))
        question(at: start + .seconds(4))
        #expect(!mount.isSilent)
        let end = start + .seconds(24)
        if isServed {
            mount.note(took: .milliseconds(1), at: start + .seconds(5))
            #expect(!mount.isLate(at: start + .seconds(5)))
        }
        for second in 5...23 where !isServed {
            mount.note(start + .seconds(second))
            #expect(mount.isLate(at: start + .seconds(second)), "\(second)")
            #expect(mount.nextDeadline(after: start + .seconds(second)) <= end)
        }
        mount.note(end)
        #expect(!mount.isLate(at: end))
        mount.end()
    }

    @Test(
        "Calls that come seldom, and all in vain, are one from the second on, and one that is served ends that",
        arguments: [true, false])
    func seldom(isServed: Bool) {
        for round in 0...3 {
            let instant = start + .seconds(100 * round)
            question(at: instant)
            mount.note(instant)
            #expect(!mount.isLate(at: instant))
            if isServed { mount.note(took: .milliseconds(1), at: instant) }
            mount.perform {}
            mount.abandon(since: instant, at: instant + .seconds(2))
            mount.noteHeeded()
            #expect(mount.isLate(at: instant + .milliseconds(2500)) == (!isServed && round > 0), "\(round)")
            mount.take(answers: 1, at: instant + .milliseconds(2500))
            question(at: instant + .seconds(5))
            mount.note(instant + .seconds(25))
        }
        mount.end()
    }
}
