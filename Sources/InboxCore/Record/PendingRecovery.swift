import InboxDetection
import InboxLinux

/// Recovery as long as the daemon runs: what it cannot tell at the start, because a disk is not there, it tells when the
/// disk is.
final class PendingRecovery {
    private static let longestWait = Duration.seconds(600)

    private let unresolved: UnresolvedIntents
    private let history: History
    private let intake: Intake
    private var tries = 0
    /// When to look again by itself; `never` while nothing is open.
    private(set) var nextTry = Instant.never

    init(_ unresolved: UnresolvedIntents, _ history: History, _ intake: Intake) {
        self.unresolved = unresolved
        self.history = history
        self.intake = intake
    }

    /// Finds out what the last run came to.
    func begin(_ journal: Journal, _ detector: Detector, at moment: Moment) throws(SyscallError) {
        tell(try Recovery.run(journal, unresolved, history, detector))
        plan(at: moment)
    }

    /// Something has come or gone: what was not there may be.
    func lookAgain(at moment: Moment) {
        tries = 0
        if nextTry != .never { nextTry = moment.now }
    }

    /// Looks again where that is due.
    func proceed(_ detector: Detector, at moment: Moment) {
        if nextTry <= moment.now { retry(detector, accepting: false, at: moment) }
    }

    /// What stands at the destinations now counts: a document that is not there is given up.
    func accept(_ detector: Detector, at moment: Moment) {
        if nextTry != .never { retry(detector, accepting: true, at: moment) }
    }

    private func retry(_ detector: Detector, accepting: Bool, at moment: Moment) {
        do throws(SyscallError) {
            tell(try Recovery.retry(unresolved, history, detector, accepting: accepting))
        } catch {
            // Nothing was changed, or it is found to be done already the next time.
            intake.tell(.notice("cannot find out now what an interruption came to: \(error)"))
        }
        plan(at: moment)
    }

    private func tell(_ findings: Recovery.Findings) {
        for record in findings.records {
            intake.tell(.notice("recovered the record of \(record.destination) after an interruption"))
        }
        for notice in findings.notices { intake.tell(.notice(notice)) }
    }

    private func plan(at moment: Moment) {
        let open = unresolved.entries.filter { !$0.isOfThisBoot }
        guard let first = open.first else {
            intake.end(.recovery)
            nextTry = .never
            return
        }
        tries += 1
        nextTry = moment.now + Settling.backOff(failures: tries, ceiling: Self.longestWait)
        let others = open.count > 1 ? " and \(open.count - 1) others" : ""
        intake.begin(
            .recovery,
            "cannot tell yet whether \(first.intent.source)\(others) was filed before an interruption: "
                + "\(first.reason ?? "it cannot be looked at"): mount the disk that it went to, or send SIGHUP to accept "
                + "what stands there")
    }
}
