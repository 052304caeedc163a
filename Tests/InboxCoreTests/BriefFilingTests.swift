import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("What the loop files itself")
struct BriefFilingTests {
    private let now = Instant.now()

    private func request(_ change: (inout InboxSettings) -> Void = { _ in }) throws -> FilingRequest {
        var settings = InboxSettings()
        settings.durability = .relaxed
        change(&settings)
        return FilingRequest(
            id: ArrivalID(number: 1), inbox: BytePath("/inbox"), settings: settings, folder: nil, name: aName("a"),
            status: try FileStatus(path: BytePath("/")), isPackage: false, acceptance: .lease, writerSeen: nil)
    }

    @Test("One document that is neither synced nor compared, and no other")
    func one() throws {
        let brief = BriefFiling()
        #expect(try brief.admits([request()], at: now))
        #expect(try !brief.admits([request(), request()], at: now))
        #expect(!brief.admits([], at: now))
        #expect(try !brief.admits([request { $0.durability = .full }], at: now))
        #expect(try !brief.admits([request { $0.onConflict = .skipIdentical }], at: now))
    }

    @Test("Nothing for ten seconds after one that waited for a busy disk")
    func busy() throws {
        var brief = BriefFiling()
        brief.note(.milliseconds(4), at: now)
        #expect(try brief.admits([request()], at: now))
        brief.note(.milliseconds(6), at: now)
        #expect(try !brief.admits([request()], at: now + .milliseconds(9_999)))
        #expect(try brief.admits([request()], at: now + .seconds(10)))
    }
}
