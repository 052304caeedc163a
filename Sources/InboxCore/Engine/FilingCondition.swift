import InboxFiling
import InboxLinux

/// The conditions that prevent filing: a pause, a state folder that is lost or cannot be written, missing records.
struct FilingCondition {
    /// Filing is paused: nothing begins.
    var isPaused = false
    /// The state folder is lost, and nothing begins any more.
    private(set) var isSuspended = false
    /// The documents that have moved but could not be recorded. Their records are tried again before anything else.
    private(set) var unrecorded: [MovedDocuments] = []
    /// The first of those records is being tried. The worker may be free all the same if the try appears to hang.
    private(set) var isTrying = false
    /// The number of consecutive failures to write the state folder.
    private var failures = 0

    /// - Parameter unrecorded: what has moved and could not be recorded in a state folder that is lost.
    init(unrecorded: [MovedDocuments] = []) { self.unrecorded = unrecorded }

    /// No new batch before then: the state folder could not be written.
    private(set) var nextTry = Instant(nanoseconds: 0)

    /// The last try to write the state folder failed.
    var isFailing: Bool { failures > 0 }

    /// So many tries have failed that `--once` no longer waits for the next one.
    var isFailingForLong: Bool { failures > 3 }

    /// Some documents have moved but are not recorded.
    var hasUnrecorded: Bool { !unrecorded.isEmpty }

    /// The documents to record first; nil if no record is missing.
    var firstUnrecorded: MovedDocuments? { unrecorded.first }

    /// When something begins next: at once where there is room, but not before the next try of a state folder that
    /// failed; `never` where only the end of a job lets something begin.
    /// - Parameters:
    ///   - hasRoom: whether something that waits has a worker that is free.
    ///   - isRecorderBusy: whether the worker has another job that makes the missing records, before anything else begins.
    func nextBeginning(hasRoom: Bool, isRecorderBusy: Bool) -> Instant {
        if isSuspended || (hasUnrecorded && (isRecorderBusy || isTrying)) { return .never }
        return hasRoom || hasUnrecorded ? nextTry : .never
    }

    /// The state folder is lost.
    mutating func suspend() { isSuspended = true }

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

    /// Another batch of documents has moved.
    mutating func note(_ moved: MovedDocuments, isRecorded: Bool) {
        if !isRecorded { unrecorded.append(moved) }
    }

    /// The first of what could not be recorded is tried again.
    mutating func noteTrying() { isTrying = true }

    /// That has ended; or another try, which hung while the state folder was lost, and has made the same records.
    mutating func noteTriedAgain(_ moved: MovedDocuments, isRecorded: Bool) {
        guard let first = unrecorded.first, first.isSame(as: moved) else { return }
        isTrying = false
        if isRecorded { unrecorded.removeFirst() }
    }
}
