import InboxTestSupport
import Testing

@Suite("A fault at every system call")
struct FaultSweepTests {
    @Test("Killed at any call, the next run leaves one copy under one name and one record", arguments: FaultRow.all)
    func killed(_ row: FaultRow) async throws { try await Sweep.kill(row) }

    /// Errors that any call may give, one of each kind that the code tells apart: passing ones (a full disk, a failing
    /// one, no descriptor), a denied one, an unsupported one, and a name that is not there.
    static let errors: [(row: FaultRow, error: Int32)] = FaultRow.all.flatMap { row in
        let errors: [Int32] = row.isPlainest ? [28, 5, 24, 13, 22, 2] : [28, 13]
        return errors.map { (row, $0) }
    }

    @Test("When any call fails once, nothing is lost, and the next run ends what was begun", arguments: errors)
    func failed(_ row: FaultRow, _ error: Int32) async throws { try await Sweep.fail(row, error) }

    /// The rows whose recovery has work of its own.
    static let recovering = ["same filesystem", "batch", "no RENAME_NOREPLACE", "rotation"]

    @Test("Recovery that is killed itself at any call converges", arguments: recovering)
    func killedTwice(_ name: String) async throws { try await Sweep.killRecovery(try FaultRow.named(name)) }
}

@Suite(
    "A fault at every system call on the way to another filesystem",
    .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"))
struct AcrossSweepTests {
    @Test("Killed at any call, the next run leaves one copy under one name and one record", arguments: FaultRow.across)
    func killed(_ row: FaultRow) async throws { try await Sweep.kill(row) }

    /// Beside those of one filesystem a full quota, since every copy takes room.
    static let errors: [(row: FaultRow, error: Int32)] = FaultRow.across.flatMap { row in
        let errors: [Int32] =
            switch row.name {
            case "across": [28, 122, 5, 24, 13, 22]
            case "across, batch": [5]
            case let name where name.hasPrefix("across, package"): [28]
            default: [28, 13]
            }
        return errors.map { (row, $0) }
    }

    @Test("When any call fails once, nothing is lost, and the next run ends what was begun", arguments: errors)
    func failed(_ row: FaultRow, _ error: Int32) async throws { try await Sweep.fail(row, error) }

    /// The rows whose recovery has work of its own.
    static let recovering = ["across, conflict and folders", "across without O_TMPFILE", "across, relaxed"]

    @Test("Recovery that is killed itself at any call converges", arguments: recovering)
    func killedTwice(_ name: String) async throws { try await Sweep.killRecovery(try FaultRow.named(name)) }
}
