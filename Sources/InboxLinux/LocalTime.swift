import Glibc

/// A date and an hour of the local clock.
package struct LocalDate: Hashable, Sendable {
    /// 1 to 9999.
    package let year: Int32
    /// 1 to 12.
    package let month: Int32
    /// The day of the month, from 1 on.
    package let day: Int32
    /// 0 to 23.
    package let hour: Int32
}

/// The wall clock as the people of this machine read it: the time zone of `TZ`, else of the system (tzset(3)).
extension Timestamp {
    /// The moment to the second in local time: `2026-11-20 23:51:07`. A year that four digits do not hold is given as
    /// the nearest one that they do.
    package var localText: String {
        var clamped = time_t(max(-62_135_500_000, min(seconds, 253_402_200_000)))
        var parts = tm()
        localtime_r(&clamped, &parts)
        func padded(_ number: Int32, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(parts.tm_year + 1900, 4) + "-" + padded(parts.tm_mon + 1) + "-" + padded(parts.tm_mday)
            + " " + padded(parts.tm_hour) + ":" + padded(parts.tm_min) + ":" + padded(parts.tm_sec)
    }

    /// The date and hour in local time. A year that four digits do not hold is given as the nearest one that they do.
    package var localDate: LocalDate {
        var clamped = time_t(max(-62_135_500_000, min(seconds, 253_402_200_000)))
        var parts = tm()
        localtime_r(&clamped, &parts)
        return LocalDate(year: parts.tm_year + 1900, month: parts.tm_mon + 1, day: parts.tm_mday, hour: parts.tm_hour)
    }

    /// The beginning of this moment's day in local time.
    package var startOfLocalDay: Timestamp? {
        var clamped = time_t(max(-62_135_500_000, min(seconds, 253_402_200_000)))
        var parts = tm()
        localtime_r(&clamped, &parts)
        return Timestamp(
            localYear: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    /// The moment of a date and a time of day in local time: mktime(3), which also decides on hours that a change of
    /// the clocks skips or repeats. Nil where there is no such date or time.
    package init?(localYear year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        // mktime(3) makes 1 May of 31 April.
        guard parts.tm_mday == Int32(day) else { return nil }
        self.init(seconds: Int64(seconds), nanoseconds: 0)
    }
}

extension Timestamp {
    /// The minute and the second of the moment in local time, and how many minutes that is ahead of UTC.
    package var localClock: (minute: Int, second: Int, offset: Int) {
        var clamped = time_t(max(-62_135_500_000, min(seconds, 253_402_200_000)))
        var parts = tm()
        localtime_r(&clamped, &parts)
        return (Int(parts.tm_min), Int(parts.tm_sec), parts.tm_gmtoff / 60)
    }

    /// The date, the hour, the minute and the second of the moment in UTC.
    package var universalClock: (date: LocalDate, minute: Int, second: Int) {
        var clamped = time_t(max(-62_135_500_000, min(seconds, 253_402_200_000)))
        var parts = tm()
        gmtime_r(&clamped, &parts)
        let date = LocalDate(
            year: parts.tm_year + 1900, month: parts.tm_mon + 1, day: parts.tm_mday, hour: parts.tm_hour)
        return (date, Int(parts.tm_min), Int(parts.tm_sec))
    }
}
