import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore

@Suite("How many lines of the log are about a user's arrivals")
struct LineBudgetTests {
    @Test("Of a flood of one user's the first lines are written, the others counted, and nobody else loses any")
    func flood() {
        var budget = LineBudget()
        var now = Instant(nanoseconds: 1)
        func admitted(_ count: Int, of user: UInt32) -> Int {
            (0..<count).count { _ in budget.admits(user, at: now) }
        }
        func dropped() -> [[Int]] { budget.takeDropped(at: now).map { [Int($0.user), $0.count] } }
        #expect(dropped().isEmpty)
        #expect(admitted(LineBudget.most, of: 7) == LineBudget.most && budget.nextReport == .never)
        #expect(admitted(5, of: 7) == 0)
        #expect(admitted(1, of: 8) == 1)
        #expect(budget.nextReport == now + LineBudget.window)
        #expect(dropped().isEmpty, "the window has not ended")
        now = budget.nextReport
        #expect(dropped() == [[7, 5]])
        #expect(dropped().isEmpty && budget.nextReport == .never)
        #expect(admitted(1, of: 7) == 1)
    }

    @Test("A name that is exchanged for a link again and again does not fill the log")
    func exchanged() throws {
        let stage = try IntakeStage()
        for _ in 0..<2_000 {
            stage.folder.makeLink("inbox/link", to: "nowhere")
            stage.event(.created, "link")
            unlink(stage.folder.path + "/inbox/link")
            stage.event(.deleted, "link")
            stage.proceed()
        }
        #expect(stage.intake.accounting.withdrawn == 2_000)
        #expect(stage.ear.words.count <= LineBudget.most && stage.ear.words.contains("held link symlink"))
        stage.intake.reportDroppedLines()
        let report = stage.ear.words.filter { $0.hasPrefix("dropped") }
        #expect(report.count == 1, "a run that ends says how many lines it has dropped: \(report)")
        stage.intake.reportDroppedLines()
        #expect(stage.ear.words.count { $0.hasPrefix("dropped") } == 1)
    }
}
