import InboxDetection

/// Dates as formats write them.
enum WrittenDate {
    /// A place in a text.
    private struct Cursor {
        let bytes: Bytes
        var place = 0

        /// A number of so many digits; the cursor stays where there are fewer.
        mutating func number(_ count: Int) -> Int? {
            var value = 0
            for index in place..<(place + count) {
                guard ASCII.isDigit(bytes[index]) else { return nil }
                value = value * 10 + Int(bytes[index] - 0x30)
            }
            place += count
            return value
        }

        /// A number of at most so many digits.
        mutating func shortNumber(_ most: Int) -> Int? {
            var count = 0
            while count < most, ASCII.isDigit(bytes[place + count]) { count += 1 }
            return count > 0 ? number(count) : nil
        }

        mutating func skip(_ signs: StaticString) -> Bool {
            for index in 0..<signs.utf8CodeUnitCount
            where place < bytes.count && bytes[place] == signs.utf8Start[index] {
                place += 1
                return true
            }
            return false
        }

        mutating func skipBlanks() { while place < bytes.count, ASCII.isSpace(bytes[place]) { place += 1 } }

        /// `Z`, `+01:00`, `+0100`, `+01'00'` or `+01`; nil where there is none of them.
        mutating func offset() -> DocumentDate.Offset? {
            if skip("Zz") { return .utc }
            let isBehind = bytes[place] == UInt8(ascii: "-")
            guard skip("+-"), let hours = number(2) else { return nil }
            _ = skip(":'")
            let minutes = number(2) ?? 0
            return minutes < 60 ? .minutes(isBehind ? -(hours * 60 + minutes) : hours * 60 + minutes) : nil
        }
    }

