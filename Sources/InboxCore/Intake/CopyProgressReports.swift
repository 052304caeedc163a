import InboxFiling
import InboxLinux

/// The copies under way, and what followers know of them.
final class CopyProgressReports {
    /// The interval at which the progress of a copy is reported.
    private static let interval = Duration.seconds(1)

    private let book: ArrivalBook
    private let report: IntakeReport
    /// The number of bytes that was last reported for each copy.
    private var reported: [ArrivalID: UInt64] = [:]
    /// When anything was reported last.
    private var last = Instant(nanoseconds: 0)

    init(_ book: ArrivalBook, _ report: IntakeReport) {
        self.book = book
        self.report = report
    }

    /// When the next report is due; `never` without a copy or without a follower.
    var nextDeadline: Instant {
        reported.isEmpty || report.events.followers == 0 ? .never : last + Self.interval
    }

    /// A copy begins.
    func begin(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = book[id] else { return }
        if reported.isEmpty { last = moment.now }
        reported[id] = 0
        report.record(.copying(done: 0, size: arrival.size), of: arrival)
    }

    /// An arrival is in flight no more: if it was being copied, it no longer is.
    func end(_ id: ArrivalID) {
        if !reported.isEmpty { reported[id] = nil }
    }

    /// Reports the copies that have made progress.
    func proceed(at moment: Moment) {
        guard nextDeadline <= moment.now else { return }
        last = moment.now
        for id in reported.keys.sorted(by: { $0.number < $1.number }) {
            guard let arrival = book[id], let done = arrival.copied, done != reported[id] else { continue }
            reported[id] = done
            report.record(.copying(done: done, size: arrival.size), of: arrival)
        }
    }
}
