import InboxTestSupport
import Testing

@testable import InboxDetection

@Suite("The index of the database's comparisons")
struct MagicIndexTests {
    /// Few bytes, so that values occur by chance: of those that text often has, of signs, and of others.
    private static let letters: [UInt8] = [0x65, 0x3C, 0x20, 0x00]

    /// Comparisons of random values, and what they are pieces of.
    private struct Comparisons {
        var bytes: [UInt8] = []
        var rules: [MIMEMagic.Rule] = []

        mutating func add(_ random: inout SeededRandom) {
            let length = Int.random(in: 1...6, using: &random)
            let value = bytes.count
            bytes += (0..<length).map { _ in any(of: MagicIndexTests.letters, &random) }
            var mask: Int32 = -1
            if Int.random(in: 0..<4, using: &random) == 0 {
                mask = Int32(bytes.count)
                bytes += (0..<length).map { _ in any(of: [0xFF, 0xF0, 0x80, 0], &random) }
            }
            rules.append(
                MIMEMagic.Rule(
                    offset: any(of: [0, 0, 1, 2, 9, 300], &random),
                    range: any(of: [1, 1, 2, 7, 30, 600], &random), value: Int32(value),
                    length: Int32(length), mask: mask, depth: 0,
                    anchor: UInt16(Int.random(in: 0..<length, using: &random))))
        }

        /// Whether the value of a comparison begins at an offset.
        func isThere(_ number: Int, at offset: Int, in content: [UInt8]) -> Bool {
            let rule = rules[number]
            guard offset + Int(rule.length) <= content.count else { return false }
            return (0..<Int(rule.length)).allSatisfy { place in
                let mask = rule.hasMask ? bytes[Int(rule.mask) + place] : 0xFF
                return (content[offset + place] ^ bytes[Int(rule.value) + place]) & mask == 0
            }
        }

        func holds(_ number: Int, in content: [UInt8]) -> Bool {
            let first = Int(rules[number].offset)
            return (first..<(first + Int(rules[number].range))).contains {
                isThere(number, at: $0, in: content)
            }
        }

        /// What the index of them hands over, in that order.
        func candidates(in content: [UInt8]) -> [Int] {
            var index = MagicIndex()
            for (number, rule) in rules.enumerated() {
                index.add(rule: Int32(number), rule, of: Int32(number), bytes: bytes)
            }
            index.finish()
            var found: [Int] = []
            content.withUnsafeBytes {
                index.candidates(Bytes($0)) { rule, offset in
                    isThere(Int(rule), at: offset, in: content)
                } _: { entry in
                    found.append(Int(entry.rule))
                }
            }
            return found
        }
    }

    private static func content(_ random: inout SeededRandom) -> [UInt8] {
        let most = Bool.random(using: &random) ? 20 : 700
        return (0..<Int.random(in: 0..<most, using: &random)).map { _ in
            any(of: letters, &random)
        }
    }

    @Test("Every comparison that holds is handed over, and none twice")
    func complete() {
        var random = SeededRandom(seed: 16)
        var held = 0
        for _ in 0..<3_000 {
            var comparisons = Comparisons()
            for _ in 0..<Int.random(in: 1..<16, using: &random) { comparisons.add(&random) }
            let content = Self.content(&random)
            let found = comparisons.candidates(in: content)
            #expect(Set(found).count == found.count)
            for number in comparisons.rules.indices where comparisons.holds(number, in: content) {
                #expect(found.contains(number), "\(comparisons.rules[number]) in \(content)")
                held += 1
            }
        }
        #expect(held > 3_000)
    }

    @Test(
        "Values in a range near the beginning are handed over by where their first two bytes occur first"
    )
    func order() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<3_000 {
            var comparisons = Comparisons()
            for _ in 0..<16 { comparisons.add(&random) }
            comparisons.rules.removeAll { $0.range == 1 || $0.range > 100 || $0.hasMask || $0.length < 2 }
            let content = Self.content(&random)
            let held = comparisons.rules.indices.filter { comparisons.holds($0, in: content) }
            let places = held.map { number in
                let value = Int(comparisons.rules[number].value)
                return content.indices.first {
                    content[$0...].starts(with: comparisons.bytes[value...(value + 1)])
                }!
            }
            let expected = zip(places, held).sorted { $0 < $1 }.map(\.1)
            #expect(comparisons.candidates(in: content) == expected)
        }
    }
}

private func any<Item>(of items: [Item], _ random: inout SeededRandom) -> Item {
    items[Int.random(in: items.indices, using: &random)]
}
