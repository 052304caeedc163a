import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("What keeps filing from going on")
struct FilingConditionTests {
    private let first = MovedDocuments(isDurable: true)
    private let second = MovedDocuments(isDurable: false)

    @Test("What two lanes could not record is tried again, the first first, until each is recorded")
    func bothLanes() {
        var condition = FilingCondition()
        condition.note(first, isRecorded: false)
        // The other worker's batch was under way meanwhile.
        condition.note(second, isRecorded: false)
        #expect(condition.firstUnrecorded?.isDurable == true)
        condition.noteTriedAgain(first, isRecorded: false)
        #expect(condition.firstUnrecorded?.isDurable == true)
        condition.noteTriedAgain(first, isRecorded: true)
        #expect(condition.firstUnrecorded?.isDurable == false)
        condition.noteTriedAgain(second, isRecorded: true)
        #expect(!condition.hasUnrecorded)
    }

    @Test("While a record is being tried again nobody begins that once more, and what is recorded twice traps nowhere")
    func tryingOnce() {
        var condition = FilingCondition()
        func next() -> Instant { condition.nextBeginning(hasRoom: true, isRecorderBusy: false) }
        condition.note(first, isRecorded: false)
        #expect(next() != .never && !condition.isTrying)
        condition.noteTrying()
        #expect(next() == .never && condition.isTrying)
        condition.noteTriedAgain(first, isRecorded: false)
        #expect(next() != .never && !condition.isTrying)
        for _ in 0..<2 { condition.noteTriedAgain(first, isRecorded: true) }
        #expect(!condition.hasUnrecorded)
    }

    @Test("A try that ends late, when its batch is recorded already, ends nothing of another batch")
    func late() {
        var condition = FilingCondition(unrecorded: [second])
        condition.noteTrying()
        condition.noteTriedAgain(first, isRecorded: true)
        #expect(condition.isTrying && condition.firstUnrecorded?.isDurable == second.isDurable)
        condition.noteTriedAgain(second, isRecorded: true)
        #expect(!condition.isTrying && !condition.hasUnrecorded)
    }

    @Test("A batch that is recorded ends nothing of what another lane could not record")
    func recordedMeanwhile() {
        var condition = FilingCondition()
        condition.note(first, isRecorded: false)
        condition.note(second, isRecorded: true)
        #expect(condition.hasUnrecorded)
    }

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

    @Test("What could not be recorded in a state folder that is lost is recorded first in the next one")
    func lost() {
        var condition = FilingCondition()
        let moment = Moment.current()
        condition.noteFailure(at: moment)
        condition.note(first, isRecorded: false)
        condition.suspend()
        #expect(condition.nextBeginning(hasRoom: true, isRecorderBusy: false) == .never)
        let next = FilingCondition(unrecorded: condition.unrecorded)
        #expect(next.firstUnrecorded?.isDurable == true)
        #expect(next.nextBeginning(hasRoom: false, isRecorderBusy: false) <= moment.now)
    }

    @Test("While the state folder fails, whatever has room waits for its next try, whether or not a worker is busy")
    func beginning() {
        var condition = FilingCondition()
        let moment = Moment.current()
        for isBusy in [false, true] {
            #expect(condition.nextBeginning(hasRoom: false, isRecorderBusy: isBusy) == .never)
            #expect(condition.nextBeginning(hasRoom: true, isRecorderBusy: isBusy) <= moment.now)
        }
        condition.noteFailure(at: moment)
        for isBusy in [false, true] {
            #expect(condition.nextBeginning(hasRoom: true, isRecorderBusy: isBusy) > moment.now)
        }
        condition.note(first, isRecorded: false)
        #expect(condition.nextBeginning(hasRoom: false, isRecorderBusy: false) > moment.now)
        #expect(condition.nextBeginning(hasRoom: true, isRecorderBusy: true) == .never, "the end of the job is awaited")
    }
}
