/// Tables in text: the same number of separators in every line.
enum TableText {
    private static let separators: [(UInt8, String)] = [
        (UInt8(ascii: "\t"), "text/tab-separated-values"), (UInt8(ascii: ","), "text/csv"),
        (UInt8(ascii: ";"), "text/csv"),
    ]

    /// The MIME types that are found.
    static var mimes: [String] { separators.map(\.1) }

    /// The MIME type of a table that the text looks like; a guess, for prose has commas too.
    static func guess(_ text: Bytes, isWhole: Bool) -> String? {
        for (separator, mime) in separators where isTable(text, separator, isWhole: isWhole) { return mime }
        return nil
    }

    /// Returns whether a comma is inside a number: between digits, before three of them or before a unit.
    private static func isGrouping(_ text: Bytes, _ place: Int) -> Bool {
        guard ASCII.isDigit(text[place - 1]) else { return false }
        var end = place + 1
        while ASCII.isDigit(text[end]) { end += 1 }
        return end == place + 4 || end > place + 1 && text[end] == 0x20
    }

    /// RFC 4180: fields may be quoted, and then hold separators and line ends.
    private static func isTable(_ text: Bytes, _ separator: UInt8, isWhole: Bool) -> Bool {
        var expected: Int?
        var count = 0
        var rows = 0
        var isQuoted = false
        var isStart = true
        var spaced = 0
        // Commas inside numbers, quotes inside words, and separators after a colon.
        var (grouped, strays, colons) = (0, 0, 0)
        // How many rows have letters: the first one may have titles.
        var (wordy, hasLetter) = (0, false)
        // How many lines end as sentences do or with the separator, and how many digits there are.
        var (sentences, endings, digits) = (0, 0, 0)
        for place in 0..<min(text.count, 2048) {
            let byte = text[place]
            if byte == UInt8(ascii: "\"") {
                if isQuoted || isStart { isQuoted.toggle() } else { strays += 1 }
            } else if byte == separator, !isQuoted {
                count += 1
                if text[place + 1] == 0x20 { spaced += 1 }
                if separator == UInt8(ascii: ","), isGrouping(text, place) { grouped += 1 }
                if text[place - 1] == UInt8(ascii: ":") { colons += 1 }
                isStart = true
                continue
            } else if byte == 0x0A, !isQuoted {
                if let expected {
                    guard count == expected else { return false }
                } else {
                    guard count > 0 else { return false }
                    expected = count
                }
                rows += 1
                let last = text[place - 1] == 0x0D ? text[place - 2] : text[place - 1]
                if last == UInt8(ascii: ".") || last == UInt8(ascii: "!") || last == UInt8(ascii: "?") {
                    sentences += 1
                }
                if last == separator { endings += 1 }
                if hasLetter { wordy += 1 }
                hasLetter = false
                count = 0
                isStart = true
                continue
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
                // Source code puts separators at line ends just as evenly.
                return false
            }
            if ASCII.isDigit(byte) { digits += 1 }
            if ASCII.isLetter(byte) { hasLetter = true }
            isStart = false
        }
        // A last line without an end counts too.
        if isWhole, count == expected, count > 0 { rows += 1 }
        guard rows > 0 else { return false }
        // A comma before each blank, and sentences or no numbers, is prose; a sign at each line's end is a program.
        if spaced >= rows * (expected ?? 1), separator != UInt8(ascii: "\t") {
            if sentences > 0 || digits == 0 || expected == 1 && wordy > 1 || strays >= rows { return false }
        }
        // `1,000 people`, `12,50 EUR`, and notes such as `name:` and a tab.
        if expected == 1, grouped >= rows || colons >= rows { return false }
        if expected == 1, endings == rows { return false }
        // Prose has a blank after each comma, and long lines.
        if separator != UInt8(ascii: "\t"), spaced >= rows * (expected ?? 1), rows > 0,
            min(text.count, 2048) / rows > 60
        {
            return false
        }
        // A comma a line is also what long lines of prose have.
        if expected == 1, separator != UInt8(ascii: "\t"), rows > 0, min(text.count, 2048) / rows > 60 { return false }
        return rows >= (expected ?? 0 >= 2 ? 2 : 3) && !isQuoted
    }
}
