import InboxCore
import InboxFiling
import InboxTestSupport
import Testing

@Suite("The reasons why something is not filed")
struct ReasonTests {
    @Test("inboxctl(1) explains each of them")
    func manual() throws {
        let page = Disk.text(BuiltPrograms.packageRoot / "Sources/inboxctl/inboxctl.1")
        let reasons = WaitingReason.allCases.map(\.rawValue) + ["paused"] + HoldReason.allCases.map(\.rawValue)
        #expect(reasons.filter { !page.contains("\n.It Li \($0)\n") } == [])
    }
}
