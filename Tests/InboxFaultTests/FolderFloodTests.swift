import Glibc
import InboxTestSupport
import Testing

/// More folders than are walked at once.
@Suite("A flood of empty folders", .serialized)
struct FolderFloodTests {
    @Test(
        "102,000 empty folders cost bounded memory, are reported, and keep nobody waiting",
        .enabled(if: Extent.isFull, "\(Extent.reason)"))
    func bounded() async throws {
        // In memory: making them on a disk takes longer than what is tested.
        let stage = try Stage(settings: ["Inbox.Settle=0"], below: FaultStage.folder)
        defer { stage.close() }
        try await Gate.daemons.pass {
            for outer in 0..<255 {
                try Disk.makeFolder(stage.inbox / TestPath("\(outer)"))
                for inner in 0..<400 { try Disk.makeFolder(stage.inbox / TestPath("\(outer)/\(inner)")) }
            }
            try await stage.start()
            try await eventually(within: .seconds(120)) {
                let status = try await stage.status()
                let problems = status["problems"]?.array?.compactMap(\.string) ?? []
                let folders = status["inboxes"]?.array?.first?["folders"]?.integer ?? 0
                return problems.contains { $0.contains("100000 folders") }
                    ? nil : "\(folders) folders are known, and that is not reported: \(problems)"
            }
            // 57 MB were measured with 100,000 folders.
            #expect(try residentMemory(stage) < 128 << 20)
            try Disk.put([1], at: stage.inbox / "other.txt")
            try await eventually { Disk.exists(stage.documents / "other.txt") ? nil : "other.txt is not filed" }
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    private func residentMemory(_ stage: Stage) throws -> Int {
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        let fields = Disk.text(TestPath("/proc/\(daemon.processID)/statm")).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw Failure("no statm") }
        return pages * 4096
    }
}
