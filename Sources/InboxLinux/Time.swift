import Glibc

/// A moment of the wall clock, as files carry it: seconds since 1970 in UTC and nanoseconds.
///
/// It may lie anywhere: a file's times are set by whoever made it.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// A moment of these parts.
    public init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The wall clock's time now: CLOCK_REALTIME of clock_gettime(2).
    public static func now() -> Timestamp {
        var told = timespec()
        clock_gettime(CLOCK_REALTIME, &told)
        return Timestamp(seconds: Int64(told.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: told.tv_nsec))
    }

    /// By time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// How long ago this moment was at `now`; nil where it lies ahead or further back than 100 years.
    public func age(at now: Timestamp) -> Duration? {
        guard self <= now else { return nil }
        let (difference, overflow) = now.seconds.subtractingReportingOverflow(seconds)
        guard !overflow, difference < 100 * 366 * 86400 else { return nil }
        return .seconds(difference) + .nanoseconds(Int64(now.nanoseconds) - Int64(nanoseconds))
    }

    /// The moment in UTC as RFC 3339 has it, with milliseconds: `2026-11-20T22:51:07.042Z`.
    ///
    /// Seconds that no calendar year of four digits holds give the nearest one that does; nanoseconds beyond a second,
    /// which a forged disk image can carry, count as its last.
    public var text: String {
        var clamped = time_t(max(-62_135_596_800, min(seconds, 253_402_300_799)))
        var parts = tm()
        gmtime_r(&clamped, &parts)
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(parts.tm_year + 1900, 4) + "-" + padded(parts.tm_mon + 1, 2) + "-" + padded(parts.tm_mday, 2)
            + "T" + padded(parts.tm_hour, 2) + ":" + padded(parts.tm_min, 2) + ":" + padded(parts.tm_sec, 2)
            + "." + padded(Int32(min(nanoseconds, 999_999_999) / 1_000_000), 3) + "Z"
    }
}

/// A moment of the clock that nobody sets: nanoseconds of CLOCK_MONOTONIC. Deadlines are kept in it.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since some moment before the process started.
    public let nanoseconds: Int64

    /// A moment, by its nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The moment that never comes.
    public static let never = Instant(nanoseconds: .max)

    /// The time now.
    public static func now() -> Instant {
        var told = timespec()
        clock_gettime(CLOCK_MONOTONIC, &told)
        return Instant(nanoseconds: Int64(told.tv_sec) * 1_000_000_000 + Int64(told.tv_nsec))
    }

    /// By time.
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment so much later; `never` beyond the clock's end, and its first moment before its beginning.
    public static func + (moment: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflow ? Instant(nanoseconds: duration < .zero ? .min : .max) : Instant(nanoseconds: sum)
    }

    /// The moment so much earlier, within the clock's ends.
    public static func - (moment: Instant, duration: Duration) -> Instant {
        let (difference, overflow) = moment.nanoseconds.subtractingReportingOverflow(duration.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? (duration < .zero ? .max : .min) : difference)
    }

    /// The time between two moments, cut off at the ends of Int64.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return .nanoseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }
}

extension Duration {
    /// The duration in nanoseconds, cut off at the ends of Int64 (292 years).
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? (seconds < 0 ? .min : .max) : sum
    }
}
