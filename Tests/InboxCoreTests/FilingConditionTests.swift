import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("What keeps filing from going on")
struct FilingConditionTests {
    @Test("Each failure puts off the next try for longer, and a success ends the failures")
    func failures() {
        var condition = FilingCondition()
        var moment = Moment.current()
        #expect(!condition.isFailing && condition.nextTry <= moment.now)
        var pauses: [Duration] = []
        for _ in 0..<4 {
            #expect(!condition.isFailingForLong)
            condition.noteFailure(at: moment)
            pauses.append(condition.nextTry - moment.now)
            moment = Moment(now: condition.nextTry, wall: moment.wall)
        }
        #expect(pauses == pauses.sorted() && Set(pauses).count == pauses.count && pauses[0] > .zero)
        #expect(condition.isFailing && condition.isFailingForLong)
        condition.noteSuccess()
        #expect(!condition.isFailing)
    }

    @Test("What fails in two lanes at once is one failure, and whoever asks for a retry waits for none")
    func oneFailure() {
        var condition = FilingCondition()
        let moment = Moment.current()
        condition.noteFailure(at: moment)
        let once = condition.nextTry
        for _ in 0..<4 { condition.noteFailure(at: moment) }
        #expect(condition.nextTry == once && !condition.isFailingForLong)
        condition.retry()
        #expect(condition.nextTry <= moment.now && condition.isFailing)
        condition.noteFailure(at: moment)
        #expect(condition.nextTry > once, "the failures before it still count")
    }

    @Test("Where the state folder is lost nothing begins any more")
    func lost() {
        var condition = FilingCondition()
        condition.isSuspended = true
        #expect(condition.nextBeginning(hasRoom: true) == .never)
    }

    @Test("While the state folder fails, whatever has room waits for its next try")
    func beginning() {
        var condition = FilingCondition()
        let moment = Moment.current()
        #expect(condition.nextBeginning(hasRoom: false) == .never)
        #expect(condition.nextBeginning(hasRoom: true) <= moment.now)
        condition.noteFailure(at: moment)
        #expect(condition.nextBeginning(hasRoom: true) > moment.now)
    }
}
