import InboxLinux
import Testing

@testable import InboxDaemon

@Suite("Signs of life")
struct HeartbeatTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Which of these moments, in milliseconds, send a sign.
    private func signs(of heartbeat: Heartbeat, at moments: [Int]) -> [Int] {
        var heartbeat = heartbeat
        return moments.filter { heartbeat.isDue(at: Instant(nanoseconds: 0) + .milliseconds($0)) }
    }

    @Test("Three signs fit into the time that the manager allows")
    func interval() throws {
        let heartbeat = try #require(Heartbeat(watchdog: bytes("3000000"), process: bytes("7"), own: 7))
        #expect(signs(of: heartbeat, at: [0, 1, 999, 1000, 1500, 2000]) == [0, 1000, 2000])
    }

    @Test("A late turn sends one sign, not one for each missed time")
    func late() {
        #expect(signs(of: Heartbeat(every: .seconds(1)), at: [0, 100_000, 100_001]) == [0, 100_000])
    }

    @Test("Without WATCHDOG_USEC, with nonsense in it, or with another WATCHDOG_PID nothing is sent")
    func absent() {
        #expect(Heartbeat(watchdog: nil, process: nil, own: 7) == nil)
        for nonsense in ["", "0", "-5", "3s", "99999999999999999999"] {
            #expect(Heartbeat(watchdog: bytes(nonsense), process: nil, own: 7) == nil)
        }
        #expect(Heartbeat(watchdog: bytes("3000000"), process: bytes("8"), own: 7) == nil)
        #expect(Heartbeat(watchdog: bytes("3000000"), process: nil, own: 7) != nil)
    }
}
