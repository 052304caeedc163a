import Glibc
import InboxTestSupport
import Testing

/// Fail closed, the invariant of checks: a document with a check in force goes to a destination only with this check's own
/// verdict of 0 for exactly the bytes that it has then, and so does each file that goes with it.
///
/// Shown here: the overflow of the event queue, and another daemon with the same configuration. Elsewhere: a kill at each
/// call (`FaultRow`, "checked"), kills at any moment (`CheckKillTests`), writers (`CheckRaceTests`), and in
/// `Tests/Scenarios/checks`: `restart`, `reload`, `once`, `undo` and `undone`, `renamed`, `hard-link`, `package` and
/// `package-changed`, `unit` and `companions`, `other-filesystem`, `put`, and the retry in most of them.
@Suite("Nothing is filed unchecked")
struct CheckedOnlyTests {
    /// A check that rejects what is bad, and writes down what it has accepted.
    private static let check: TestPath =
        "Inbox.Check=/bin/sh -c 'read -r line; case $line in *bad) exit 65 ;; esac; echo $line >>$HOME/checked'"

    private static func onStage(_ settings: [TestPath], _ body: (Stage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0", "Inbox.RetryMax=100ms", check] + settings, below: FaultStage.folder)
            defer { stage.close() }
            do { try await body(stage) } catch { Issue.record("\(error)\n\(await stage.report())") }
        }
    }

    private static let queue =
        Disk.text("/proc/sys/fs/inotify/max_queued_events").split(separator: "\n").first.flatMap { Int($0) } ?? .max

    @Test(
        "What is rewritten after its verdict, in events that the kernel drops, is checked anew",
        .enabled(if: queue <= 200_000, "fs.inotify.max_queued_events is too large to be overflowed quickly"))
    func overflow() async throws {
        try await Self.onStage([]) { stage in
            // The document type's check has them wait once the Inbox's has accepted them.
            try Disk.put(
                Array(
                    """
                    [DocumentType All]
                    Check=/bin/sh -c 'test -e $HOME/go || exit 75'

                    """.utf8), at: stage.root / "inboxd.conf")
            try await stage.start(["--config", stage.root / "inboxd.conf"])
            let names = (1...20).map { TestPath("\($0).txt") }
            for name in names { try Disk.put(Array("\(name) good\n".utf8), at: stage.inbox / name) }
            try await eventually { try Self.checked(in: stage).count == names.count ? nil : "not all are checked" }
            let daemon = try #require(stage.daemon)
            daemon.signal(SIGSTOP)
            defer { daemon.signal(SIGCONT) }
            let (outside, inside) = (stage.root / "outside/ball", stage.inbox / "ball")
            try Disk.put([1], at: outside)
            for _ in 0..<(Self.queue / 2 + 500) {
                try Disk.move(outside, to: inside)
                try Disk.move(inside, to: outside)
            }
            for name in names { try Self.rewrite(stage.inbox / name, Array("\(name) bad\n".utf8)) }
            try Disk.put([], at: stage.root / "home/go")
            daemon.signal(SIGCONT)
            try await stage.expectCounters(["held": names.count, "filed": 0, "waiting": 0])
            let overflows = try await stage.counters()["overflows"] ?? 0
            #expect(overflows >= 1)
            #expect(try Disk.leaves(of: stage.documents, except: [stage.inbox]).isEmpty)
        }
    }

    @Test("Two daemons with the same check file each document once, and only what has been accepted")
    func second() async throws {
        try await Self.onStage(["Inbox.CheckConcurrency=2", "Inbox.Rejected=Rejected", "Inbox.CheckRetries=1000"]) {
            stage in
            let count = Extent.times(200, part: 40)
            try await stage.start()
            let other = stage.root / "other"
            let second = try Program(
                stage.daemonProgram,
                ["--documents", stage.documents, "--state", other, "--socket", stage.root / "o"]
                    + stage.settings.flatMap { ["--set" as TestPath, $0] },
                environment: stage.environment, output: stage.root / "log/other.out",
                errors: stage.root / "log/other.err")
            try await eventually { Disk.kind(stage.root / "o") == .special ? nil : "the second daemon does not listen" }
            var random = Extent.generator(for: "two daemons")
            for number in 1...count {
                let word = Bool.random(using: &random) ? "good" : "bad"
                try Disk.put(Array("\(number) \(word)\n".utf8), at: stage.inbox / TestPath("\(number).txt"))
                // What has no verdict yet may become bad, or good.
                let earlier = stage.inbox / TestPath("\(Int.random(in: 1...number, using: &random)).txt")
                if Bool.random(using: &random) { try? Self.rewrite(earlier, Array("again \(number) good\n".utf8)) }
            }
            try await eventually {
                let names = try Disk.names(in: stage.inbox)
                return names.isEmpty ? nil : "\(names.count) are in the Inbox"
            }
            second.signal(SIGTERM)
            #expect(try await second.ended() == .status(0))
            #expect(try await stage.end(SIGTERM) == .status(0))
            let checked = try Self.checked(in: stage)
            let found = try Disk.leaves(of: stage.documents, except: [stage.inbox]).map { "\($0)" }
            #expect(Set(found.map { $0.replacing("Rejected/", with: "") }) == Set((1...count).map { "\($0).txt" }))
            #expect(found.count == count)
            for name in found where !name.hasPrefix("Rejected/") {
                let text = Disk.text(stage.documents / TestPath(name))
                #expect(checked.contains(text), "\(name) is filed unchecked: \(text)")
            }
        }
    }

    private static func checked(in stage: Stage) throws -> Set<String> {
        let path = stage.root / "home/checked"
        guard Disk.exists(path) else { return [] }
        return Set(Disk.text(path).split(separator: "\n").map { "\($0)\n" })
    }

    /// Writes a file anew that is there, and leaves its modification time as it was.
    private static func rewrite(_ path: TestPath, _ content: [UInt8]) throws {
        // Whoever waited for the end of a lease here would write into a document that is filed by then.
        let file = open(path.description, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure("cannot open \(path): errno \(errno)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, pwrite(file, content, content.count, 0) == content.count,
            ftruncate(file, content.count) == 0, futimens(file, [status.st_atim, status.st_mtim]) == 0
        else { throw Failure("cannot rewrite \(path): errno \(errno)") }
    }
}
