import InboxFiling
import InboxLinux

/// The ends of handlers on their way into the history: they are written in the pool, since whoever syncs the history keeps
/// others waiting, and again after a while where that fails.
struct HandlerRecorder {
    /// A handler's end that is not in the history yet.
    private struct Entry {
        let task: HandlerQueue.Task
        let line: [UInt8]
        /// The report of the handler's end; nil once it was reported.
        var happening: Happening?
    }

    /// In the order in which the handlers ended.
    private var entries: [Entry] = []
    /// The number of entries that are being written.
    private var writingCount = 0
    private var failures = 0
    private var nextTry = Instant(nanoseconds: 0)

    /// Nothing is being written, or will be before its back-off has passed.
    var isAtRest: Bool { writingCount == 0 && (entries.isEmpty || failures > 0) }

    /// When something is written again; `never` while something is being written.
    var nextDeadline: Instant { writingCount > 0 || entries.isEmpty ? .never : nextTry }

    /// The handler of a document has ended.
    mutating func append(_ task: HandlerQueue.Task, _ line: [UInt8], reporting happening: Happening) {
        entries.append(Entry(task: task, line: line, happening: happening))
    }

    /// Takes the lines that are to be written now, with the ids of their documents, where that is due.
    mutating func begin(at moment: Moment) -> (lines: [UInt8], ids: [String])? {
        guard nextDeadline <= moment.now else { return nil }
        writingCount = entries.count
        return (entries.flatMap(\.line), entries.map(\.task.document.id))
    }

    /// Takes note that they were written, or were not.
    /// - Returns: the documents that are handled, what is to be reported, and whether this is the first failure in a row.
    mutating func end(
        _ failure: SyscallError?, at moment: Moment
    ) -> (handled: [HandlerQueue.Task], happenings: [Happening], isNewFailure: Bool) {
        let happenings = entries[..<writingCount].compactMap(\.happening)
        defer { writingCount = 0 }
        guard failure != nil else {
            let handled = entries[..<writingCount].map(\.task)
            entries.removeFirst(writingCount)
            failures = 0
            nextTry = moment.now
            return (handled, happenings, false)
        }
        for index in 0..<writingCount { entries[index].happening = nil }
        failures += 1
        nextTry = moment.now + Settling.backOff(failures: failures, ceiling: .seconds(60))
        return ([], happenings, failures == 1)
    }
}
