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
}
