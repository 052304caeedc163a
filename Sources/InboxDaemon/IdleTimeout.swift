import InboxLinux

/// The time that a client may be idle, and the moment at which the next one may have been so for too long.
struct IdleTimeout {
    private let limit: Duration
    /// When to look for those who have been idle for too long.
    private(set) var next: Instant

    init(_ limit: Duration = .seconds(300)) {
        self.limit = limit
        next = .never
    }

    /// A client was used last at this moment.
    mutating func note(use: Instant) {
        next = min(next, use + limit)
    }

    /// Returns true if clients that have been idle for too long are to be looked for now; each one is then to be
    /// checked.
    mutating func begins(at now: Instant) -> Bool {
        guard next <= now else { return false }
        next = .never
        return true
    }

    /// Returns true if a client that was last used at this moment has been idle for too long; otherwise plans another
    /// look at the time when it may have been.
    mutating func hasPassed(since use: Instant, at now: Instant) -> Bool {
        if use + limit <= now { return true }
        note(use: use)
        return false
    }
}
