import Glibc

/// A moment of the wall clock, as files carry it: seconds since 1970 in UTC and nanoseconds.
///
/// It may lie anywhere: a file's times are set by whoever made it.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: UInt32

    /// A moment of these parts.
    package init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The wall clock's time now: CLOCK_REALTIME of clock_gettime(2).
    package static func now() -> Timestamp {
        var found = timespec()
        clock_gettime(CLOCK_REALTIME, &found)
        return Timestamp(seconds: Int64(found.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: found.tv_nsec))
    }

    /// By time.
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// The moment so many milliseconds later; the last second there is where it would be beyond that.
    package func later(byMilliseconds milliseconds: UInt32) -> Timestamp {
        let sum = UInt64(nanoseconds) + UInt64(milliseconds) * 1_000_000
        let (later, overflow) = seconds.addingReportingOverflow(Int64(sum / 1_000_000_000))
        return Timestamp(seconds: overflow ? .max : later, nanoseconds: UInt32(sum % 1_000_000_000))
    }

    /// Returns the time since this moment, as of `now`; nil if it is in the future or further back than 100 years.
    package func age(at now: Timestamp) -> Duration? {
        guard self <= now else { return nil }
        let (difference, overflow) = now.seconds.subtractingReportingOverflow(seconds)
        guard !overflow, difference < 100 * 366 * 86400 else { return nil }
        return .seconds(difference) + .nanoseconds(Int64(now.nanoseconds) - Int64(nanoseconds))
    }

    /// The moment in UTC as RFC 3339 has it, with milliseconds: `2026-11-20T22:51:07.042Z`.
    ///
    /// Seconds that no calendar year of four digits holds give the nearest one that does; nanoseconds beyond a second,
    /// which a forged disk image can carry, count as its last.
    package var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends ``text``.
    package func appendText(to bytes: inout [UInt8]) {
        var clamped = time_t(max(-62_135_596_800, min(seconds, 253_402_300_799)))
        var parts = tm()
        gmtime_r(&clamped, &parts)
        func append(_ number: Int32, _ width: Int, then end: Unicode.Scalar) {
            DecimalDigits.append(number, width: width, to: &bytes)
            bytes.append(UInt8(ascii: end))
        }
        append(parts.tm_year + 1900, 4, then: "-")
        append(parts.tm_mon + 1, 2, then: "-")
        append(parts.tm_mday, 2, then: "T")
        append(parts.tm_hour, 2, then: ":")
        append(parts.tm_min, 2, then: ":")
        append(parts.tm_sec, 2, then: ".")
        append(Int32(min(nanoseconds, 999_999_999) / 1_000_000), 3, then: "Z")
    }
}

/// A moment of the clock that nobody sets: nanoseconds of CLOCK_MONOTONIC. Deadlines are kept in it.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since some moment before the process started.
    package let nanoseconds: Int64

    /// A moment, by its nanoseconds.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Later than every deadline: never.
    package static let never = Instant(nanoseconds: .max)

    /// The time now.
    package static func now() -> Instant {
        var found = timespec()
        clock_gettime(CLOCK_MONOTONIC, &found)
        return Instant(nanoseconds: Int64(found.tv_sec) * 1_000_000_000 + Int64(found.tv_nsec))
    }

    /// By time.
    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment so much later; `never` beyond the clock's end, and its first moment before its beginning.
    package static func + (moment: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflow ? Instant(nanoseconds: duration < .zero ? .min : .max) : Instant(nanoseconds: sum)
    }

    /// The moment so much earlier, within the clock's ends.
    package static func - (moment: Instant, duration: Duration) -> Instant {
        let (difference, overflow) = moment.nanoseconds.subtractingReportingOverflow(duration.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? (duration < .zero ? .max : .min) : difference)
    }

    /// The time between two moments, cut off at the ends of Int64.
    package static func - (later: Instant, earlier: Instant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return .nanoseconds(overflow ? (later < earlier ? .min : .max) : difference)
    }

    /// Milliseconds from now, for poll(2): rounded up, so that the moment has come afterwards; -1 for `never`.
    var pollTimeout: Int32 {
        if self == .never { return -1 }
        let now = Instant.now()
        return self <= now ? 0 : Int32(clamping: (self - now).wholeNanoseconds / 1_000_000 + 1)
    }
}

extension Duration {
    /// The duration in nanoseconds, cut off at the ends of Int64 (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows ? (seconds < 0 ? .min : .max) : sum
    }
}
