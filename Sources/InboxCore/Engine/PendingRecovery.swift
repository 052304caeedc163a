import InboxFiling
import InboxLinux

/// Recovery as long as the daemon runs: what it cannot find out at the start, because a disk is absent, it finds out when
/// the disk is there.
final class PendingRecovery {
    private static let longestWait = Duration.seconds(600)

    private let intake: Intake
    private var tries = 0
    /// The recovery that is requested now; nil if none is.
    private var wish: Recovery.Wish? = Recovery.Wish()
    /// The messages that were reported while something is open: every try finds the same again.
    private var reported: Set<String> = []
    /// The documents that no arrival counts.
    private(set) var staged = StagedDocuments()
    /// When to try again by itself; `never` while nothing is open.
    private(set) var nextTry = Instant.never
    /// When staging folders of other daemons are searched for.
    var search = StagingSearch()

    init(_ intake: Intake) {
        self.intake = intake
    }

    /// When to recover again by itself, be it only for what other daemons have left.
    var nextDeadline: Instant { min(nextTry, search.due) }

    /// A worker has to recover now.
    var isDue: Bool { wish != nil }

    /// Returns the recovery that a worker has to do now, and forgets the request.
    func takeWish() -> Recovery.Wish? {
        defer { wish = nil }
        return wish
    }

    /// A job has left entries open.
    func jobLeftOpen(at moment: Moment) {
        tries = 0
        wait(at: moment)
    }

    /// Reports what a recovery has found, while others may be under way.
    func report(_ findings: Recovery.Findings) {
        if let path = findings.lockedStaging {
            report("an interrupted run still has its staging folder in \(path) locked: it is tried again")
        }
        for record in findings.records { intake.report(.recovered(record)) }
        for notice in findings.notices { report(notice) }
    }

    /// Adopts the combined findings of all recoveries of a round so far.
    /// - Parameter entries: the entries that have not ended.
    func take(_ findings: Recovery.Findings, _ entries: JournalEntries, at moment: Moment) {
        staged.take(findings, entries)
        search.ended(intake.accounting.rescans, hasFound: findings.hasOthers, at: moment)
        // A staging folder that could not be removed now may be removable a moment later.
        let isLeft =
            findings.failure != nil || findings.lockedStaging != nil || !findings.isClean || !findings.open.isEmpty
            || !findings.unsynced.isEmpty
        if isLeft {
            // The try that has just ended has planned the next one, unless it took longer than that.
            if nextTry == .never || nextTry <= moment.now { wait(at: moment) }
        } else {
            nextTry = .never
            tries = 0
            reported = []
        }
        reportOpen(findings)
    }

    /// Recovery is wanted at once, since a server answers that did not.
    func request() {
        tries = 0
        wish = wish ?? Recovery.Wish()
    }

    /// A mount has appeared or gone: a disk that was absent may be available.
    func lookAgain(at moment: Moment) {
        tries = 0
        if nextTry != .never { nextTry = moment.now }
    }

    /// Takes note of staging folders that nobody works with here and that were seen in these places of an Inbox, and of how
    /// often everything was read.
    func note(seen: Set<BytePath>, rescans: Int, at moment: Moment) {
        if !seen.isEmpty { search.saw(in: seen, at: moment) }
        search.noteRescans(rescans, at: moment)
    }

    /// Tries again where that is due.
    func proceed(at moment: Moment) {
        if search.begins(at: moment) { wish = wish ?? Recovery.Wish() }
        if nextTry <= moment.now { retry(accepting: false, at: moment) }
    }

    /// Requests a recovery.
    /// - Parameter accepting: accepts what is at the destinations now: a document that is not there is given up. That may
    ///   concern what another daemon has left in a staging folder although nothing is open here.
    func retry(accepting: Bool, at moment: Moment) {
        wish = Recovery.Wish(isAccepting: accepting || wish?.isAccepting == true)
        wait(at: moment)
    }

    /// Reports a notice, once while something is open.
    private func report(_ notice: String) {
        if reported.insert(notice).inserted { intake.report(.notice(notice)) }
    }

    private func reportOpen(_ findings: Recovery.Findings) {
        if let failure = findings.failure {
            return intake.begin(
                .recovery,
                "cannot find out what became of the documents that an interruption has left: the state folder or a root "
                    + "cannot be read or written: \(failure): it is tried again by itself and by \"inboxctl retry\"")
        }
        let count = findings.open.count + findings.unsynced.count
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        if let first = findings.open.first {
            intake.begin(
                .recovery,
                "what was begun with \(first.source)\(others) cannot be ended yet: \(first.reason): it is tried again when "
                    + "a disk is mounted and by itself; \"inboxctl retry\" accepts what is at the destination",
                about: [first.source] + (staged.interrupted.first { $0.path == first.source }?.places ?? []))
        } else if let first = findings.unsynced.first {
            intake.begin(
                .recovery,
                "\(first)\(others): \(Self.unsynced)", about: [first])
        } else {
            intake.end(.recovery)
        }
    }

    /// The reason why a document is not given up when the disk may have lost its copy.
    static let unsynced =
        "the disk may have lost its copy, which only a restart of the machine shows: until then its source stays in a "
        + "staging folder"

    /// The reason why it is not known yet whether a document has reached its destination.
    static let compared = "it is compared with what is at its destination"

    private func wait(at moment: Moment) {
        tries += 1
        nextTry = moment.now + Settling.backOff(failures: tries, ceiling: Self.longestWait)
    }
}
