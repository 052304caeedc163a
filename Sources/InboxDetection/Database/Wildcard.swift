/// Shell patterns as fnmatch(3) knows them, on bytes: `*`, `?` and `[…]` with ranges and `!`.
enum Wildcard {
    /// Returns whether the whole name matches. Takes time in proportion to the product of the lengths at most.
    static func matches(_ pattern: Bytes, _ name: Bytes) -> Bool {
        var place = 0
        var here = 0
        var star: (pattern: Int, name: Int)?
        while here < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place + 1, here)
                place += 1
            } else if place < pattern.count, let behind = matchOne(pattern, place, name[here]) {
                place = behind
                here += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                place = last.pattern
                here = last.name + 1
            } else {
                return false
            }
        }
        return pattern.from(place).run(of: UInt8(ascii: "*")) == pattern.count - place
    }

    /// Where the pattern goes on if its next item matches the byte.
    private static func matchOne(_ pattern: Bytes, _ place: Int, _ byte: UInt8) -> Int? {
        switch pattern[place] {
        case UInt8(ascii: "?"): return place + 1
        case UInt8(ascii: "["):
            var index = place + 1
            var isNegated = false
            if index < pattern.count, pattern[index] == UInt8(ascii: "!") || pattern[index] == UInt8(ascii: "^") {
                isNegated = true
                index += 1
            }
            var found = false
            var isFirst = true
            while index < pattern.count, isFirst || pattern[index] != UInt8(ascii: "]") {
                isFirst = false
                let low = pattern[index]
                if index + 2 < pattern.count, pattern[index + 1] == UInt8(ascii: "-"),
                    pattern[index + 2] != UInt8(ascii: "]")
                {
                    if low <= byte, byte <= pattern[index + 2] { found = true }
                    index += 3
                } else {
                    if low == byte { found = true }
                    index += 1
                }
            }
            // A bracket that never closes is an ordinary character.
            guard index < pattern.count else { return byte == UInt8(ascii: "[") ? place + 1 : nil }
            return found != isNegated ? index + 1 : nil
        case byte: return place + 1
        default: return nil
        }
    }
}
