import Glibc
import InboxTestSupport
import Testing

@Suite("Surroundings that a daemon does not expect")
struct StrangeSurroundingsTests {
    @Test("Without proc(5) the daemon says what it cannot read, and what to do")
    func noProcesses() async throws {
        try await onStage(settings: []) { stage in
            stage.variables = ["INBOXD_FAULT=openat@/proc/self/mountinfo:1:\(ENOENT)"]
            try await stage.runDaemon([])
            let run = try #require(stage.lastRun)
            #expect(run.exit == .status(1))
            #expect(run.errors.contains("cannot read /proc/self/mountinfo: No such file or directory: mount proc(5)"))
        }
    }

    private static let compiler: String? = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first {
        access($0, X_OK) == 0
    }

    @Test(
        "A preloaded library that changes the environment before main() takes no arguments away",
        .enabled(if: compiler != nil, "there is no C compiler"), arguments: ["inboxd", "inboxctl"] as [TestPath])
    func preloaded(program: TestPath) async throws {
        try await onStage(settings: []) { stage in
            let (source, library) = (stage.root / "outside/preloaded.c", stage.root / "outside/preloaded.so")
            let text = """
                #include <stdlib.h>
                __attribute__((constructor)) static void begin(void) { setenv("PRELOADED", "yes", 1); }
                """
            try Disk.put(Array(text.utf8), at: source)
            let compiler = TestPath(try #require(Self.compiler))
            let built = try await stage.run(compiler, ["-shared", "-fPIC", "-o", library, source])
            try #require(built.exit == .status(0), "\(built)")
            stage.variables = ["LD_PRELOAD=\(library)"]
            // What none of its arguments reaches ends at once all the same.
            try Disk.makeFolders(stage.root / "home/.config/inboxd")
            try Disk.put(Array("[Nothing]\n".utf8), at: stage.root / "home/.config/inboxd/inboxd.conf")
            let run = try await stage.run(BuiltPrograms.named(program), ["--version"])
            #expect(run.exit == .status(0) && run.output.hasPrefix("\(program) "), "\(run)")
        }
    }

    @Test("What was filed after the clock had been set back by days can be put back")
    func clockSetBack() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            try stage.moveIn([1], as: "letter.txt")
            try await stage.expectFiledRecords(1)
            #expect(try await stage.end(SIGTERM) == .status(0))
            let record = try #require(try stage.filedRecords().first)
            let (id, time) = (try #require(record["id"]?.string), try #require(record["time"]?.string))
            let history = stage.state / "history.jsonl"
            let lines = Disk.text(history).split(separator: time, maxSplits: 1)
            // Its identifier is of a later time.
            try Disk.put(Array(lines.joined(separator: "2024-02-29T12:00:00Z").utf8), at: history)
            try await stage.start()
            let run = try await stage.control(["undo", TestPath(id)])
            #expect(run.exit == .status(0), "\(run)")
            #expect(try Disk.read(stage.inbox / "letter.txt") == [1])
        }
    }
}
