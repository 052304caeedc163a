import FoundationEssentials
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxFiling

@Suite struct JSONLineTests {
    private struct Object: Codable, Equatable {
        var text: String
        var none: String?
        var number: UInt64
        var small: Int64
        var truth: Bool
        var list: [String]
    }

    @Test("Every character comes back from a JSON decoder as it went in")
    func characters() throws {
        let seed: UInt64 = 0x150
        var random = SeededRandom(seed: seed)
        let all = (0...0x17F).compactMap { UInt32($0) } + [0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFF, 0x1F642, 0x10FFFF]
        var texts = all.compactMap(Unicode.Scalar.init).map { "a\($0)\"\\b" } + ["", "\r\n", "\\u0041", "\0"]
        for _ in 0..<500 { texts.append(String(decoding: random.bytes(upTo: 40), as: UTF8.self)) }
        for text in texts {
            var line = JSONLine()
            line.add("text", text)
            line.add("none", nil)
            line.add("number", UInt64.max)
            line.add("small", Int64.min)
            line.add("truth", true)
            line.add("list", [text, "", text])
            let bytes = line.finished()
            let newlines = bytes.count { $0 == UInt8(ascii: "\n") }
            #expect(newlines == 1 && bytes.last == UInt8(ascii: "\n"), "seed \(seed)")
            #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A } && !bytes.contains(0x7F))
            let object = try JSONDecoder().decode(Object.self, from: Data(bytes))
            let wanted = Object(
                text: text, none: nil, number: .max, small: .min, truth: true, list: [text, "", text])
            #expect(object == wanted, "seed \(seed)")
            #expect(Array(object.text.utf8) == Array(text.utf8))
        }
    }

    @Test("An object of nothing is one, and a list of nothing")
    func empty() {
        #expect(String(decoding: JSONLine().finished(), as: UTF8.self) == "{}\n")
        var line = JSONLine()
        line.add("a", [String]())
        line.add("b", false)
        #expect(String(decoding: line.finished(), as: UTF8.self) == "{\"a\":[],\"b\":false}\n")
    }

    @Test("A byte that needs an escape gets one at every place of texts of every length, and no other byte does")
    func places() throws {
        let escaped: Set<UInt8> = Set([0, 0x0A, 0x1F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F])
        for length in 1...40 {
            for place in 0..<length {
                for byte in escaped.union([0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7E]) {
                    // Neighbours that are one more or less than what needs an escape.
                    var bytes = (0..<length).map { UInt8(ascii: $0.isMultiple(of: 2) ? "!" : "[") }
                    bytes[place] = byte
                    let text = String(decoding: bytes, as: UTF8.self)
                    var line = JSONLine()
                    line.add("t", text)
                    let written = line.finished()
                    #expect((written.count > length + 9) == escaped.contains(byte), "\(length), \(place), \(byte)")
                    #expect(try JSONDecoder().decode([String: String].self, from: Data(written)) == ["t": text])
                }
            }
        }
    }

    @Test("Numbers of every length are written with their digits and without leading zeros")
    func numbers() {
        var numbers: [UInt64] = [0, .max]
        for power in sequence(first: UInt64(1), next: { $0 > .max / 10 ? nil : $0 * 10 }) {
            numbers += [power - 1, power, power + 1, power / 5 * 9]
        }
        for number in numbers {
            var line = JSONLine()
            line.add("n", number)
            line.add("m", Int64(truncatingIfNeeded: number))
            let wanted = "{\"n\":\(number),\"m\":\(Int64(truncatingIfNeeded: number))}\n"
            #expect(String(decoding: line.finished(), as: UTF8.self) == wanted)
        }
    }

    @Test("Times are written as they are alone, whether the one before is of the same second or of another")
    func times() {
        var times = [0, 999_999, 7_999_999, 42_000_000, 999_999_999, .max].map {
            Timestamp(seconds: 1_763_679_067, nanoseconds: $0)
        }
        times += times.map { Timestamp(seconds: $0.seconds + 1, nanoseconds: $0.nanoseconds) }
        times += [Timestamp(seconds: .max, nanoseconds: 1), Timestamp(seconds: .min, nanoseconds: 0)]
        var text = ByteWriter()
        for time in times { text.append(time) }
        #expect(String(decoding: text.bytes, as: UTF8.self) == times.map(\.text).joined())
    }
}
