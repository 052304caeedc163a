import Glibc
import InboxTestSupport
import Testing

/// Checks that take next to no time: the next one is prepared while one runs.
@Suite("Checks one after another")
struct CheckOrderTests {
    private static let count = 24
    /// A check of which two must not run at once, and which hangs for one document.
    private static let script = """
        mkdir "$HOME/lock" || echo two >>"$HOME/two"
        echo "$INBOX_NAME" >>"$HOME/begun"
        if [ "$INBOX_NAME" = 12.txt ]; then
            while [ ! -e "$HOME/go" ]; do sleep 0.02; done
            echo over >"$HOME/over"
        fi
        rmdir "$HOME/lock"

        """

    private static func onStage(_ body: (Stage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0", "Inbox.Check=/bin/sh -c '. \"$HOME/check\"'"], below: FaultStage.folder)
            defer { stage.close() }
            do {
                try Disk.put(Array(script.utf8), at: stage.root / "home/check")
                for number in 1...count { try Disk.put([UInt8(number)], at: stage.inbox / TestPath("\(number).txt")) }
                try await stage.start()
                try await eventually { begun(in: stage).contains("12.txt") ? nil : "\(begun(in: stage)) have begun" }
                try await body(stage)
            } catch { Issue.record("\(error)\n\(await stage.report())") }
        }
    }

    private static func begun(in stage: Stage) -> [Substring] {
        let path = stage.root / "home/begun"
        return Disk.exists(path) ? Disk.text(path).split(separator: "\n") : []
    }

    private static func finish(_ stage: Stage) async throws {
        try await stage.expectCounters(["filed": count, "waiting": 0])
        #expect(begun(in: stage).count == count)
        #expect(!Disk.exists(stage.root / "home/two"), "two checks ran at once")
    }

    @Test("Never more of them run at once than may, and a document that waits behind one that hangs can be withdrawn")
    func hanging() async throws {
        try await Self.onStage { stage in
            let rest = try Disk.names(in: stage.inbox).filter { name in
                name != "12.txt" && !Self.begun(in: stage).contains { $0 == "\(name)" }
            }
            for name in rest { try Disk.remove(stage.inbox / name) }
            try await stage.expectCounters(["withdrawn": rest.count, "waiting": 1])
            for name in rest { try Disk.put([1], at: stage.inbox / name) }
            try Disk.put([], at: stage.root / "home/go")
            try await Self.finish(stage)
        }
    }

    @Test("None that waits behind another one begins while filing is paused")
    func paused() async throws {
        try await Self.onStage { stage in
            let begun = Self.begun(in: stage).count
            let pause = try await stage.control(["pause"])
            #expect(pause.exit == .status(0), "\(pause.errors)")
            try Disk.put([], at: stage.root / "home/go")
            try await eventually { Disk.exists(stage.root / "home/over") ? nil : "the check has not ended" }
            // Each answer comes after a turn of the loop.
            for _ in 0..<5 { _ = try await stage.counters() }
            #expect(Self.begun(in: stage).count == begun)
            let resume = try await stage.control(["resume"])
            #expect(resume.exit == .status(0), "\(resume.errors)")
            try await Self.finish(stage)
        }
    }
}
