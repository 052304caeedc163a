import InboxLinux
import Testing

@testable import InboxFiling

@Suite("How long the loop waits for a call on a mount")
struct CallPatienceTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)
    private var patience = CallPatience()

    @Test("A server that is slow and answers is waited for, also after the loop has waited in vain")
    mutating func slow() {
        patience.noteAbandoned(at: start)
        #expect(patience.wait(at: start, behind: nil) == .milliseconds(100))
        patience.note(took: .milliseconds(700), at: start)
        #expect(patience.wait(at: start, behind: nil) == .milliseconds(1400))
        #expect(patience.wait(at: start, behind: start) == .milliseconds(1400))
        patience.note(took: .milliseconds(1), at: start)
        #expect(patience.wait(at: start, behind: nil) == .milliseconds(1400))
    }

    @Test("No call is waited for longer than two seconds, and an answer that took longer does not count")
    mutating func limit() {
        patience.note(took: .milliseconds(1900), at: start)
        #expect(patience.wait(at: start, behind: nil) == .seconds(2))
        patience = CallPatience()
        patience.noteAbandoned(at: start)
        patience.note(took: .seconds(30), at: start)
        #expect(patience.wait(at: start, behind: nil) == .milliseconds(100))
    }

    @Test("A minute later the mount is as one of which nothing is known")
    mutating func forgotten() {
        patience.noteAbandoned(at: start)
        patience.note(took: .milliseconds(700), at: start)
        #expect(patience.wait(at: start + .seconds(60), behind: nil) == .milliseconds(500))
    }
}
