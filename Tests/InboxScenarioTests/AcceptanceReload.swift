import Glibc
import InboxTestSupport
import Testing

@Suite("Reloads under load", .serialized)
struct AcceptanceReload {
    private static let count = Extent.times(10_000, part: 800)
    private static let destinations: [TestPath] = ["one", "two"]

    @Test("Reloads in the middle of a burst lose nothing, and each document goes where one of the rules sends it")
    func burst() async throws {
        try await onStage(settings: ["Inbox.Settle=0", "Inbox.Durability=relaxed"]) { stage in
            let configuration = stage.root / "home/inboxd.conf"
            func write(_ destination: TestPath) throws {
                let text = "[DocumentType Letters]\nContentTypes=public.plain-text\nDestination=\(destination)\n"
                try Disk.put(Array(text.utf8), at: stage.root / "home/next.conf")
                try Disk.move(stage.root / "home/next.conf", to: configuration)
            }
            try write(Self.destinations[0])
            try await stage.start(["--config", configuration])
            var reloads = 0
            for index in 0..<Self.count {
                try Disk.put(Array("\(index)".utf8), at: stage.inbox / TestPath("\(index).txt"))
                guard index % (Self.count / 20) == 0 else { continue }
                reloads += 1
                try write(Self.destinations[reloads % 2])
                try await stage.runControl(["reload"])
                let run = try #require(stage.lastRun)
                guard run.exit == .status(0) else { throw Failure("reload: \(run.exit): \(run.errors)") }
            }
            try await stage.expectCounters(
                [
                    "seen": Self.count, "filed": Self.count, "waiting": 0, "held": 0, "ignored": 0, "withdrawn": 0,
                    "duplicates": 0,
                ],
                within: Thousand.limit)
            try expectEach(on: stage)
            try await stage.expectFiledRecords(Self.count)
        }
    }

    /// Each document is in one of the two folders, whole; and the rules of both were in force for some.
    private func expectEach(on stage: Stage) throws {
        let folders = Self.destinations.map { stage.documents / $0 }
        for folder in folders { #expect(try !Disk.names(in: folder).isEmpty) }
        for index in 0..<Self.count {
            let found = folders.map { $0 / TestPath("\(index).txt") }.filter(Disk.exists)
            guard found.count == 1, try Disk.read(found[0]) == Array("\(index)".utf8) else {
                throw Failure("\(index).txt is at \(found)")
            }
        }
    }
}
