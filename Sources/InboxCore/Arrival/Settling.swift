import InboxLinux

/// Is the arrival complete? A pure function of what is known of it and the time.
///
/// Three things must hold: nothing has happened to it for its quiet time, it is not an empty placeholder or the
/// target of a download under way, and nobody has it open for writing. The last one only a lease can show, so the
/// answer before that is ``Verdict/prove``.
public enum Settling {
    /// What is known of an arrival.
    public struct Facts: Sendable {
        /// What it is.
        public var kind: FileStatus.Kind
        /// Whether it is a folder that is one document.
        public var isPackage: Bool
        /// Whether it has no content.
        public var isEmpty: Bool
        /// Whether the ignore list, or the rule for hidden names, matches its name.
        public var isIgnored: Bool
        /// Since when nothing has happened to it.
        public var quietSince: Instant
        /// Whether it needs a quiet time at all.
        public var needsQuiet: Bool
        /// Whether no lease can be had, so that the quiet time has to stand in for it.
        public var isUnprovable: Bool
        /// Whether a partial download of it stands beside it.
        public var hasSibling: Bool
        /// How long until it is looked at again when it waits for somebody else.
        public var patience: Duration

        /// Facts of an ordinary, quiet, provable file.
        public init(
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

    /// What follows.
    public enum Verdict: Equatable, Sendable {
        /// It is not worked on.
        case ignore
        /// It stays.
        case hold(HoldReason)
        /// It is looked at again then.
        case wait(WaitingReason, until: Instant)
        /// All that can be told from outside is told: open it and ask for the lease.
        case prove
    }

    /// A waiting arrival is looked at again after so long at first; each look doubles it.
    public static let firstPatience = Duration.milliseconds(50)
    /// The longest time between two looks at a waiting arrival.
    public static let lastPatience = Duration.seconds(5)

    /// Decides.
    public static func decide(_ facts: Facts, _ settings: InboxSettings, at now: Instant) -> Verdict {
        if facts.isIgnored { return .ignore }
        switch facts.kind {
        case .symlink: return settings.symlinks == .move ? .prove : .hold(.symlink)
        case .special: return .hold(.special)
        case .directory where !facts.isPackage: return .hold(.depth)
        case .directory, .regular: break
        }
        if facts.hasSibling { return .wait(.sibling, until: now + facts.patience) }
        if facts.isEmpty {
            let end = facts.quietSince + settings.emptySettle
            if now < end { return .wait(.empty, until: min(end, now + facts.patience)) }
        }
        let end = facts.quietSince + quietTime(facts, settings)
        return now < end ? .wait(.settling, until: end) : .prove
    }

    /// How long nothing may have happened: none for what was renamed or linked in, `Settle` where a lease can be had,
    /// and where it cannot at least 5 s (1 s with `Settle=0`).
    static func quietTime(_ facts: Facts, _ settings: InboxSettings) -> Duration {
        if facts.isUnprovable {
            return settings.settle == .zero ? .seconds(1) : max(settings.settle, .seconds(5))
        }
        return facts.needsQuiet ? settings.settle : .zero
    }

    /// Since when a file has been quiet that shows this change time now.
    ///
    /// A change time that lies ahead tells nothing (somebody set a clock): it counts as now.
    static func quietSince(changed: Timestamp, at moment: Moment) -> Instant {
        guard changed <= moment.wall else { return moment.now }
        return moment.now - min(changed.age(at: moment.wall) ?? .seconds(1 << 32), .seconds(1 << 32))
    }

    /// The patience after one more look in vain.
    static func next(_ patience: Duration) -> Duration { min(patience * 2, lastPatience) }

    /// How long to wait after so many failures in a row: 1 s, doubling, up to `ceiling`.
    static func backOff(failures: Int, ceiling: Duration) -> Duration {
        min(.seconds(1 << min(max(failures - 1, 0), 30)), ceiling)
    }
}
