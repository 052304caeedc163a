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

    /// Whether those who have been idle for too long are to be looked for now; each is to be asked for then.
    mutating func begins(at now: Instant) -> Bool {
        guard next <= now else { return false }
        next = .never
        return true
    }

    /// Whether a client that was used last at this moment has been idle for too long; else it is looked for again when
    /// it may have been.
    mutating func hasPassed(since use: Instant, at now: Instant) -> Bool {
        if use + limit <= now { return true }
        note(use: use)
        return false
    }
}
