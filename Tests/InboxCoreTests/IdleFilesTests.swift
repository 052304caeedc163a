import CInboxLinux
import Glibc
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Files that wait for time to pass")
struct IdleFilesTests {
    #if DEBUG
        @Test("Empty files cost no call until their time is up where events report changes", arguments: [true, false])
        func empty(_ areHeard: Bool) async {
            await #expect(processExitsWith: .success) { [areHeard] in
                let count = 100
                let stage = try IntakeStage { $0.emptySettle = .seconds(200) }
                stage.top?.inbox.coverage.isDeaf = !areHeard
                for number in 0..<count { try stage.drop("\(number)", "") }
                stage.advance(.seconds(2))
                guard stage.arrivals.values.allSatisfy({ $0 == "empty" }), stage.arrivals.count == count else {
                    throw Failure("\(stage.arrivals)")
                }
                FaultPlan.arm(FaultPlan(nth: 0, action: .skip, only: .statx, thread: inbox_thread_id()))
                for _ in 0..<20 { stage.advance(.seconds(6)) }
                let calls = FaultPlan.disarm()
                guard areHeard ? calls < count / 10 : calls >= 20 * count else { throw Failure("\(calls) calls") }
                stage.advance(.seconds(100))
                guard stage.ready(most: 2 * count).count == count else { throw Failure("\(stage.arrivals)") }
            }
        }
    #endif

    @Test("Where no more may wait they give their place to a document of their owner, and are taken in again later")
    func place() throws {
        let stage = try IntakeStage { ($0.settle, $0.emptySettle) = (.zero, .seconds(60)) }
        let book = stage.intake.parts.book
        book.limits.waiting = 128
        for number in 0..<128 { try stage.drop("empty \(number)", "") }
        stage.advance(.seconds(2))
        #expect(stage.arrivals.values.allSatisfy { $0 == "empty" } && book.activeCount == 128)
        // Another empty one would only wait in the place of one that has waited longer.
        try stage.drop("empty 128", "")
        #expect(stage.id("empty 128") == nil && book.activeCount == 128)
        for number in 0..<5 { try stage.drop("letter \(number)", "1", .movedTo) }
        let letters = stage.intake.takeReady(most: 9, at: stage.moment)
        #expect(Set(letters.map(\.id)) == Set((0..<5).compactMap { stage.id("letter \($0)") }) && letters.count == 5)
        #expect(book.activeCount <= 128 && book.isConsistent)
        var (filed, requests) = (0, letters)
        for _ in 0..<100 where filed < 134 {
            for request in requests {
                unlink(EscapedBytes.text(request.path.bytes))
                stage.intake.hasLeft(request.id)
                book.remove(request.id)
                filed += 1
            }
            stage.advance(.seconds(10))
            requests = stage.intake.takeReady(most: 16, at: stage.moment)
        }
        #expect(filed == 134 && stage.intake.accounting.seen == 134 && book.isConsistent)
        #expect(book.count == 0 && !stage.intake.isReading)
    }
}
