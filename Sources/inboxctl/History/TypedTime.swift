import InboxConfiguration
import InboxLinux

/// A moment as a person types it.
enum TypedTime {
    /// Reads `now`, `today`, `yesterday`; a span before now (`2h`, `3d`, `1h 30min ago`); a time of RFC 3339 with its
    /// zone; a date, a date and a time, or a time of today, in local time.
    ///
    /// - Parameter option: which option it belongs to, for the failure.
    static func parse(_ text: String, now: Timestamp, option: String) throws(CommandFailure) -> Timestamp {
        if let moment = word(text, now) ?? calendar(text, now) ?? span(text, now) { return moment }
        throw .usage(
            "--\(option): \"\(printable(text.utf8))\" is no time, such as 2h, 3d, today, 2026-11-20 or "
                + "2026-11-20T14:30:00Z")
    }

    private static func word(_ text: String, _ now: Timestamp) -> Timestamp? {
        switch text {
        case "now": now
        case "today": now.startOfLocalDay
        // A day has 23 to 25 hours: the second before today's beginning belongs to yesterday.
        case "yesterday": now.startOfLocalDay.flatMap { before($0, seconds: 1)?.startOfLocalDay }
        default: nil
        }
    }

    private static func before(_ moment: Timestamp, seconds: Int64) -> Timestamp? {
        let (difference, overflow) = moment.seconds.subtractingReportingOverflow(seconds)
        return overflow ? nil : Timestamp(seconds: difference, nanoseconds: moment.nanoseconds)
    }

    private static func span(_ text: String, _ now: Timestamp) -> Timestamp? {
        var words = text[...]
        if words.hasSuffix(" ago") { words = words.dropLast(4) }
        if words.hasPrefix("-") { words = words.dropFirst() }
        // A bare number could as well be a year.
        guard words.utf8.contains(where: { $0 > UInt8(ascii: "9") }) else { return nil }
        do throws(ValueProblem) {
            return before(now, seconds: try TimeSpan.parse(Array(words.utf8)).components.seconds)
        } catch {
            return nil
        }
    }

    /// `YYYY-MM-DD`, `YYYY-MM-DD HH:MM[:SS]` (or with a `T`), `HH:MM[:SS]`; with a zone after `T…` RFC 3339.
    private static func calendar(_ text: String, _ now: Timestamp) -> Timestamp? {
        let fields = text.split(maxSplits: 1, omittingEmptySubsequences: false) { " Tt".contains($0) }
        guard let first = fields.first else { return nil }
        if fields.count == 1, first.contains(":") {
            guard let time = time(first), let today = now.startOfLocalDay else { return nil }
            let date = numbers(today.localText.prefix(10), "-", widths: [4, 2, 2])
            return date.flatMap { moment($0, time) }
        }
        guard let date = numbers(first, "-", widths: [4, 2, 2]) else { return nil }
        guard fields.count == 2 else { return moment(date, [0, 0, 0]) }
        if let moment = zoned(first, fields[1]) { return moment }
        return time(fields[1]).flatMap { moment(date, $0) }
    }

    private static func moment(_ date: [Int], _ time: [Int]) -> Timestamp? {
        Timestamp(
            localYear: date[0], month: date[1], day: date[2], hour: time[0], minute: time[1], second: time[2])
    }

    private static func time(_ text: Substring) -> [Int]? {
        numbers(text, ":", widths: [2, 2, 2]) ?? numbers(text, ":", widths: [2, 2]).map { $0 + [0] }
    }

    /// A time of RFC 3339: `Z` or `+01:00` after it.
    private static func zoned(_ date: Substring, _ rest: Substring) -> Timestamp? {
        if rest.last == "Z" || rest.last == "z" {
            return Timestamp(wireTime: "\(date)T\(rest.dropLast())Z")
        }
        guard rest.utf8.count > 6, let offset = numbers(rest.suffix(5), ":", widths: [2, 2]), offset[0] < 24,
            offset[1] < 60, let moment = Timestamp(wireTime: "\(date)T\(rest.dropLast(6))Z")
        else { return nil }
        let seconds = Int64(offset[0] * 3600 + offset[1] * 60)
        switch rest.dropLast(5).last {
        case "+": return before(moment, seconds: seconds)
        case "-": return before(moment, seconds: -seconds)
        default: return nil
        }
    }

    /// Numbers of fixed widths; nil for anything else.
    private static func numbers(_ text: Substring, _ separator: Character, widths: [Int]) -> [Int]? {
        let fields = text.split(separator: separator, omittingEmptySubsequences: false)
        guard fields.count == widths.count else { return nil }
        var numbers: [Int] = []
        for (field, width) in zip(fields, widths) {
            guard field.utf8.count == width, field.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(field)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
