import InboxTestSupport
import Testing

/// Every row of the table, on one filesystem and on the way to another.
@Suite("A fault at every system call")
struct FaultSweepTests {
    static let rows = FaultRow.all + (FaultStage.hasOtherFilesystem ? FaultRow.across : [])

    @Test(
        "After a kill before any call that changes something, and another one in the run after it, the next run leaves one copy, one name and one record",
        arguments: rows)
    func killed(_ row: FaultRow) async throws { try await Sweep.kill(row) }

    @Test("When any call fails once, nothing is lost, and the next run ends what was begun", arguments: rows)
    func failed(_ row: FaultRow) async throws {
        try await Sweep.fail(row)
    }

    @Test(
        "The rows to another filesystem are played",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"))
    func across() { #expect(Self.rows.count == FaultRow.all.count + FaultRow.across.count) }
}
