extension DocumentDate {
    /// A date or a time as RFC 3339 has it, `2024-03-01` or `2024-03-01T17:45:01+01:00`; nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8.prefix(64))
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[start..<(start + count)] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        func has(_ signs: StaticString, at place: Int) -> Bool {
            place < bytes.count && signs.withUTF8Buffer { $0.contains(bytes[place]) }
        }
        guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7),
            let day = number(8, 2)
        else { return nil }
        if bytes.count == 10 {
            self.init(year: year, month: month, day: day)
        } else {
            guard has("Tt ", at: 10), let hour = number(11, 2), has(":", at: 13), let minute = number(14, 2),
                has(":", at: 16), let second = number(17, 2)
            else { return nil }
            var place = 19
            if has(".", at: place) {
                place += 1
                while number(place, 1) != nil { place += 1 }
            }
            let offset: Offset
            if has("Zz", at: place) {
                offset = .utc
                place += 1
            } else {
                guard has("+-", at: place), let hours = number(place + 1, 2), has(":", at: place + 3),
                    let minutes = number(place + 4, 2), minutes < 60
                else { return nil }
                let sum = hours * 60 + minutes
                offset = .minutes(has("-", at: place) ? -sum : sum)
                place += 6
            }
            guard place == bytes.count else { return nil }
            self.init(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, offset: offset)
            guard self.second != nil, self.offset != nil else { return nil }
        }
        guard self.day != nil else { return nil }
    }
}
