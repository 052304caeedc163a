import InboxLinux

/// The database's content rules, the `magic` files, as flat tables.
///
/// Shared MIME-info Database specification, "The magic files": sections by priority, each a tree of comparisons.
struct MIMEMagic: ~Copyable, Sendable {
    /// One comparison. Its children follow it with a greater depth.
    struct Rule: Sendable {
        let offset: Int32
        /// How many start offsets are tried, at least 1.
        let range: Int32
        /// The offset of the value in `bytes`.
        let value: Int32
        let length: Int32
        /// The offset of the mask in `bytes`, or -1.
        let mask: Int32
        let depth: UInt8
        /// The index in the value of the byte that is rarest in text, where the value is searched for.
        let anchor: UInt16

        var hasMask: Bool { mask >= 0 }
    }

    private struct Section: Sendable {
        let mime: Int32
        let priority: UInt8
        let rules: Range<Int32>
    }

    /// What was found, and how strongly.
    struct Match {
        var mime: Int32
        var priority: UInt8
        var fixed: Int
    }

    private var bytes: [UInt8] = []
    private var rules: [Rule] = []
    private var sections: [Section] = []
    private var index = Once { Indexed([], [], []) }

    /// Reads one folder's file. `__NOMAGIC__` there hides what later folders say of that MIME type.
    mutating func read(_ file: [UInt8], hidden: inout [Int32], names: inout MIMERelations) {
        var newlyHidden: [Int32] = []
        // The values stay where the file has them: the whole file is kept, and its rules name places in it.
        let base = bytes.count
        bytes += file
        rules.reserveCapacity(rules.count + file.count / 16)
        sections.reserveCapacity(sections.count + file.count / 64)
        file.withUnsafeBytes { file in
            let file = Bytes(file)
            var reader = MagicReader(file)
            guard reader.readHeader() else { return }
            while let (priority, name) = reader.readSection() {
                let mime = names.number(name)
                let start = Int32(clamping: rules.count)
                let isHidden = hidden.contains(mime)
                while let item = reader.readRule() {
                    if file[item.value..<(item.value + item.length)].equals("__NOMAGIC__") {
                        newlyHidden.append(mime)
                    } else if !isHidden {
                        append(item, from: base)
                    }
                }
                let end = Int32(clamping: rules.count)
                if end > start { sections.append(Section(mime: mime, priority: priority, rules: start..<end)) }
            }
        }
        hidden += newlyHidden
    }

    private mutating func append(_ item: MagicReader.Item, from base: Int) {
        let value = base + item.value
        if item.word > 1 {
            swap(value, item.length, by: item.word)
            if let mask = item.mask { swap(base + mask, item.length, by: item.word) }
        }
        let isSearched = item.range > 1 && item.mask == nil
        rules.append(
            Rule(
                offset: item.offset, range: max(1, item.range), value: Int32(clamping: value),
                length: Int32(clamping: item.length), mask: item.mask.map { Int32(clamping: base + $0) } ?? -1,
                depth: item.depth, anchor: isSearched ? anchor(value, item.length) : 0))
    }

    /// Turns the order of the bytes in every word around.
    private mutating func swap(_ start: Int, _ length: Int, by word: Int) {
        for first in stride(from: start, to: start + length, by: word) { bytes[first..<(first + word)].reverse() }
    }

    /// The rarest byte of a value: searching for it stops least often.
    private func anchor(_ value: Int, _ length: Int) -> UInt16 {
        var best = 0
        var least = Int.max
        for index in 0..<length {
            let commonness = Self.commonness(bytes[value + index])
            if commonness < least { (best, least) = (index, commonness) }
            if least == 0 { break }
        }
        return UInt16(clamping: best)
    }

