import InboxTestSupport
import Testing

/// A kill before any call that changes something, after which the state folder is lost with the journal in it.
@Suite("A state folder that is lost with a crash")
struct StateLossTests {
    private static let names = [
        "same filesystem", "folder", "no RENAME_NOREPLACE", "package", "across", "across without O_TMPFILE",
        "across, package", "across, link",
    ]

    @Test(
        "Nothing is lost, left over or filed twice, and what the lost history may not have is recorded",
        arguments: names)
    func lost(_ name: String) async throws {
        let row = try FaultRow.named(name)
        if row.isAcross, !FaultStage.hasOtherFilesystem { return }
        try await Sweep.play(try await Sweep.kills(of: row), row, "killed, and the state lost") { target in
            let stage = try FaultStage(row)
            guard try await stage.run(target.plan("KILL")).exit == .signal(9) else { return true }
            let left = try Self.sources(stage)
            if Disk.exists(stage.stage.state) { try Disk.removeTree(stage.stage.state) }
            let next = try await stage.run()
            guard next.exit == .status(0) else { throw Failure("the next run: \(next.exit): \(next.errors)") }
            try stage.expectEachOnce()
            let recorded = try stage.stage.filedRecords().count
            guard recorded >= left else { throw Failure("\(recorded) records of \(left) documents") }
            return false
        }
    }

    /// How many documents are in the Inbox or in a staging folder, with or without a copy.
    private static func sources(_ stage: FaultStage) throws -> Int {
        let staged = try stage.staged().compactMap { $0.drop?.document }
        let waiting = stage.row.drops.filter { Disk.exists(stage.stage.inbox / $0.source) }.map(\.document)
        return Set(staged + waiting).count
    }
}
