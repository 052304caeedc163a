import InboxDetection
import InboxLinux

/// Recovery as long as the daemon runs: what it cannot tell at the start, because a disk is not there, it tells when the
/// disk is.
final class PendingRecovery {
    private static let longestWait = Duration.seconds(600)

    private let unresolved: UnresolvedIntents
    private let copies: CopyJournal
    private let history: History
    private let intake: Intake
    private var tries = 0
    /// Copies of an interrupted run of which it cannot be told yet what came of them.
    private var openCopies: [(intent: CopyIntent, reason: String)] = []
    /// What was told while something is open: the same is met at every look.
    private var told: Set<String> = []
    /// When to look again by itself; `never` while nothing is open.
    private(set) var nextTry = Instant.never

    init(_ unresolved: UnresolvedIntents, _ copies: CopyJournal, _ history: History, _ intake: Intake) {
        self.unresolved = unresolved
        self.copies = copies
        self.history = history
        self.intake = intake
    }

    /// Finds out what the last run came to.
    func begin(_ journal: Journal, _ detector: Detector, at moment: Moment) throws(SyscallError) {
        tell(try Recovery.run(journal, unresolved, history, detector))
        try recoverCopies(detector, accepting: false)
        plan(at: moment)
    }

    /// Whether a copy of this file may stand at a destination that cannot be looked at: another would be its twin.
    func mayBeCopied(_ file: FileKey) -> Bool {
        !openCopies.isEmpty && openCopies.contains { $0.intent.intent.identity.file.isFile(file) }
    }

    /// A copy has ended, and none is under way: what is left of it that could not be taken away is tried once more, and
    /// else known from now on, so that its source is not copied again.
    func copyEnded(_ detector: Detector, at moment: Moment) {
        if copies.hasKept { retry(detector, isCopying: false, accepting: false, at: moment) }
    }

    private func recoverCopies(_ detector: Detector, accepting: Bool) throws(SyscallError) {
        let found = try CopyRecovery.run(
            copies, history, detector, inboxes: intake.inboxes.map(\.path), accepting: accepting)
        openCopies = found.open
        tell(Recovery.Findings(records: found.records, notices: found.notices))
    }

    /// Something has come or gone: what was not there may be.
    func lookAgain(at moment: Moment) {
        tries = 0
        if nextTry != .never { nextTry = moment.now }
    }

    /// Looks again where that is due; at copies only while none is under way.
    func proceed(_ detector: Detector, isCopying: Bool, at moment: Moment) {
        if nextTry <= moment.now { retry(detector, isCopying: isCopying, accepting: false, at: moment) }
    }

    /// What stands at the destinations now counts: a document that is not there is given up.
    func accept(_ detector: Detector, isCopying: Bool, at moment: Moment) {
        if nextTry != .never { retry(detector, isCopying: isCopying, accepting: true, at: moment) }
    }

    private func retry(_ detector: Detector, isCopying: Bool, accepting: Bool, at moment: Moment) {
        do throws(SyscallError) {
            tell(try Recovery.retry(unresolved, history, detector, accepting: accepting))
            if copies.hasKept, !isCopying { try recoverCopies(detector, accepting: accepting) }
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
        for notice in findings.notices where told.insert(notice).inserted { intake.tell(.notice(notice)) }
    }

    private func plan(at moment: Moment) {
        let records = unresolved.entries.filter { !$0.isOfThisBoot }.map { ($0.intent, $0.reason) }
        let open = records + openCopies.map { ($0.intent.intent, $0.reason) }
        guard let first = open.first else {
            intake.end(.recovery)
            if copies.hasKept { return wait(at: moment) }
            nextTry = .never
            told = []
            return
        }
        wait(at: moment)
        let others = open.count > 1 ? " (and \(open.count - 1) more)" : ""
        intake.begin(
            .recovery,
            "what was begun with \(first.0.source)\(others) cannot be ended yet: \(first.1 ?? "it cannot be looked at"): "
                + "it is tried again when a disk is mounted and by itself; \"inboxctl retry\" accepts what stands there"
        )
    }

    private func wait(at moment: Moment) {
        tries += 1
        nextTry = moment.now + Settling.backOff(failures: tries, ceiling: Self.longestWait)
    }
}