    /// ISO 8601 as W3C's note, RFC 3339 and EXIF have it, as far as it goes: `2024`, `2024-03-01T17:45:01.5+01:00`,
    /// `2024:03:01 17:45:01`, `20240301T174501Z`.
    static func standard(_ bytes: Bytes) -> DocumentDate? {
        var cursor = Cursor(bytes: bytes)
        cursor.skipBlanks()
        guard let year = cursor.number(4) else { return nil }
        let separates = cursor.skip("-:/.")
        // A month of one digit is what programs write that count in numbers.
        let month = separates ? cursor.shortNumber(2) : cursor.number(2)
        guard let month else { return ASCII.isDigit(cursor.bytes[cursor.place]) ? nil : DocumentDate(year: year) }
        guard !separates || cursor.skip("-:/.") else { return DocumentDate(year: year, month: month) }
        guard let day = separates ? cursor.shortNumber(2) : cursor.number(2) else {
            return DocumentDate(year: year, month: month)
        }
        let place = cursor.place
        if cursor.skip("Tt") == false { cursor.skipBlanks() }
        guard cursor.place > place, let hour = cursor.number(2) else {
            return DocumentDate(year: year, month: month, day: day)
        }
        _ = cursor.skip(":")
        guard let minute = cursor.number(2) else { return DocumentDate(year: year, month: month, day: day) }
        var second: Int?
        let end = cursor.place
        if cursor.skip(":") || ASCII.isDigit(cursor.bytes[cursor.place]) {
            second = cursor.number(2)
            if second == nil { cursor.place = end }
            if cursor.skip(".,") { while ASCII.isDigit(cursor.bytes[cursor.place]) { cursor.place += 1 } }
        }
        if cursor.bytes[cursor.place] == 0x20 { cursor.place += 1 }
        return DocumentDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, offset: cursor.offset())
    }

    /// An offset as EXIF has it, apart from its date: `+01:00`.
    static func offset(_ bytes: Bytes) -> DocumentDate.Offset? {
        var cursor = Cursor(bytes: bytes)
        return cursor.offset()
    }

    /// A date of a PDF (ISO 32000-1, 7.9.4): `D:20240301174501+01'00'`, as far as it goes.
    static func portable(_ bytes: Bytes) -> DocumentDate? {
        var cursor = Cursor(bytes: bytes)
        cursor.skipBlanks()
        if cursor.skip("D"), !cursor.skip(":") { return nil }
        cursor.skipBlanks()
        guard let year = cursor.number(4) else { return words(bytes) }
        // Others write ISO 8601 there.
        if cursor.bytes[cursor.place] == UInt8(ascii: "-") || cursor.bytes[cursor.place] == UInt8(ascii: "/") {
            return standard(bytes.from(cursor.place - 4))
        }
        let month = cursor.number(2)
        let day = month == nil ? nil : cursor.number(2)
        let hour = day == nil ? nil : cursor.number(2)
        let minute = hour == nil ? nil : cursor.number(2) ?? 0
        let second = minute == nil ? nil : cursor.number(2)
        return DocumentDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            offset: hour == nil ? nil : cursor.offset())
    }

    private static let months: [StaticString] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Zones by their names of RFC 5322, section 4.3, in minutes.
    private static let zones: [(name: StaticString, minutes: Int)] = [
        ("edt", -240), ("est", -300), ("cdt", -300), ("cst", -360), ("mdt", -360), ("mst", -420), ("pdt", -420),
        ("pst", -480), ("gmt", 0), ("ut", 0), ("utc", 0),
    ]

    /// A date in words: `Fri, 1 Mar 2024 17:45:01 +0100` (RFC 5322, section 3.3) and what older programs wrote, as
    /// `Fri Mar  1 17:45:01 2024`.
    static func words(_ bytes: Bytes) -> DocumentDate? {
        var year: Int?
        var month: Int?
        var day: Int?
        var time: (hour: Int, minute: Int, second: Int?)?
        var offset: DocumentDate.Offset?
        var cursor = Cursor(bytes: bytes[0..<256])
        while cursor.place < cursor.bytes.count {
            let byte = cursor.bytes[cursor.place]
            if byte == UInt8(ascii: "(") { break }
            if ASCII.isLetter(byte) {
                let start = cursor.place
                while ASCII.isLetter(cursor.bytes[cursor.place]) { cursor.place += 1 }
                let word = cursor.bytes[start..<cursor.place]
                if month == nil, word.count >= 3, let index = months.firstIndex(where: { word.hasIgnoringCase($0) }) {
                    month = index + 1
                } else if time != nil, offset == nil {
                    let zone = zones.first { $0.name.utf8CodeUnitCount == word.count && word.hasIgnoringCase($0.name) }
                    if let zone { offset = .minutes(zone.minutes) }
                    if word.count == 1, word.hasIgnoringCase("z") { offset = .utc }
                }
            } else if ASCII.isDigit(byte) {
                let start = cursor.place
                guard let number = cursor.shortNumber(4) else { return nil }
                let digits = cursor.place - start
                if cursor.bytes[cursor.place] == UInt8(ascii: ":") || cursor.bytes[cursor.place] == UInt8(ascii: "."),
                    time == nil, digits <= 2
                {
                    cursor.place += 1
                    guard let minute = cursor.shortNumber(2) else { return nil }
                    let second = cursor.skip(":.") ? cursor.shortNumber(2) : nil
                    time = (number, minute, second)
                } else if day == nil, digits <= 2 {
                    day = number
                } else if year == nil, month != nil {
                    // Years of two digits are of 1950 to 2049; of three, which count from 1900, of a program's mistake.
                    year =
                        digits == 4 ? number : digits == 3 ? 1900 + number : number < 50 ? 2000 + number : 1900 + number
                }
            } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), time != nil, offset == nil {
                let place = cursor.place
                offset = cursor.offset()
                if cursor.place == place { cursor.place += 1 }
            } else {
                cursor.place += 1
            }
        }
        guard let year, let month, let day else { return nil }
        return DocumentDate(
            year: year, month: month, day: day, hour: time?.hour, minute: time?.minute, second: time?.second,
            offset: offset)
    }
}
