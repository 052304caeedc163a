import InboxFiling
import InboxLinux

/// Recovery beside filing: on the worker of small copies, and where contents are compared on that of long comparisons.
extension Filing {
    /// Where contents are compared.
    var comparing: Lane { copying.lanes.comparing }

    /// When a comparison of another user's has waited for long enough to begin beside another.
    var nextComparing: Instant {
        comparing.nextSharing(isAwaited: recovering.comparisons.isAwaited(besides: comparing.owners))
    }

    /// Begins what recovery has to do, as long as workers are free.
    func recover(at moment: Moment) {
        compare(at: moment)
        guard copying.canRecover else { return }
        if recovering.takeAnswer(silent: intake.roots.silent) { records.recovery.request() }
        if !recovering.isRound, let wish = records.recovery.takeWish() {
            let inboxes = intake.inboxes.map(\.path)
            recovering.begin(
                records.interrupted(
                    means, inboxes, intake.roots.known, besides: recovering.hungShares, copying.left.published, wish))
        }
        if let (number, recovery) = recovering.takeNext() { copying.lanes.small.begin(.recover(recovery, number)) }
        takeFindings(at: moment)
    }

    /// Begins the recoveries that compare contents, as long as a worker is free.
    private func compare(at moment: Moment) {
        if nextComparing <= moment.now { comparing.share(at: moment.now) }
        while comparing.isFree, let (number, recovery) = recovering.comparisons.takeNext(besides: comparing.owners) {
            comparing.begin(.recover(recovery, number), of: recovery.share.comparing ?? [])
        }
    }

    /// Takes what the recoveries of a round have found.
    func takeFindings(at moment: Moment) {
        guard let findings = recovering.takeFindings(silent: intake.roots.silent) else { return }
        records.recovery.take(findings, records.journal.interrupted, at: moment)
        copying.handOver(records.recovery.staged.interrupted, at: moment)
    }
}
