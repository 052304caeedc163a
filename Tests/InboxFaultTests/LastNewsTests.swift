import Glibc
import InboxTestSupport
import Testing

@Suite("What the daemon's last turn has ended")
struct LastNewsTests {
    @Test("Whoever follows the events hears of a document that was filed after SIGTERM")
    func follower() async throws {
        try await onStage(
            stoppedAt: "write@/history.jsonl:1", settings: ["Inbox.Settle=0", "Inbox.Durability=full"], variables: []
        ) { stage, barrier in
            let follower = try await Follower(stage, "f")
            try stage.moveIn([65], as: "a.txt")
            try await barrier.reached()
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            barrier.open()
            #expect(try await daemon.ended() == .status(0))
            #expect(Disk.exists(stage.documents / "a.txt"))
            _ = try await follower.program.ended()
            #expect(try follower.all().last?["kind"]?.string == "filed")
        }
    }
}
