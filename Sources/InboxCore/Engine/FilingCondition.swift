import InboxFiling
import InboxLinux

/// The conditions that prevent filing: a pause, a state folder that is lost or cannot be written.
struct FilingCondition {
    /// Filing is paused: nothing begins.
    var isPaused = false
    /// The state folder is lost, and nothing begins any more.
    var isSuspended = false
    /// The number of consecutive failures to write the state folder.
    private var failures = 0

    /// No new batch before then: the state folder could not be written.
    private(set) var nextTry = Instant(nanoseconds: 0)

    /// The last try to write the state folder failed.
    var isFailing: Bool { failures > 0 }

    /// So many tries have failed that `--once` no longer waits for the next one.
    var isFailingForLong: Bool { failures > 3 }

    /// When something begins next: at once where there is room, but not before the next try of a state folder that
    /// failed; `never` where only the end of a job lets something begin.
    /// - Parameter hasRoom: whether something that waits has a worker that is free.
    func nextBeginning(hasRoom: Bool) -> Instant { isSuspended || !hasRoom ? .never : nextTry }

    /// Somebody asks for another try.
    mutating func retry() {
        failures = min(failures, 1)
        nextTry = Instant(nanoseconds: 0)
    }

    /// The state folder could not be written. What another lane has begun before does not count as another try.
    mutating func noteFailure(at moment: Moment) {
        guard nextTry <= moment.now else { return }
        failures += 1
        nextTry = moment.now + Settling.backOff(failures: failures, ceiling: .seconds(60))
    }

    /// The state folder was written.
    mutating func noteSuccess() { failures = 0 }
}
