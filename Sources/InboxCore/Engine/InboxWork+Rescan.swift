import InboxLinux

/// A scan of all Inboxes that somebody asked for.
package struct RequestedScan: Sendable {
    /// How long its outcome is waited for.
    private static let patience = Duration.seconds(60)

    /// How many scans had begun before it.
    fileprivate let earlier: Int
    fileprivate let deadline: Instant

    fileprivate init(after earlier: Int, at moment: Moment) {
        self.earlier = earlier
        deadline = moment.now + Self.patience
    }

    /// What a scan has come to.
    package struct Outcome: Sendable {
        /// How many folders the Inboxes have.
        package let folders: Int
        /// How many arrivals are in them.
        package let arrivals: Int
        /// Whether all was read.
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

    /// What has become of a scan; nil while it goes on.
    package func outcome(of scan: RequestedScan, at moment: Moment) -> RequestedScan.Outcome? {
        let sum = intake.accounting
        let isComplete = sum.rescans > scan.earlier && !intake.isReading
        guard isComplete || scan.deadline <= moment.now else { return nil }
        return RequestedScan.Outcome(
            folders: intake.inboxes.reduce(0) { $0 + $1.folderCount }, arrivals: sum.waiting + sum.held + sum.ignored,
            isComplete: isComplete)
    }
}
