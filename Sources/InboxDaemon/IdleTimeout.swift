import InboxLinux

/// How long a client may be idle, and when the next one may have been so for too long: `IdleTimeout=`.
struct IdleTimeout {
    /// Zero for no limit.
    private let limit: Duration
    /// When to look for those who have been idle for too long.
    private(set) var next: Instant

    /// Looks for idle clients at this moment first; `never` where there are none yet.
    init(_ limit: Duration, next: Instant = .never) {
        self.limit = limit
        self.next = next
    }

    /// A client was used last at this moment.
    mutating func note(use: Instant) {
        if limit > .zero { next = min(next, use + limit) }
    }

    /// Whether those who have been idle for too long are to be looked for now; each is to be asked for then.
    mutating func begins(at now: Instant) -> Bool {
        guard next <= now else { return false }
        next = .never
        return limit > .zero
    }

    /// Whether a client that was used last at this moment has been idle for too long; else it is looked for again when
    /// it may have been.
    mutating func hasPassed(since use: Instant, at now: Instant) -> Bool {
        if use + limit <= now { return true }
        note(use: use)
        return false
    }
}
