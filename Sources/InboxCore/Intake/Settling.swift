import InboxConfiguration
import InboxFiling
import InboxLinux

/// Is the arrival complete? A pure function of what is known of it and the time.
///
/// Three things must hold: nothing has happened to it for its quiet time, it is not an empty placeholder or the
/// target of a download under way, and nobody has it open for writing. The last one only a lease can show, so the
/// answer before that is ``Verdict/prove``.
package enum Settling {
    /// The known facts of an arrival.
    package struct Facts: Sendable {
        /// The kind of the file.
        package var kind: FileStatus.Kind
        /// The arrival is a folder that is one document.
        package var isPackage: Bool
        /// The arrival has no content.
        package var isEmpty: Bool
        /// The ignore list, or the rule for hidden names, matches the arrival's name.
        package var isIgnored: Bool
        /// Since when nothing has happened to it.
        package var quietSince: Instant
        /// The arrival needs a quiet time at all.
        package var needsQuiet: Bool
        /// No lease can show that nobody is writing, so a longer quiet time replaces it.
        package var isUnprovable: Bool
        /// A partial download of the arrival lies beside it, or in it.
        package var hasSibling: Bool
        /// It is a package for a repository that is not shown to be complete: whoever fills it may wait for a server
        /// meanwhile.
        var isYoung = false
        /// The time that a survey of the arrival took, if it is a folder that is one document.
        package var surveyCost = Duration.zero
        /// The time until the arrival is inspected again when it waits for somebody else.
        package var patience: Duration
        /// When it is inspected again while it waits for what is beside it, where events report each change of that.
        var siblingEnd: Instant?
        /// Events report each change of it, so that it need not be inspected meanwhile.
        var isWatched = false
        /// The time that writing the arrival took, as far as it can be seen: from its birth to its last change.
        var writing = Duration.zero
        /// Until then files that belong to it may come, or be met.
        var companyUntil = Instant(nanoseconds: .min)
        /// The state of its marker, where it needs one.
        var readiness = Readiness.unmarked

        /// Facts of an ordinary, quiet, provable file.
        package init(
            kind: FileStatus.Kind, isPackage: Bool = false, isEmpty: Bool = false, isIgnored: Bool = false,
            quietSince: Instant, needsQuiet: Bool = true, isUnprovable: Bool = false, hasSibling: Bool = false,
            patience: Duration = Settling.firstPatience
        ) {
            self.kind = kind
            self.isPackage = isPackage
            self.isEmpty = isEmpty
            self.isIgnored = isIgnored
            self.quietSince = quietSince
            self.needsQuiet = needsQuiet
            self.isUnprovable = isUnprovable
            self.hasSibling = hasSibling
            self.patience = patience
        }
    }

    /// The state of a document's marker.
    package enum Readiness: Sendable {
        /// It needs none.
        case unmarked
        /// It is not there, or does not count.
        case awaited
        /// It counts: whoever has made the document says that it is complete.
        case ready
    }

    /// The result of the decision.
    package enum Verdict: Equatable, Sendable {
        /// It is not worked on.
        case ignore
        /// It stays.
        case hold(HoldReason)
        /// It is inspected again then.
        case wait(WaitingReason, until: Instant)
        /// Nothing from outside speaks against it: open it and request the lease.
        case prove
    }

    /// The time until the first repeated inspection of a waiting arrival; each inspection doubles it.
    package static let firstPatience = Duration.milliseconds(50)
    /// The longest time between two inspections of a waiting arrival.
    package static let lastPatience = Duration.seconds(5)

    /// Decides.
    package static func decide(_ facts: Facts, _ settings: InboxSettings, at now: Instant) -> Verdict {
        if facts.isIgnored { return .ignore }
        switch facts.kind {
        case .symlink: return settings.symlinks == .move ? .prove : .hold(.symlink)
        case .special: return .hold(.special)
        case .directory where !facts.isPackage: return .hold(.depth)
        case .directory, .regular: break
        }
        if facts.hasSibling { return .wait(.sibling, until: facts.siblingEnd ?? now + facts.patience) }
        switch facts.readiness {
        case .unmarked: break
        // Whoever finds the marker, or finds that it has changed, has it decided anew.
        case .awaited: return .wait(.unready, until: .never)
        case .ready: return .prove
        }
        if facts.isEmpty {
            let end = facts.quietSince + settings.emptySettle
            // Nearly every file is empty in the moment in which it is made.
            let first = facts.quietSince + max(min(settings.settle, .seconds(1)), newness)
            if facts.needsQuiet, now < min(first, end) { return .wait(.settling, until: min(first, end)) }
            if now < end { return .wait(.empty, until: facts.isWatched ? end : min(end, now + facts.patience)) }
        }
        let end = facts.quietSince + quietTime(facts, settings)
        guard now < end else {
            return now < facts.companyUntil ? .wait(.settling, until: facts.companyUntil) : .prove
        }
        // That it is complete shows in it, and no event reports that.
        let next = facts.isYoung ? now + max(youngPatience, facts.surveyCost * surveyShare) : end
        return .wait(.settling, until: min(end, next))
    }

    /// 2 s: how long until a repository is inspected again that is not shown to be complete.
    private static let youngPatience = Duration.seconds(2)

    /// The time that a new file may be empty before that is reported.
    private static let newness = Duration.milliseconds(100)

    /// 5 s: the least quiet time of a package, whose files are written one after the other.
    ///
    /// Debug builds read it from `INBOXD_PACKAGE_QUIET` (milliseconds): a sweep of faults runs the daemon hundreds of times.
    package static let packageQuiet: Duration = {
        #if DEBUG
            if let text = Process.environment("INBOXD_PACKAGE_QUIET"),
                let number = Int64(String(decoding: text, as: UTF8.self))
            {
                return .milliseconds(number)
            }
        #endif
        return .seconds(5)
    }()

    /// Surveys of a package that never stops changing may take at most one part in this many of the time.
    static let surveyShare = 20

    /// The divisor of a file's writing time: the quotient is the time for which the file has to be quiet.
    private static let slowShare = 4
    /// The longest quiet time that follows from that.
    private static let slowest = Duration.seconds(15)

    /// Returns the time for which nothing may have happened: none for a file that was renamed or linked in; `Settle`
    /// where a lease is available; at least 5 s where it is not (1 s with `Settle=0`), and for a package; for a clone
    /// that is not shown to be complete, at least the time for remains in a folder. Slow writing and slow surveys
    /// lengthen it.
    static func quietTime(_ facts: Facts, _ settings: InboxSettings) -> Duration {
        if facts.isPackage {
            let surveys = min(facts.surveyCost * surveyShare, .seconds(60))
            return max(settings.settle, packageQuiet, surveys, facts.isYoung ? settings.folderSettle : .zero)
        }
        guard facts.needsQuiet || facts.isUnprovable else { return .zero }
        let slow = settings.settle == .zero ? .zero : min(facts.writing / slowShare, slowest)
        if facts.isUnprovable {
            return settings.settle == .zero ? .seconds(1) : max(settings.settle, .seconds(5), slow)
        }
        return max(settings.settle, slow)
    }

    /// 50 ms: how long what was moved in waits for what may come with it, since mv(1) renames one file after the other.
    private static let company = Duration.milliseconds(50)
    /// 1 s: how long a document waits at most until its folder is read, in which there may be files that belong to it.
    private static let longestCompany = Duration.seconds(1)

    /// Returns until when files that belong to a document may come, or be met.
    /// - Parameters:
    ///   - seen: when it was seen first.
    ///   - isMoved: whether it was renamed or linked in.
    ///   - isBeingRead: whether its folder is being read.
    static func companyUntil(seen: Instant, isMoved: Bool, isBeingRead: Bool, at now: Instant) -> Instant {
        if isBeingRead { return min(seen + longestCompany, now + company) }
        return isMoved ? seen + company : seen
    }

    /// Since when a file has been quiet that shows this change time now.
    ///
    /// A change time in the future says nothing (somebody set a clock): it counts as now.
    static func quietSince(changed: Timestamp, at moment: Moment) -> Instant {
        guard changed <= moment.wall else { return moment.now }
        // Whole numbers of nanoseconds, since this is asked several times for each document: up to 100 years fit in.
        let (seconds, overflow) = moment.wall.seconds.subtractingReportingOverflow(changed.seconds)
        guard !overflow, seconds < 100 * 366 * 86400 else { return moment.now - .seconds(1 << 32) }
        let age = seconds * 1_000_000_000 + Int64(moment.wall.nanoseconds) - Int64(changed.nanoseconds)
        let (instant, isBefore) = moment.now.nanoseconds.subtractingReportingOverflow(age)
        return Instant(nanoseconds: isBefore ? .min : instant)
    }

    /// Returns true if a change time is so far in the future that it does not show when the change was: somebody has
    /// set the clock back since, a server's clock is ahead, or the time is made up.
    static func isMadeUp(_ changed: Timestamp, at moment: Moment) -> Bool {
        changed.seconds > moment.wall.seconds.addingReportingOverflow(60).partialValue
    }

    /// The interval after one more inspection that found nothing new.
    static func next(_ patience: Duration) -> Duration { min(patience * 2, lastPatience) }

    /// Returns the time to wait after so many consecutive failures: 1 s, doubling, up to `ceiling`.
    static func backOff(failures: Int, ceiling: Duration) -> Duration {
        min(.seconds(1 << min(max(failures - 1, 0), 30)), ceiling)
    }
}
