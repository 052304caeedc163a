import Glibc
import InboxTestSupport
import Testing

@Suite("Copies that no later try would make", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct RefusedCopyTests {
    @Test(
        "A document that is too large for its destination, or whose owner has no number there, is held, and filed at a retry",
        arguments: [(EFBIG, "too-large"), (EOVERFLOW, "permission")])
    func held(_ error: Int32, reason: String) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage("fsync@/Documents/:1:\(error);openat(O_TMPFILE):*:95")
            try await across.start()
            try across.moveIn([1, 2], as: "a.txt")
            try await across.stage.expectListed("a.txt", state: "held", reasons: [reason])
            try await across.stage.runControl(["retry"])
            try await across.expect(["a.txt": [1, 2]])
        }
    }
}
