import Glibc
import InboxTestSupport
import Testing

// What other users get who have large documents too.
extension CopyUnderWayTests {
    @Test(
        "A large document of another user is copied meanwhile, a second one of the same user's waits, and SIGTERM returns it",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func otherUser() async throws {
        try await onStage { across in
            let stage = across.stage
            let large = [UInt8](repeating: 7, count: 20 << 20)
            try await across.start()
            try across.moveIn(large, as: "first.bin")
            try await across.barrier.reached()
            try across.moveIn(large, as: "second.bin")
            let other = across.outside / "other.bin"
            try Disk.put(large, at: other)
            try Disk.check("chown", other, other.withCString { chown($0, 4711, 4711) })
            try Disk.move(other, to: across.inbox / "other.bin")
            try await stage.expectCounters(["seen": 3, "filed": 1, "waiting": 2])
            try await stage.expectRecord([("destination", stage.documents / "other.bin")])
            // The copy of the first one is under way though its thread has been replaced.
            try await terminate(across)
            #expect(try Disk.read(across.inbox / "first.bin") == large)
            try await across.expect(["other.bin": large], left: ["first.bin", "second.bin"])

            try Disk.remove(across.barrier.path)
            try await across.start()
            try await stage.expectCounters(["seen": 2, "filed": 2])
            try await across.expect(["first.bin": large, "second.bin": large, "other.bin": large])
        }
    }
}
