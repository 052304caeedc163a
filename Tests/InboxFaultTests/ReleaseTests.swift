import Glibc
import InboxTestSupport
import Testing

/// Disasters from outside on the unmodified release binary: strace(1) kills it, or fails its calls, at the Nth one that
/// concerns the test's folders. `INBOX_RELEASE_PROGRAMS` names the folder of the binary.
@Suite("The release binary under strace")
struct ReleaseTests {
    static let programs = getenv("INBOX_RELEASE_PROGRAMS").map { TestPath(String(cString: $0)) }
    static let strace = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        .map { TestPath(String($0)) / "strace" }.first { Disk.kind($0) != nil }

    static let rows = FaultRow.all.filter { ["same filesystem", "conflict", "folder"].contains($0.name) }

    /// strace counts each thread by itself: what the worker does would never be struck beside the many calls of the
    /// loop, and so has sets of its own.
    static let calls = [
        "openat,openat2,statx,mkdirat,fchmod,renameat2,ftruncate,getdents64", "fsync,fdatasync,syncfs", "write",
        "renameat2", "ftruncate",
    ]

    @Test(
        "Killed at any call, it leaves one copy under one name and one record",
        .enabled(if: programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: strace != nil, "strace is not installed"), arguments: rows, calls)
    func killed(_ row: FaultRow, _ calls: String) async throws {
        try await sweep(row, calls, "signal=SIGKILL", .signal(SIGKILL))
    }

    @Test(
        "When any call fails once, nothing is lost, and the next run ends what was begun",
        .enabled(if: programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: strace != nil, "strace is not installed"), arguments: [calls[1], calls[2], calls[3], calls[4]])
    func failed(_ calls: String) async throws {
        try await sweep(try FaultRow.named("folder"), calls, "error=ENOSPC", nil)
    }

    /// What copies, each set counted by itself: the worker's calls are many more there.
    static let copyingCalls = [
        "openat,mkdirat,linkat,unlinkat,renameat,renameat2", "fsync,fdatasync",
        "pread64,pwrite64,copy_file_range,fallocate,ftruncate",
        attributeCalls, "write",
    ]

    /// Only copies make these calls, and on files whose paths nobody knows before: without a name, or in a staging folder.
    private static let attributeCalls = "fchmod,utimensat,fremovexattr,flistxattr"

    @Test(
        "Killed at any call on the way to another filesystem, it leaves one copy under one name and one record",
        .enabled(if: programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: strace != nil, "strace is not installed"),
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: copyingCalls)
    func killedAcross(_ calls: String) async throws {
        try await sweep(try FaultRow.named("across"), calls, "signal=SIGKILL", .signal(SIGKILL))
    }

    @Test(
        "When any call on the way to another filesystem fails once, nothing is lost, and the next run ends it",
        .enabled(if: programs != nil, "INBOX_RELEASE_PROGRAMS names no folder with a release binary"),
        .enabled(if: strace != nil, "strace is not installed"),
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: copyingCalls)
    func failedAcross(_ calls: String) async throws {
        try await sweep(try FaultRow.named("across"), calls, "error=EIO", nil)
    }

    /// Strikes at N = 1, 2, … until nothing is struck any more.
    private func sweep(_ row: FaultRow, _ calls: String, _ action: String, _ struck: Program.Exit?) async throws {
        try await Gate.daemons.pass {
            for number in 1..<1_000 {
                let stage = try FaultStage(row)
                let log = stage.stage.root / "strace"
                let run = try await trace(stage, ["inject=\(calls):\(action):when=\(number)"], calls, to: log)
                let isStruck = struck.map { run.exit == $0 } ?? Disk.text(log).contains("(INJECTED)")
                do {
                    // A loop that cannot go on leaves its worker in the middle, as a kill does.
                    try stage.expectNothingLost(isKilled: ![.status(0), .status(75)].contains(run.exit))
                    var next = try await plain(stage)
                    if struck == nil, stage.waitsForBoot {
                        // The disk has failed to confirm the name of a copy: nothing ends that in this boot.
                        guard next.exit == .status(75) else { throw Failure("the next run: \(next.exit)") }
                        try stage.startMachineAnew()
                        next = try await plain(stage)
                    }
                    guard next.exit == .status(0) else {
                        throw Failure("the run after it: \(next.exit): \(next.errors)")
                    }
                    try stage.expectAllFiled()
                } catch {
                    let last = Disk.text(log).split(separator: "\n").suffix(3).joined(separator: "\n")
                    throw Failure("\(row.name), \(calls), call \(number): \(error)\n\(last)\n\(run.errors)")
                }
                if !isStruck {
                    #expect(number > 1, "\(calls) struck nothing")
                    return
                }
            }
        }
    }

    private func trace(
        _ stage: FaultStage, _ actions: [String], _ calls: String, to log: TestPath
    ) async throws -> Stage.Run {
        let own = stage.stage
        var paths = [own.documents, own.inbox, own.state]
        paths += ["journal", "history.jsonl", "lock"].map { own.state / $0 }
        for drop in stage.row.drops {
            paths += [own.inbox / drop.source, own.documents / drop.destination]
            paths += [(own.inbox / drop.source).parent, (own.documents / drop.destination).parent]
        }
        var arguments: [TestPath] = ["-f", "-qq", "-o", log, "-e", TestPath("trace=\(calls)")]
        arguments += actions.flatMap { ["-e", TestPath($0)] }
        if calls != Self.attributeCalls { arguments += Set(paths).flatMap { ["-P", $0] } }
        guard let strace = Self.strace else { throw Failure("strace is not installed") }
        return try await own.run(strace, arguments + [try program()] + own.standardArguments + ["--once"])
    }

    private func plain(_ stage: FaultStage) async throws -> Stage.Run {
        try await stage.stage.run(try program(), stage.stage.standardArguments + ["--once"])
    }

    private func program() throws -> TestPath {
        guard let programs = Self.programs else { throw Failure("INBOX_RELEASE_PROGRAMS is not set") }
        return programs / "inboxd"
    }
}
