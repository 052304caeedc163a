import InboxTestSupport
import Testing

/// Whoever starts a program may have closed what it usually reads and writes: the next file that it opens gets that
/// number.
@Suite("inboxctl without its standard streams")
struct ClosedStreamsTests {
    private func run(_ stage: Stage, _ command: String) async throws -> Stage.Run {
        try await stage.run(
            "/bin/sh", ["-c", TestPath("exec \"$0\" --socket \"$1\" \(command)"), stage.controlProgram, stage.socket])
    }

    @Test("Nothing is taken for standard output or standard input that the program has opened itself")
    func closed() async throws {
        try await onStage { stage in
            try await stage.start()
            let events = try await run(stage, "events >&-")
            #expect(events.exit == .status(1))
            #expect(events.errors == "inboxctl: standard output: Bad file descriptor\n")
            let put = try await run(stage, "put - <&-")
            #expect(put.exit == .status(1))
            #expect(put.errors == "inboxctl: standard input: Bad file descriptor\n")
            #expect(try Disk.leaves(of: stage.inbox).isEmpty)
        }
    }

    @Test("Without standard error the exit status still tells, and results are printed")
    func withoutErrors() async throws {
        try await onStage { stage in
            try await stage.start()
            let type = try await run(stage, "type /nowhere / 2>&-")
            #expect(type.exit == .status(1) && type.output.hasPrefix("/: public.folder"))
        }
    }
}
