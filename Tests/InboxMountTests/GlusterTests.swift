import Glibc
import InboxTestSupport
import Testing

/// Two machines that share a volume, each with a client, a daemon and a state folder of its own.
@Suite("GlusterFS", .serialized, .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
struct GlusterTests {
    private static let settings: [TestPath] = ["Inbox.Folders=flatten", "Inbox.FolderSettle=1s"]

    @Test(
        "What is dropped on two machines under the same names is filed once each, though one daemon is killed",
        GlusterVolume.means)
    func twoMachines() async throws {
        try await onTwoMachines(settings: Self.settings) { machines, _ in
            let (here, there) = (machines[0], machines[1])
            for machine in machines { try await machine.start() }
            let pauses = ["1.5", "2", "4"]
            let writers = try machines.flatMap { machine in try pauses.map(machine.writeSlowly(every:)) }
            // Each name four times, from either side twice.
            let droppers = try machines.flatMap { try [$0.drop(500, into: "1"), $0.drop(500, into: "2")] }
            try await expectSuccess(of: droppers)
            try await machines.expectRecords(atLeast: 500)
            let end = try await there.stage.end(SIGKILL)
            guard end == .signal(SIGKILL) else { throw Failure("it ended with \(end)") }
            try await [here].expectRecords(atLeast: [here].recordCount + 100)
            try await there.start()
            try await expectSuccess(of: writers)
            try await machines.expectFiled(
                machines.flatMap { machine in
                    machine.contents(500, of: "1") + machine.contents(500, of: "2")
                        + pauses.map(machine.slowContent(every:))
                })
            try machines.expectRecordedOnce()
        }
    }

    @Test(
        "Documents are filed once each, though the server of the volume is killed in the middle",
        GlusterVolume.means)
    func brick() async throws {
        try await onTwoMachines(settings: Self.settings + ["Inbox.Settle=0"]) { machines, volume in
            for machine in machines { try await machine.start() }
            let droppers = try machines.map { try $0.drop(150, into: "1") }
            try await expectSuccess(of: droppers)
            try await machines.expectRecords(atLeast: 50)
            try await volume.killBrick()
            for machine in machines { try await machine.stage.expectProblem("Transport endpoint") }
            try volume.startBrick()
            for machine in machines {
                // A client looks for its server every few seconds.
                try await eventually {
                    do { _ = try Disk.names(in: machine.inbox) } catch { return "\(error)" }
                    return nil
                }
            }
            try await machines.expectFiled(machines.flatMap { $0.contents(150, of: "1") })
            for machine in machines { try await machine.stage.expectProblem(nil) }
            try machines.expectRecordedOnce()
        }
    }

    private func expectSuccess(of programs: [Program]) async throws {
        for program in programs {
            let exit = try await program.ended()
            guard exit == .status(0) else { throw Failure("a program that writes ended with \(exit)") }
        }
    }
}
