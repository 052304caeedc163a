import InboxLinux
import Synchronization

/// The queue in which handler threads report to the loop.
final class HandlerReports: Sendable {
    /// What threads report to the loop.
    enum Report: Sendable {
        /// A handler wrote a line.
        case wrote(HandledDocument, [UInt8])
        /// A try ended.
        case ended(HandledDocument, HandlerControl, HandlerEnding, Duration)
        /// These documents are to be handled, of all that the history has up to a place, and others of these owners.
        case found([HandledDocument], full: Set<UInt32>, upTo: History.Mark)
        /// What had ended is in the history, or could not be written.
        case recorded(SyscallError?)
        /// The history could not be searched.
        case searchFailed(SyscallError)
    }

    let bell: Bell
    private let reports = Mutex<[Report]>([])

    init() throws(SyscallError) { bell = try Bell() }

    /// Hands over a report, from any thread.
    func add(_ report: Report) {
        reports.withLock { reports in
            if reports.isEmpty { bell.ring() }
            reports.append(report)
        }
    }

    /// Takes all of them.
    func take() throws(SyscallError) -> [Report] {
        try reports.withLock { (reports) throws(SyscallError) in
            // The bell rings as long as there are reports: without one there is nothing to silence.
            if reports.isEmpty { return [] }
            try bell.silence()
            defer { reports = [] }
            return reports
        }
    }
}
