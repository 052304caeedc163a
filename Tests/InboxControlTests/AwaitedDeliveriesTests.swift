import InboxLinux
import InboxVarlink
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import class InboxTestSupport.TemporaryFolder

@testable import inboxctl

/// Paths in the Inbox are free again as soon as their documents are filed.
@Suite("Waiting for documents whose paths others have had")
struct AwaitedDeliveriesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a", "b"] {
            folder.makeFolder(name)
            try folder.write(name + "/scan.txt", name)
        }
    }

    private func event(
        _ number: Int64, _ kind: EventReport.Kind, _ arrival: Int64? = nil, file: [String]? = nil,
        to destination: String? = nil, path: String = "/d/Inbox/scan.txt"
    ) -> EventReport {
        var event = EventReport(boot: "b", number: number, time: "2026-11-20T20:51:07.042Z", kind: kind)
        (event.arrival, event.file, event.destination) = (arrival, file, destination)
        event.path = arrival == nil ? nil : path
        return event
    }

    private func put(
        _ names: [String], _ events: [EventReport], file: [String]? = nil, records: [InboxVarlink.JSONValue] = []
    ) throws -> Run {
        var inbox = FixedInbox(report: .quiet)
        (inbox.happened, inbox.eventsPerConnection, inbox.file, inbox.records) = (events, events.count, file, records)
        let daemon = try StandIn(inbox)
        let run = inboxctl(
            ["--socket=\(daemon.path)", "put", "--wait=1min"] + names.map { folder.path + "/\($0)/scan.txt" })
        #expect(try daemon.stop())
        return run
    }

    @Test("Of documents that had one path, one after the other, each destination is printed")
    func twice() throws {
        let run = try put(
            ["a", "b"],
            [
                event(1, .following), event(2, .arrived, 1), event(3, .filed, 1, to: "/d/scan.txt"),
                event(4, .arrived, 2), event(5, .filed, 2, to: "/d/scan-1.txt"),
            ])
        #expect(run == Run(status: 0, output: "/d/scan.txt\n/d/scan-1.txt\n", errors: ""))
    }

    @Test("Somebody else's document that had the path before, or has it after, is not taken for the own one")
    func others() throws {
        let (others, own) = (["1", "6", "70", "0"], ["1", "7", "80", "0"])
        let before = try put(
            ["a"],
            [
                event(1, .following), event(2, .arrived, 1, file: others), event(3, .filed, 1, to: "/d/scan.txt"),
                event(4, .arrived, 2, file: own), event(5, .filed, 2, to: "/d/scan-1.txt"),
            ], file: own)
        #expect(before == Run(status: 0, output: "/d/scan-1.txt\n", errors: ""))
        // Where files have names from the beginning, the own one has a hidden one first.
        let renamed = try put(
            ["a"],
            [
                event(1, .following), event(2, .arrived, 2, file: own, path: "/d/Inbox/.put-1.part"),
                event(3, .ignored, 2, path: "/d/Inbox/.put-1.part"), event(4, .arrived, 1, file: others),
                event(5, .withdrawn, 1), event(6, .renamed, 2), event(7, .filed, 2, to: "/d/scan.txt"),
            ], file: own)
        #expect(renamed == Run(status: 0, output: "/d/scan.txt\n", errors: ""))
    }

    @Test("While events are lost the own record is found by its file among those of one path")
    func lostEvents() throws {
        func record(_ id: String, _ destination: String, device: String = "1", inode: String) -> InboxVarlink.JSONValue
        {
            .object([
                "event": .string("filed"), "source": .string("/d/Inbox/scan.txt"), "id": .string(id),
                "destination": .string(destination),
                "identity": .array([device, inode, "1", "9", "9", "80", "0"].map { .string($0) }),
            ])
        }
        let gap = [event(1, .following), event(2, .gap)]
        let own = record("zzzzzzzzzzzzzzz1", "/d/own.txt", inode: "7")
        let other = record("zzzzzzzzzzzzzzz2", "/d/other.txt", inode: "6")
        let copied = record("zzzzzzzzzzzzzzz3", "/e/copied.txt", device: "2", inode: "6")
        let file = ["1", "7", "80", "0"]
        for records in [[own, other], [other, own], [own, copied]] {
            #expect(try put(["a"], gap, file: file, records: records).output == "/d/own.txt\n")
        }
        #expect(try put(["a"], gap, file: file, records: [copied, other]).output == "/e/copied.txt\n")
        #expect(try put(["a", "b"], gap, records: [own, other]).output == "/d/own.txt\n/d/other.txt\n")
        #expect(try put(["a"], gap, file: file, records: [other]).status == 75)
    }
}
