import InboxDetection
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxLinux

@Suite("A long dry run")
struct LongDryRunTests {
    @Test("It lists more documents than may wait at once in a daemon, and ends", .timeLimit(.minutes(1)))
    func lists() async throws {
        let folder = try TemporaryFolder()
        let configuration = try Configuration.withHandler(in: folder)
        let inbox = try #require(configuration.inboxes.first).path
        for name in ["d", "d/Inbox"] { folder.makeFolder(name) }
        for number in 0..<200 { try folder.write("d/Inbox/\(number).txt", "a") }
        #expect(inbox == folder.bytePath("d/Inbox"))
        var limits = ArrivalBook.Limits()
        limits.waiting = 64
        let report = try DryRun.run(configuration, detector: Detector(places: .none), within: limits)
        #expect(report.lines.count == 200)
    }
}
