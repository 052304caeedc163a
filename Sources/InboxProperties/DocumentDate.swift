import InboxLinux

/// A date as a document has it: the wall clock of whoever wrote it, as far as it goes, never converted.
package struct DocumentDate: Sendable, Hashable {
    /// The difference of a wall clock from UTC.
    package enum Offset: Sendable, Hashable {
        /// UTC itself, written as `Z`.
        case utc
        /// Minutes ahead of UTC, as written.
        case minutes(Int)

        /// Minutes ahead of UTC.
        package var minutes: Int {
            switch self {
            case .utc: 0
            case .minutes(let minutes): minutes
            }
        }
    }

    /// 1 to 9999.
    package let year: Int
    /// 1 to 12; nil where only the year is known.
    package let month: Int?
    /// The day of the month, from 1 on; nil where only the month is known.
    package let day: Int?
    /// 0 to 23; nil where only the day is known.
    package let hour: Int?
    /// 0 to 59; has a value where `hour` has one.
    package let minute: Int?
    /// 0 to 60; nil where only the minute is known.
    package let second: Int?
    /// The difference of the wall clock from UTC; nil if the document does not say, or has no time of day.
    package let offset: Offset?

    /// The parts of a date, as far as they make one: a part that no calendar has is left out with all that follow, and nil
    /// where that is the year.
    package init?(
        year: Int, month: Int? = nil, day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil,
        offset: Offset? = nil
    ) {
        guard (1...9999).contains(year) else { return nil }
        let month = month.flatMap { (1...12).contains($0) ? $0 : nil }
        let day = month.flatMap { month in
            day.flatMap { (1...Self.days(of: month, in: year)).contains($0) ? $0 : nil }
        }
        var hasTime = false
        if day != nil, let hour, let minute { hasTime = (0...23).contains(hour) && (0...59).contains(minute) }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hasTime ? hour : nil
        self.minute = hasTime ? minute : nil
        self.second = hasTime ? second.flatMap { (0...60).contains($0) ? $0 : nil } : nil
        self.offset = hasTime ? offset.flatMap { abs($0.minutes) < 24 * 60 ? $0 : nil } : nil
    }

    /// The reading of a clock whose offset is unknown, so many seconds after the beginning of 1970.
    init?(clock seconds: Int) {
        let (date, minute, second) = Timestamp(seconds: Int64(seconds), nanoseconds: 0).universalClock
        self.init(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: Int(date.hour), minute: minute,
            second: second)
    }

    /// A moment that a format defines in UTC, in local time.
    package init?(local moment: Timestamp) {
        let date = moment.localDate
        let clock = moment.localClock
        self.init(
            year: Int(date.year), month: Int(date.month), day: Int(date.day), hour: Int(date.hour),
            minute: clock.minute, second: clock.second, offset: clock.offset == 0 ? .utc : .minutes(clock.offset))
    }

    /// The date as the contract writes it in JSON, as far as it goes: `2024`, `2024-03-01`, `2024-03-01T17:45:01+01:00`.
    package var text: String {
        var bytes: [UInt8] = []
        func append(_ before: Unicode.Scalar, _ number: Int) {
            bytes.append(UInt8(ascii: before))
            DecimalDigits.append(Int32(clamping: number), width: 2, to: &bytes)
        }
        DecimalDigits.append(Int32(clamping: year), width: 4, to: &bytes)
        if let month { append("-", month) }
        if let day { append("-", day) }
        if let hour, let minute {
            append("T", hour)
            append(":", minute)
            if let second { append(":", second) }
        }
        switch offset {
        case .utc: bytes.append(UInt8(ascii: "Z"))
        case .minutes(let minutes):
            append(minutes < 0 ? "-" : "+", abs(minutes) / 60)
            append(":", abs(minutes) % 60)
        case nil: break
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether the date is from 1970 to a day from now; what it does not say counts as the earliest possible,
    /// and a wall clock without an offset as one of this machine.
    package func isPlausible(now: Timestamp) -> Bool {
        guard year >= 1970 else { return false }
        let (latest, overflow) = now.seconds.addingReportingOverflow(86400)
        guard !overflow else { return true }
        if let offset { return secondsOfWallClock - Int64(offset.minutes) * 60 <= latest }
        // A document of some other day needs no time zone to be compared.
        if secondsOfWallClock <= latest - 2 * 86400 { return true }
        guard
            let moment = Timestamp(
                localYear: year, month: month ?? 1, day: day ?? 1, hour: hour ?? 0, minute: minute ?? 0,
                second: min(second ?? 0, 59))
        else { return false }
        return moment.seconds <= latest
    }

    /// Seconds from 1970 on as if the wall clock were one of UTC.
    private var secondsOfWallClock: Int64 {
        // Days by the count of years that begin in March: a leap day is then the last one.
        let march = (month ?? 1) > 2 ? (month ?? 1) - 3 : (month ?? 1) + 9
        let years = (month ?? 1) > 2 ? year : year - 1
        let days =
            years * 365 + years / 4 - years / 100 + years / 400 + (march * 153 + 2) / 5 + (day ?? 1) - 1 - 719_468
        return Int64(days) * 86400 + Int64((hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0))
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
