#if DEBUG
    import InboxTestSupport
    import Testing

    @testable import InboxCore
    @testable import InboxFiling
    @testable import InboxLinux

    @Suite("A move that the disk may lose", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
    struct UnsyncedMoveTests {
        @Test("Where the journal cannot say so, recovery writes it later, and the move stays open until a restart")
        func unwritten() async {
            await #expect(processExitsWith: .success) {
                let stage = try CopyStage(target: try TestRun.current.makeFolder(in: "/dev/shm").description)
                try stage.write([1], to: "\(stage.source)/a.txt")
                FaultPlan.arm([
                    // The content reaches the disk, and the names do not.
                    FaultPlan(at: .from(2), action: .fail(.inputOutput), only: .fsync, part: "/dev/shm"),
                    FaultPlan(at: .nth(2), action: .fail(.noSpace), only: .write, part: "/journal"),
                ])
                let report = FilingJob(
                    renaming: [try stage.request("a.txt")], try stage.destinations(), stage.runs
                ).perform()
                FaultPlan.disarm()
                #expect(report.hasRenamed && report.unsynced != nil)
                #expect(report.stateFailure?.file == "the journal" && report.hasOpenEntries)
                let id = try #require(stage.journal.interrupted.moves.keys.first, "it is nobody's")
                func recover() throws -> [Recovery.Findings] {
                    try Recovery.shares(
                        in: stage.state, stage.journal, stage.history, documents: stage.target,
                        inboxes: [stage.source]
                    ).map { $0.perform() }
                }
                #expect(try recover().flatMap(\.records).isEmpty)
                let written = try Journal(in: stage.state).interrupted.moves
                #expect(written[id]?.unsyncedBoot == Boot.current)
                #expect(stage.journal.unfinished(id) == .unsynced)
                #expect(try stage.records.count == 1)
            }
        }
    }
#endif
