import InboxLinux

/// Time spans as in systemd.time(7).
package enum TimeSpan {
    /// The value of `infinity`: 100 years. No longer span is accepted, so that adding one to any clock in nanoseconds
    /// stays within 64 bits.
    package static let infinity = Duration.nanoseconds(longest)

    private static let second: Int64 = 1_000_000_000
    private static let longest = 100 * 31_557_600 * second

    /// Nanoseconds of each unit; a month is 30.44 days and a year 365.25, as systemd has them.
    private static let units: [String: Int64] = {
        let names: [(Int64, [String])] = [
            (1, ["ns", "nsec"]),
            (1_000, ["us", "usec", "\u{b5}s", "\u{3bc}s"]),
            (1_000_000, ["ms", "msec"]),
            (second, ["s", "sec", "second", "seconds"]),
            (60 * second, ["m", "min", "minute", "minutes"]),
            (3600 * second, ["h", "hr", "hour", "hours"]),
            (86400 * second, ["d", "day", "days"]),
            (7 * 86400 * second, ["w", "week", "weeks"]),
            (2_629_800 * second, ["M", "month", "months"]),
            (31_557_600 * second, ["y", "year", "years"]),
        ]
        return Dictionary(uniqueKeysWithValues: names.flatMap { unit, names in names.map { ($0, unit) } })
    }()

    /// Reads a span: numbers with units (`250ms`, `1h 30min`, `2.5s`), a plain number of seconds, or `infinity`.
    /// Fractions count to the nanosecond.
    /// - Throws: for anything else, a sign included, and for more than 100 years.
    package static func parse(_ value: [UInt8]) throws(ValueProblem) -> Duration {
        var rest = value.trimmingBlanks()
        if rest.elementsEqual("infinity".utf8) { return infinity }
        guard !rest.isEmpty else { throw .notA("a time span", value) }
        var total: Int64 = 0
        while !rest.isEmpty {
            let number = DecimalNumber(takenFrom: &rest)
            rest = rest.drop(while: isBlank)
            let name = rest.prefix { isLetter($0) }
            rest = rest.dropFirst(name.count).drop(while: isBlank)
            guard let number, !name.isEmpty || rest.isEmpty,
                let unit = name.isEmpty ? second : units[String(decoding: name, as: UTF8.self)]
            else {
                throw ValueProblem(
                    "\(quotedExcerpt(value)) is not a time span, such as 250ms, 5min, 1h 30min or infinity")
            }
            let (sum, overflow) = total.addingReportingOverflow(number.times(unit) ?? .max)
            guard !overflow, sum <= longest else {
                throw ValueProblem("\(quotedExcerpt(value)) is longer than 100 years; infinity has no end")
            }
            total = sum
        }
        return .nanoseconds(total)
    }

    /// A span as ``parse(_:)`` reads it: `1h 30min`, `250ms`, `0`; below zero `0`, from 100 years on `infinity`.
    package static func text(_ span: Duration) -> String {
        guard span < infinity else { return "infinity" }
        let (seconds, attoseconds) = max(.zero, span).components
        var rest = seconds * second + attoseconds / second
        var parts: [String] = []
        for name in ["d", "h", "min", "s", "ms", "us", "ns"] {
            guard let unit = units[name], rest >= unit else { continue }
            parts.append("\(rest / unit)\(name)")
            rest %= unit
        }
        return parts.isEmpty ? "0" : parts.joined(separator: " ")
    }
}

/// An ASCII letter or a byte beyond ASCII, as in `µs`.
private func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isASCIILetter
}