    private static func commonness(_ byte: UInt8) -> Int {
        switch byte {
        case 0: 3
        case UInt8(ascii: " "), UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "a"), UInt8(ascii: "o"): 5
        case UInt8(ascii: "j"), UInt8(ascii: "q"), UInt8(ascii: "x"), UInt8(ascii: "z"): 1
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x0A: 4
        case UInt8(ascii: "0")...UInt8(ascii: "9"): 2
        default: 0
        }
    }

    /// The first comparisons, indexed by the bytes that they inspect.
    private final class Indexed: Sendable {
        let first: MagicIndex

        init(_ rules: [Rule], _ sections: [Section], _ bytes: [UInt8]) {
            var first = MagicIndex()
            for (number, section) in sections.enumerated() {
                for place in section.rules where rules[Int(place)].depth == 0 {
                    first.add(rule: place, rules[Int(place)], of: Int32(clamping: number), bytes: bytes)
                }
            }
            first.finish()
            self.first = first
        }
    }

    /// Called once after the last file. The index is made when content is compared: what the table of formats knows for
    /// sure needs none.
    mutating func finish() {
        index = Once { [rules, sections, bytes] in Indexed(rules, sections, bytes) }
    }

    /// The best match: the highest priority; of equal ones a subclass before its superclass, then the longer
    /// comparison.
    func match(_ content: Bytes, _ relations: borrowing MIMERelations) -> Match? {
        var best: Match?
        index.value.first.candidates(content) { rule, offset in
            let value = Int(rules[Int(rule)].value)
            return content.has(bytes, value..<(value + Int(rules[Int(rule)].length)), at: offset)
        } _: { entry in
            let section = sections[Int(entry.section)]
            if let best, section.priority < best.priority { return }
            var fixed = 0
            guard matches(entry.rule, in: section.rules.upperBound, content, &fixed) else { return }
            let found = Match(mime: relations.canonical(section.mime), priority: section.priority, fixed: fixed)
            if let known = best, known.priority == found.priority, known.mime != found.mime {
                if relations.isSubclass(known.mime, of: found.mime) { return }
                if !relations.isSubclass(found.mime, of: known.mime), known.fixed >= found.fixed { return }
            } else if let known = best, known.mime == found.mime, known.priority == found.priority {
                best?.fixed = max(known.fixed, found.fixed)
                return
            }
            best = found
        }
        return best
    }

    /// Whether a comparison holds, and with it one of its children if it has any.
    private func matches(_ place: Int32, in end: Int32, _ content: Bytes, _ fixed: inout Int) -> Bool {
        let rule = rules[Int(place)]
        guard holds(rule, content) else { return false }
        var child = place + 1
        var hasChildren = false
        while child < end, rules[Int(child)].depth > rule.depth {
            if rules[Int(child)].depth == rule.depth + 1 {
                hasChildren = true
                var below = 0
                if matches(child, in: end, content, &below) {
                    fixed = Int(rule.length) + below
                    return true
                }
            }
            child += 1
        }
        fixed = Int(rule.length)
        return !hasChildren
    }

    private func holds(_ rule: Rule, _ content: Bytes) -> Bool {
        let value = Int(rule.value)
        let length = Int(rule.length)
        let mask = Int(rule.mask)
        guard length > 0 else { return false }
        let last = min(Int(rule.offset) + Int(rule.range) - 1, content.count - length)
        var offset = Int(rule.offset)
        if rule.range > 1, !rule.hasMask {
            let stretch = value..<(value + length)
            let anchor = Int(rule.anchor)
            while let place = content.scan(for: bytes[value + anchor], from: offset + anchor, before: last + anchor + 1)
            {
                if content.has(bytes, stretch, at: place - anchor) { return true }
                offset = place - anchor + 1
            }
            return false
        }
        while offset <= last {
            if rule.hasMask {
                var index = 0
                while index < length,
                    content[offset + index] & bytes[mask + index] == bytes[value + index] & bytes[mask + index]
                {
                    index += 1
                }
                if index == length { return true }
            } else if content.has(bytes, value..<(value + length), at: offset) {
                return true
            }
            offset += 1
        }
        return false
    }

    /// The MIME types that there are rules for, one for each section.
    var mimes: [Int32] { sections.map(\.mime) }

    /// How many bytes of memory the tables hold.
    var footprint: Int {
        bytes.capacity + MemoryLayout<Rule>.stride * rules.capacity
            + MemoryLayout<Section>.stride * sections.capacity + (index.isMade ? index.value.first.footprint : 0)
    }
}
