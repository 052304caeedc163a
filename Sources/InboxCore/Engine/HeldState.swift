import InboxFiling
import InboxLinux

/// The state folder that is in use, and when it is tried again where there is none.
struct HeldState {
    /// Nil while none can be used.
    var folder: StateFolder?
    /// The documents that have moved but could not be recorded in a state folder that was lost.
    private(set) var unrecorded: [LeftClaim] = []
    /// `never` while nothing has failed.
    private(set) var nextTry = Instant.never
    /// The number of consecutive failures.
    private var failures = 0

    /// All that filing needs of it could be read and written, and filing has what was unrecorded.
    mutating func noteSuccess() {
        unrecorded = []
        failures = 0
        nextTry = .never
    }

    /// It could not be taken, or not be used.
    mutating func noteFailure(at moment: Moment) {
        failures += 1
        nextTry = moment.now + Settling.backOff(failures: failures, ceiling: .seconds(60))
    }

    /// Somebody asks for another try.
    mutating func retry() {
        guard nextTry != .never else { return }
        failures = 0
        nextTry = Instant(nanoseconds: 0)
    }

    /// Returns true, once, if the folder is to be tried again now.
    mutating func takeTry(at moment: Moment) -> Bool {
        guard nextTry <= moment.now else { return false }
        nextTry = .never
        return true
    }

    /// Unlocks it, and keeps what it lacks for the next one.
    mutating func leave(unrecorded: [LeftClaim]) {
        folder = nil
        self.unrecorded += unrecorded
    }
}
