import InboxLinux

/// When to say how far a delivery is: only once it takes longer than a second, and then five times a second at most.
package struct ProgressPace: Sendable {
    /// The time for which nothing is reported at first.
    private static let patience = Duration.seconds(1)
    /// The time between two reports.
    private static let interval = Duration.milliseconds(200)

    private var next: Instant

    /// - Parameter begun: when the delivery was asked for.
    package init(begun: Instant) { next = begun + Self.patience }

    /// Returns whether a report is due at this instant; the next one is due an interval later.
    package mutating func isDue(at now: Instant) -> Bool {
        guard next <= now else { return false }
        next = now + Self.interval
        return true
    }
}
