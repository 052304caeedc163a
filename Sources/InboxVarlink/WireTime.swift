import InboxLinux

/// The times of the wire: RFC 3339 in UTC, such as `2026-11-20T22:51:07.042Z`.
package enum WireTime {
    /// The seconds since 1970; nil where the text is no such time.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        where [bytes[index]] != Array(mark.utf8) {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...length(of: month, in: year)).contains(day), hour < 24, minute < 60,
            // A leap second is the 60th.
            second <= 60, isFraction(bytes[19..<(bytes.count - 1)])
        else { return nil }
        // Years are counted from March, so that the leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return days * 86400 + hour * 3600 + minute * 60 + second
    }

    /// Days.
    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns whether a text is the fraction of a second, which may be left out: a dot and digits.
    private static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
        guard let dot = text.first else { return true }
        let digits = text.dropFirst()
        return dot == UInt8(ascii: ".") && !digits.isEmpty
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension Timestamp {
    /// A time of the wire, to the nanosecond; nil where the text is no such time.
    package init?(wireTime text: String) {
        guard let seconds = WireTime.seconds(text) else { return nil }
        let zero = UInt8(ascii: "0")
        var digits = text.utf8.dropFirst(20).dropLast()
        var nanoseconds: UInt32 = 0
        for _ in 0..<9 { nanoseconds = nanoseconds * 10 + UInt32((digits.popFirst() ?? zero) - zero) }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }
}
