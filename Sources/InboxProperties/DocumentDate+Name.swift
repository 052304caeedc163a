import InboxLinux

extension DocumentDate {
    /// The first plausible date in a file's name: `2024-03-01`, `2024_03_01`, `2024.03.01`, `01.03.2024` or `20240301`, and
    /// after a separator the time of day as `1745`, `174501` or `17-45-01`.
    ///
    /// Neither a digit nor a dot with a digit touches it. A time that does not fit is left out, and what is another date is
    /// none.
    package init?(inName name: FileName, now: Timestamp) {
        let digits = NameDigits(bytes: Array(name.bytes))
        for place in digits.bytes.indices where digits.isFree(before: place) {
            guard let (date, end) = digits.date(at: place) else { continue }
            let timed = digits.time(after: end).flatMap { time in
                DocumentDate(
                    year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
                    second: time.second)
            }
            // A time that no clock shows is left out too.
            for found in [timed, DocumentDate(year: date.year, month: date.month, day: date.day)] {
                if let found, found.day != nil, found.isPlausible(now: now) {
                    self = found
                    return
                }
            }
        }
        return nil
    }
}

/// The numbers of a name.
private struct NameDigits {
    let bytes: [UInt8]

    private func isDigit(_ place: Int) -> Bool {
        bytes.indices.contains(place) && bytes[place] >= 0x30 && bytes[place] <= 0x39
    }

    private func isDot(_ place: Int) -> Bool { bytes.indices.contains(place) && bytes[place] == UInt8(ascii: ".") }

    /// Returns whether a number that begins here is not a part of a longer one.
    func isFree(before place: Int) -> Bool {
        isDigit(place) && !isDigit(place - 1) && !(isDot(place - 1) && isDigit(place - 2))
    }

    private func isFree(after end: Int) -> Bool { !isDigit(end) && !(isDot(end) && isDigit(end + 1)) }

    /// A number of exactly so many digits at least; nil where there are fewer.
    private func number(_ place: Int, _ count: Int) -> Int? {
        var value = 0
        for index in place..<(place + count) {
            guard isDigit(index) else { return nil }
            value = value * 10 + Int(bytes[index] - 0x30)
        }
        return value
    }

    private func byte(_ place: Int) -> UInt8 { bytes.indices.contains(place) ? bytes[place] : 0 }

    /// The date that is written here, and where it ends.
    func date(at place: Int) -> (date: (year: Int, month: Int, day: Int), end: Int)? {
        if let year = number(place, 4) {
            let separator = byte(place + 4)
            if separator == UInt8(ascii: "-") || separator == UInt8(ascii: "_") || separator == UInt8(ascii: ".") {
                guard let month = number(place + 5, 2), byte(place + 7) == separator, let day = number(place + 8, 2),
                    isFree(after: place + 10)
                else { return nil }
                return ((year, month, day), place + 10)
            }
            guard let month = number(place + 4, 2), let day = number(place + 6, 2), isFree(after: place + 8) else {
                return nil
            }
            return ((year, month, day), place + 8)
        }
        guard let day = number(place, 2), isDot(place + 2), let month = number(place + 3, 2), isDot(place + 5),
            let year = number(place + 6, 4), isFree(after: place + 10)
        else { return nil }
        return ((year, month, day), place + 10)
    }

    /// The time of day after a separator.
    func time(after end: Int) -> (hour: Int, minute: Int, second: Int?)? {
        switch byte(end) {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "), UInt8(ascii: "T"), UInt8(ascii: "t"): break
        default: return nil
        }
        guard let hour = number(end + 1, 2), hour < 24, date(at: end + 1) == nil else { return nil }
        if byte(end + 3) == UInt8(ascii: "-") {
            guard let minute = number(end + 4, 2), minute < 60, byte(end + 6) == UInt8(ascii: "-"),
                let second = number(end + 7, 2), second < 60, isFree(after: end + 9)
            else { return nil }
            return (hour, minute, second)
        }
        guard let minute = number(end + 3, 2), minute < 60 else { return nil }
        if isFree(after: end + 5) { return (hour, minute, nil) }
        guard let second = number(end + 5, 2), second < 60, isFree(after: end + 7) else { return nil }
        return (hour, minute, second)
    }
}
