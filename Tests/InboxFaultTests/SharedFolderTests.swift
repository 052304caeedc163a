import Glibc
import InboxTestSupport
import Testing

/// Folders in Documents that their owners share: others could exchange what is in them.
@Suite(
    "A copy into a folder that others may write to",
    .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct SharedFolderTests {
    /// The call before which the daemon is killed: while it copies, and when the copy has its name and no record.
    @Test("It is ended after a kill as any other", arguments: ["pwrite@/Documents/", "write@/history.jsonl"])
    func killed(_ call: String) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(before: call, at: [call.hasPrefix("pwrite") ? "3" : "1"])
            let stage = across.stage
            do {
                let shared = stage.documents / "Shared"
                for folder in [shared, across.inbox / "Shared"] { try Disk.makeFolders(folder / "2026") }
                try Disk.check("chmod", shared, shared.withCString { chmod($0, 0o777) })
                try await across.start()
                try await across.beginCopy(of: "Shared/2026/big.bin", from: "big.bin")
                guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
                daemon.signal(SIGKILL)
                _ = try await daemon.ended()
                try Disk.remove(across.barrier.path)
                try await across.start()
                try await stage.expectCounters(["waiting": 0])
                try await across.expect(
                    ["Shared/2026/big.bin": AcrossStage.large()], records: 1, left: ["Shared/2026/"])
                #expect(try await stage.status()["state"]?.string == "watching")
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await stage.report())")
            }
        }
    }
}
