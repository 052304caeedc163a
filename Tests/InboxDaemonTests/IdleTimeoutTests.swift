import Testing

@testable import InboxDaemon
@testable import InboxLinux

@Suite("The time that a client may be idle")
struct IdleTimeoutTests {
    private func second(_ number: Int64) -> Instant { Instant(nanoseconds: number * 1_000_000_000) }

    @Test("Clients are looked for when the first of them may have been idle for too long, and not before")
    func first() {
        var idle = IdleTimeout(.seconds(60))
        #expect(idle.next == .never)
        idle.note(use: second(10))
        idle.note(use: second(5))
        #expect(idle.next == second(65))
        let hasBegun = [idle.begins(at: second(64)), idle.begins(at: second(65))]
        #expect(hasBegun == [false, true])
        let hasPassed = [5, 10].map { idle.hasPassed(since: second($0), at: second(65)) }
        #expect(hasPassed == [true, false])
        #expect(idle.next == second(70), "the other one is looked for in its turn")
    }
}
