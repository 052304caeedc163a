import InboxLinux

/// A limit on the lines of the log about each user's arrivals. Without it, a user whose arrivals appear and disappear
/// in a loop would fill the log, and journald(8) would drop everybody's lines.
struct LineBudget {
    /// Lines: no more are about one user's arrivals in a window.
    static let most = 1_000
    /// The duration of a window.
    static let window = Duration.seconds(60)

    /// The number of lines in this window by user, including those that were dropped.
    private var counts: [UInt32: Int] = [:]
    private var end = Instant(nanoseconds: 0)
    private var hasDropped = false

    /// When the lines that were dropped are to be reported; `never` where none was.
    var nextReport: Instant { hasDropped ? end : .never }

    /// Returns true if another line about an arrival of this user may be written. Call ``takeDropped(at:)`` first.
    mutating func admits(_ user: UInt32, at now: Instant) -> Bool {
        if counts.isEmpty { end = now + Self.window }
        counts[user, default: 0] += 1
        let isAdmitted = counts[user, default: 0] <= Self.most
        if !isAdmitted { hasDropped = true }
        return isAdmitted
    }

    /// The users of whose lines some were dropped, and how many, once the window has ended.
    mutating func takeDropped(at now: Instant) -> [(user: UInt32, count: Int)] {
        guard end <= now, !counts.isEmpty else { return [] }
        defer { (counts, hasDropped) = ([:], false) }
        return counts.filter { $0.value > Self.most }.map { ($0.key, $0.value - Self.most) }.sorted { $0 < $1 }
    }
}
