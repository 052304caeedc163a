import Glibc
import InboxTestSupport
import Testing

/// The benchmark as a program: it runs against the built daemon, and leaves nothing behind.
@Suite("The benchmark")
struct ProgramTests {
    private let folder: TemporaryFolder
    private let program: TestPath

    init() throws {
        folder = try TemporaryFolder()
        program = try BuiltPrograms.named("inbox-bench")
    }

    private func start(_ words: [TestPath]) throws -> Program {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let libraries = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\(String(cString: $0))"] } ?? []
        return try Program(
            program, words, environment: ["PATH=\(path)", "TMPDIR=\(TestRun.temporary)"] + libraries, output: output,
            errors: errors)
    }

    private var output: TestPath { TestPath(folder.path) / "output" }
    private var errors: TestPath { TestPath(folder.path) / "errors" }

    /// What a run has made on any medium.
    private func workFolders(of process: pid_t) -> [TestPath] {
        (["/dev/shm", TestRun.temporary, "/tmp", "/var/tmp"] as [TestPath])
            .map { $0 / TestPath("inbox-bench.\(process)") }.filter { Disk.exists($0) }
    }

    @Test("A quick run prints a JSON object for each figure, with its floor, and removes its folders")
    func quick() async throws {
        let run = try start(["--quick", "--json", "latency", "conflicts"])
        let end = try await Gate.daemons.pass { try await run.ended() }
        #expect(end == .status(0), "\(Disk.text(errors))")
        let rows = try JSONValue.parseLines(Disk.text(output))
        #expect(rows.map { $0["benchmark"]?.string } == ["latency", "latency", "conflicts", "conflicts"])
        for row in rows {
            #expect(Self.isPositive(row["figure"]) && Self.isPositive(row["floor"]) && row["met"] != nil, "\(row)")
        }
        #expect(workFolders(of: run.processID) == [])
    }

    private static func isPositive(_ value: JSONValue?) -> Bool {
        switch value {
        case .integer(let number)?: number > 0
        case .number(let number)?: number > 0
        default: false
        }
    }

    @Test("Ctrl-C ends it, its children and its folders", .enabled(if: access("/dev/shm", W_OK) == 0))
    func interrupt() async throws {
        // On a thread of its own, since the benchmark's daemon is not there for long.
        try await Gate.daemons.pass {
            let run = try start(["latency", "backlog"])
            let socket = TestPath("/dev/shm/inbox-bench.\(run.processID)/1/socket")
            try await eventually { Disk.exists(socket) ? nil : "no daemon yet: \(Disk.text(errors))" }
            run.signal(SIGINT)
            let end = try await run.ended()
            #expect(end == .status(130))
            #expect(workFolders(of: run.processID) == [])
        }
    }

    @Test("A name that there is not is wrong usage, in one line")
    func unknown() async throws {
        let run = try start(["nonsense"])
        #expect(try await run.ended() == .status(64))
        #expect(Disk.text(errors) == "inbox-bench: unknown benchmark \"nonsense\": try \"inbox-bench --help\"\n")
    }
}
