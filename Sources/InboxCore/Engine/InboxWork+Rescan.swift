import InboxLinux

/// A scan of all Inboxes that somebody asked for.
package struct RequestedScan: Sendable {
    /// The longest time to wait for the outcome of a scan.
    private static let patience = Duration.seconds(60)

    /// The number of scans that had begun before this one.
    fileprivate let earlier: Int
    fileprivate let deadline: Instant

    fileprivate init(after earlier: Int, at moment: Moment) {
        self.earlier = earlier
        deadline = moment.now + Self.patience
    }

    /// The outcome of a scan.
    package struct Outcome: Sendable {
        /// The number of folders in the Inboxes.
        package let folders: Int
        /// The number of arrivals in them.
        package let arrivals: Int
        /// Everything was read.
        package let isComplete: Bool
    }
}

extension InboxWork {
    /// Reads all Inboxes again, though not more often than once a second.
    package func requestScan(at moment: Moment) -> RequestedScan {
        let scan = RequestedScan(after: intake.accounting.rescans, at: moment)
        intake.requestFullScan(at: moment)
        return scan
    }

    /// Returns the outcome of a scan; nil while it is under way and its deadline has not passed.
    package func outcome(of scan: RequestedScan, at moment: Moment) -> RequestedScan.Outcome? {
        let sum = intake.accounting
        let isComplete = sum.rescans > scan.earlier && !intake.isReading
        guard isComplete || scan.deadline <= moment.now else { return nil }
        return RequestedScan.Outcome(
            folders: intake.inboxes.reduce(0) { $0 + $1.folderCount }, arrivals: sum.waiting + sum.held + sum.ignored,
            isComplete: isComplete)
    }
}
