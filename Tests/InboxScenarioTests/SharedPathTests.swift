import InboxTestSupport
import Testing

/// A path in the Inbox is free again as soon as its document is filed.
@Suite("Deliveries that have one path, one after the other")
struct SharedPathTests {
    @Test("Whoever waits is told where the own document went, though another one had its path while it was written")
    func told() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            try Disk.put([65], at: stage.root / "other")
            // A pipe takes 64 KiB: the others go on once the first one reads, and so has begun to wait.
            let script: TestPath = """
                { head -c 200000 /dev/zero; "$0" --socket "$1" put --wait=1min --name=page.txt "$2" >&2; echo; } |
                "$0" --socket "$1" put --wait=1min --name=page.txt -
                """
            let run = try await stage.run(
                "/bin/sh", ["-c", script, stage.controlProgram, stage.socket, stage.root / "other"])
            #expect(run.exit == .status(0))
            #expect(run.errors == "\(stage.documents)/page.txt\n")
            #expect(run.output == "\(stage.documents)/page-1.txt\n")
        }
    }
}
