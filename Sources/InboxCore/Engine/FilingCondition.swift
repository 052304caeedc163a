import InboxFiling
import InboxLinux

/// What keeps filing from going on: a pause, a state folder that is lost or cannot be written, records that are missing.
struct FilingCondition {
    /// Whether nothing begins, since somebody paused filing.
    var isPaused = false
    /// Whether nothing begins any more, since the state folder is lost.
    private(set) var isSuspended = false
    /// What has moved and could not be recorded: it is tried again before anything else.
    private(set) var unrecorded: [MovedDocuments] = []
    /// Whether the first of that is being tried. The worker may be free all the same, where the try seems to hang.
    private(set) var isTrying = false
    /// How many tries to write the state folder have failed in a row.
    private var failures = 0

    /// - Parameter unrecorded: what has moved and could not be recorded in a state folder that is lost.
    init(unrecorded: [MovedDocuments] = []) { self.unrecorded = unrecorded }

    /// No new batch before then: the state folder could not be written.
    private(set) var nextTry = Instant(nanoseconds: 0)

    /// Whether the last try to write the state folder has failed.
    var isFailing: Bool { failures > 0 }

    /// Whether so many tries have failed that `--once` stops waiting for the next one.
    var isFailingForLong: Bool { failures > 3 }

    /// Whether records of what has moved are missing.
    var hasUnrecorded: Bool { !unrecorded.isEmpty }

    /// What is to be recorded first; nil where no record is missing.
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
