import InboxLinux
import Synchronization

/// The database's content rules, the `magic` files, as flat tables.
///
/// Shared MIME-info Database specification, "The magic files": sections by priority, each a tree of comparisons.
///
/// The first short contents are compared with one rule after the other; who asks more often, or about more bytes, gets an
/// index of the rules, which takes `inboxctl type` longer to make.
struct MIMEMagic: ~Copyable, Sendable {
    /// One comparison. Its children follow it with a greater depth.
    struct Rule: Sendable {
        let offset: Int32
        /// The number of start offsets to try, at least 1.
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
        /// Where the MIME type is in `bytes`.
        let start, end: Int32
        let priority: UInt8
        let rules: Range<Int32>
    }

    /// A match and its strength.
    struct Match {
        var mime: Int32
        var priority: UInt8
        var fixed: Int
    }

    private var bytes: [UInt8] = []
    private var rules: [Rule] = []
    private var sections: [Section] = []
    /// MIME types of which no later folder's rules count.
    private var hidden: [[UInt8]] = []
    private var index = Once { Indexed([], [], []) }
    private let questions = Atomic<Int>(0)

    /// So many contents are compared without the index, if they have no more bytes than this.
    private static let (patience, short) = (3, 512)

    /// Reads one folder's file. `__NOMAGIC__` there hides what later folders say of that MIME type.
    mutating func read(_ file: consuming [UInt8]) {
        var newlyHidden: [[UInt8]] = []
        let base = bytes.count
        rules.reserveCapacity(rules.count + file.count / 16)
        sections.reserveCapacity(sections.count + file.count / 64)
        file.withUnsafeMutableBytes { memory in
            let file = Bytes(UnsafeRawBufferPointer(memory))
            var reader = MagicReader(file)
            guard reader.readHeader() else { return }
            while let (priority, name) = reader.readSection() {
                let start = Int32(clamping: rules.count)
                let isHidden = hidden.contains { $0.elementsEqual(name.array) }
                while let item = reader.readRule() {
                    if file[item.value..<(item.value + item.length)].equals("__NOMAGIC__") {
                        newlyHidden.append(name.array)
                    } else if !isHidden {
                        if item.word > 1 { Self.swapWords(of: item, in: memory) }
                        rules.append(Rule(item, in: file, base: base))
                    }
                }
                let end = Int32(clamping: rules.count)
                let place = base + name.offset(in: file)
                sections.append(
                    Section(
                        start: Int32(clamping: place), end: Int32(clamping: place + name.count), priority: priority,
                        rules: start..<end))
            }
        }
        // The values stay where the file has them: the whole file is kept, and its rules name places in it. Nearly
        // always there is one file, whose memory is kept as it is.
        if bytes.isEmpty { bytes = file } else { bytes += file }
        hidden += newlyHidden
    }

    /// Turns the order of the bytes in every word of a comparison around.
    private static func swapWords(of item: MagicReader.Item, in file: UnsafeMutableRawBufferPointer) {
        for first in stride(from: 0, to: item.length, by: item.word) {
            for place in 0..<(item.word / 2) {
                let (low, high) = (first + place, first + item.word - 1 - place)
                file.swapAt(item.value + low, item.value + high)
                if let mask = item.mask { file.swapAt(mask + low, mask + high) }
            }
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
        candidates(content) { entry in
            let section = sections[Int(entry.section)]
            if let best, section.priority < best.priority { return }
            var fixed = 0
            guard matches(entry.rule, in: section.rules.upperBound, content, &fixed),
                let mime = mime(of: section, relations.names)
            else { return }
            let found = Match(mime: relations.canonical(mime), priority: section.priority, fixed: fixed)
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

    /// Hands over the first comparisons that may hold, in the order of the index.
    private func candidates(_ content: Bytes, _ body: (MagicIndex.Entry) -> Void) {
        let isShort = content.count <= Self.short
        if isShort, !index.isMade, questions.wrappingAdd(1, ordering: .relaxed).oldValue < Self.patience {
            return candidatesOneByOne(content, body)
        }
        index.value.first.candidates(content) { rule, offset in
            let value = Int(rules[Int(rule)].value)
            return content.has(bytes, value..<(value + Int(rules[Int(rule)].length)), at: offset)
        } _: { entry in
            body(entry)
        }
    }

    /// Tries every first comparison: for a few contents this takes less than making the index.
    private func candidatesOneByOne(_ content: Bytes, _ body: (MagicIndex.Entry) -> Void) {
        // Each by its place in the order, and where two are equal there by its number; nearly always there are few.
        var found: [(order: UInt64, entry: MagicIndex.Entry)] = []
        for number in sections.indices {
            for place in sections[number].rules where rules[Int(place)].depth == 0 {
                let rule = rules[Int(place)]
                guard holds(rule, content) else { continue }
                let order = MagicIndex.order(of: rule, bytes, content)
                let later = found.firstIndex { $0.order > order } ?? found.count
                found.insert((order, MagicIndex.Entry(rule: place, section: Int32(clamping: number))), at: later)
            }
        }
        for item in found { body(item.entry) }
    }

    /// Returns whether a comparison holds, and with it one of its children if it has any.
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

    /// The related MIME types that there are rules for, one for each section with rules.
    func relatedMIMEs(_ names: MIMENames) -> [Int32] {
        sections.compactMap { $0.rules.isEmpty ? nil : names.findRelated(name(of: $0)) }
    }

    private func mime(of section: Section, _ names: MIMENames) -> Int32? { names.find(name(of: section)) }

    private func name(of section: Section) -> ArraySlice<UInt8> { bytes[Int(section.start)..<Int(section.end)] }

    /// Adds the MIME types of all sections.
    func addNames(_ names: inout NameArena) {
        bytes.withUnsafeBytes { bytes in
            for section in sections { _ = names.add(Bytes(bytes)[Int(section.start)..<Int(section.end)]) }
        }
    }
}

extension MIMEMagic.Rule {
    /// A comparison of a file that is kept from `base` on.
    init(_ item: MagicReader.Item, in file: Bytes, base: Int) {
        let isSearched = item.range > 1 && item.mask == nil
        self.init(
            offset: item.offset, range: max(1, item.range), value: Int32(clamping: base + item.value),
            length: Int32(clamping: item.length), mask: item.mask.map { Int32(clamping: base + $0) } ?? -1,
            depth: item.depth, anchor: isSearched ? Self.anchor(file[item.value..<(item.value + item.length)]) : 0)
    }

    /// The rarest byte of a value: searching for it stops least often.
    private static func anchor(_ value: Bytes) -> UInt16 {
        var best = 0
        var least = Int.max
        for index in 0..<value.count {
            let commonness = commonness(value[index])
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
}
