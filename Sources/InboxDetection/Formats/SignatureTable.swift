/// Fixed byte patterns at fixed offsets, kept as flat arrays and found by the content's first byte.
struct SignatureTable: ~Copyable, Sendable {
    /// Bytes that must be at an offset.
    private struct Part: Sendable {
        let offset: Int32
        let start: Int32
        let length: Int32
    }

    /// Parts of which all must match.
    private struct Rule: Sendable {
        let format: FormatID
        let parts: Range<Int>
        let fixed: Int
    }

    /// The format found and how many bytes its signature fixed.
    struct Match {
        let format: FormatID
        let fixed: Int
    }

    private var bytes: [UInt8] = []
    private var parts: [Part] = []
    private var rules: [Rule] = []
    /// Rules by the byte that they want at offset 0: `order[starts[b]..<starts[b + 1]]`; at 256 those that want none.
    private var starts: [Int32] = []
    private var order: [Ordered] = []

    /// A rule in its bucket, with the first byte that it compares: nearly every rule fails there.
    private struct Ordered: Sendable {
        let rule: Int32
        let offset: Int32
        let byte: UInt8
    }

    /// The longest signature that the content matches; of equally long ones the later one in the table, where
    /// the more special formats are.
    func match(_ content: Bytes) -> Match? {
        guard starts.count == 258, let first = content.byte(at: 0) else { return nil }
        var best: Match?
        search(Int(first), content, &best)
        search(256, content, &best)
        return best
    }

    private func search(_ bucket: Int, _ content: Bytes, _ best: inout Match?) {
        var index = Int(starts[bucket])
        let end = Int(starts[bucket + 1])
        while index < end {
            let ordered = order[index]
            index += 1
            guard content.byte(at: Int(ordered.offset)) == ordered.byte else { continue }
            let rule = rules[Int(ordered.rule)]
            if let best, rule.fixed < best.fixed { continue }
            if matches(rule, content) { best = Match(format: rule.format, fixed: rule.fixed) }
        }
    }

    private func matches(_ rule: Rule, _ content: Bytes) -> Bool {
        for index in rule.parts {
            let part = parts[index]
            let stretch = Int(part.start)..<Int(part.start + part.length)
            guard content.has(bytes, stretch, at: Int(part.offset)) else { return false }
        }
        return true
    }

    /// Reads one line of `offset:pattern` words; false where it is malformed.
    mutating func add(_ line: Bytes, for format: FormatID) -> Bool {
        let firstPart = parts.count
        var fixed = 0
        var place = 0
        while place < line.count {
            if line[place] == UInt8(ascii: " ") {
                place += 1
                continue
            }
            var offset = 0
            while place < line.count, ASCII.isDigit(line[place]) {
                offset = offset * 10 + Int(line[place] - UInt8(ascii: "0"))
                place += 1
            }
            guard place < line.count, line[place] == UInt8(ascii: ":") else { return false }
            place += 1
            guard let count = addPattern(line, &place, at: offset) else { return false }
            fixed += count
        }
        guard fixed > 0 else { return false }
        rules.append(Rule(format: format, parts: firstPart..<parts.count, fixed: fixed))
        return true
    }

    /// Reads hexadecimal digits, quoted text and wildcards up to a blank; returns how many bytes they fix.
    private mutating func addPattern(_ line: Bytes, _ place: inout Int, at offset: Int) -> Int? {
        var here = offset
        var partStart = bytes.count
        var partOffset = offset
        var fixed = 0
        func closePart(_ table: inout SignatureTable) {
            let length = table.bytes.count - partStart
            if length > 0 {
                table.parts.append(
                    Part(offset: Int32(clamping: partOffset), start: Int32(partStart), length: Int32(length)))
            }
        }
        while place < line.count, line[place] != UInt8(ascii: " ") {
            if line[place] == UInt8(ascii: "'") {
                place += 1
                while place < line.count, line[place] != UInt8(ascii: "'") {
                    bytes.append(line[place])
                    place += 1
                    here += 1
                    fixed += 1
                }
                place += 1
            } else if line[place] == UInt8(ascii: "?") {
                closePart(&self)
                place += 2
                here += 1
                partOffset = here
                partStart = bytes.count
            } else if place + 1 < line.count, let high = ASCII.hexValue(line[place]),
                let low = ASCII.hexValue(line[place + 1])
            {
                bytes.append(high << 4 | low)
                place += 2
                here += 1
                fixed += 1
            } else {
                return nil
            }
        }
        closePart(&self)
        return fixed
    }

    /// Sorts the rules into their buckets.
    mutating func finish() {
        var counts = [Int32](repeating: 0, count: 258)
        let buckets = rules.map { bucket($0) }
        for bucket in buckets { counts[bucket + 1] += 1 }
        for index in 1..<258 { counts[index] += counts[index - 1] }
        starts = counts
        var next = counts
        order = [Ordered](repeating: Ordered(rule: 0, offset: 0, byte: 0), count: rules.count)
        for (index, bucket) in buckets.enumerated() {
            let first = parts[rules[index].parts.lowerBound]
            order[Int(next[bucket])] = Ordered(
                rule: Int32(index), offset: first.offset, byte: bytes[Int(first.start)])
            next[bucket] += 1
        }
    }

    private func bucket(_ rule: Rule) -> Int {
        let first = parts[rule.parts.lowerBound]
        return first.offset == 0 ? Int(bytes[Int(first.start)]) : 256
    }
}
