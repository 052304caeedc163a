import Glibc
import InboxTestSupport
import Testing

/// Few descriptors: what cannot be opened for want of them is still there.
@Suite("Few descriptors")
struct DescriptorLimitTests {
    @Test("With 64 descriptors, many folders with a file each are all filed, and nothing seems to have gone")
    func few() async throws {
        try await onStage { stage in
            let count = 100
            try Self.fill(stage, count)
            let daemon = try Self.start(stage, descriptors: 64)
            defer { daemon.signal(SIGKILL) }
            try await Self.expectAllFiled(count, on: stage)
            #expect(!Disk.text(stage.daemonLog).contains("is missing"))
            #expect(Self.linesOfShortage(stage).count <= 2)
        }
    }

    @Test("With 1,024 descriptors, a batch of many folders leaves a quarter of them free at every moment")
    func many() async throws {
        try await onStage { stage in
            let count = Extent.times(3_000, part: 1_200)
            try Self.fill(stage, count)
            let daemon = try Self.start(stage, descriptors: 1024)
            defer { daemon.signal(SIGKILL) }
            let folder = TestPath("/proc/\(daemon.processID)/fd")
            var most = 0
            try await eventually(every: .milliseconds(5)) {
                most = max(most, (try? Disk.names(in: folder).count) ?? 0)
                let left = try Disk.names(in: stage.inbox).count { name in
                    Disk.exists(stage.inbox / name / "a.txt")
                }
                return left == 0 ? nil : "\(left) documents are still in the Inbox"
            }
            #expect(most < 768, "\(most) were open")
            try await Self.expectAllFiled(count, on: stage)
            #expect(Self.linesOfShortage(stage).count <= 2)
        }
    }

    @Test("Where folders cannot be opened many times in a row, one line says so, and one that it is over")
    func shortage() async throws {
        try await onStage { stage in
            let count = 100
            try Self.fill(stage, count)
            let plans = (10..<60).map { "openat2@/Inbox/:\($0):\(EMFILE)" }
            stage.variables = ["INBOXD_FAULT=\(plans.joined(separator: ";"))"]
            try await stage.start()
            try await Self.expectAllFiled(count, on: stage)
            try await stage.expectState("watching")
            let lines = Self.linesOfShortage(stage)
            #expect(lines.count == 2 && lines.last?.contains("over: ") == true, "\(lines.prefix(5))")
        }
    }

    private static func fill(_ stage: Stage, _ count: Int) throws {
        for number in 0..<count {
            try Disk.makeFolder(stage.inbox / TestPath("\(number)"))
            try Disk.put([65], at: stage.inbox / TestPath("\(number)/a.txt"))
        }
    }

    private static func start(_ stage: Stage, descriptors: Int) throws -> Program {
        let limited = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
        return try Program(
            "/bin/sh", ["-c", TestPath(limited), stage.daemonProgram] + stage.standardArguments,
            environment: stage.environment, output: stage.root / "log/daemon.out", errors: stage.daemonLog)
    }

    private static func expectAllFiled(_ count: Int, on stage: Stage) async throws {
        try await eventually(every: .milliseconds(100)) {
            let run = try await stage.control(["status", "--json"])
            guard run.errors.isEmpty else {
                #expect(!run.errors.contains("as many clients are connected"), "\(run.errors)")
                return run.errors
            }
            guard run.output.contains("\"withdrawn\":0") else { throw Failure("something is withdrawn: \(run.output)") }
            return run.output.contains("\"filed\":\(count),") || run.output.contains("\"filed\":\(count)}")
                ? nil : run.output
        }
        for number in 0..<count { #expect(Disk.exists(stage.documents / TestPath("\(number)/a.txt"))) }
    }

    /// The lines of the log that are about descriptors.
    private static func linesOfShortage(_ stage: Stage) -> [Substring] {
        Disk.text(stage.daemonLog).split(separator: "\n").filter {
            $0.contains("LimitNOFILE") || $0.contains("too many files are open")
        }
    }
}
