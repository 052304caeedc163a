import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.SeededRandom

@testable import InboxVarlink

@Suite("JSON")
struct JSONTests {
    @Test(
        "A value comes back from its text as it was",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "0.5", "1e+20",
            "\"\"", "\"a/b\"", "\"\\\"\\\\\"", "\"\\n\\t\\r\\u0000\\u001f\\u007f\"", "\"é😀\"", "[]", "{}",
            "[1,[2,[]],{}]", "{\"a\":1,\"b\":[null]}",
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONValue(parsing: text.utf8).text == text)
    }

    @Test(
        "Text in another form means the same",
        arguments: [
            (" \t\r\n{ \"b\" : 1 , \"a\" : 2 } ", "{\"a\":2,\"b\":1}"), ("\"\\u00e9\\ud83d\\ude00\"", "\"é😀\""),
            ("\"\\/\\b\\f\"", "\"/\\u0008\\u000c\""), ("-0", "0"), ("1E2", "100.0"), ("1.0", "1.0"),
            ("9223372036854775808", "9.223372036854776e+18"),
        ])
    func otherForms(text: String, meaning: String) throws {
        #expect(try JSONValue(parsing: text.utf8).text == meaning)
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "nul", "nulll", "tru", "True", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
            "1e999", "-1e999", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"", "\"a\nb\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"",
            "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1,\"a\":2}", "1 1",
            "{} x", "[]]", "/* */1", "'a'", "\u{FEFF}1", "\"\\u１２３４\"",
        ])
    func malformed(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text.utf8) }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }

    @Test("Nesting is read to its limit and refused beyond it", arguments: [("[", "]"), ("{\"a\":", "}")])
    func depth(opening: String, closing: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        _ = try JSONValue(parsing: nested(JSONParser.deepest).utf8)
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(JSONParser.deepest + 1).utf8) }
    }

    @Test("A million brackets overflow no stack", arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"])
    func depthBomb(part: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: part, count: 1_000_000).utf8) }
    }

    @Test("Giant numbers are a double or an error, never a trap")
    func giantNumbers() throws {
        let digits = String(repeating: "9", count: 60_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: digits.utf8) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: ("1e" + digits).utf8) }
        #expect(try JSONValue(parsing: ("0." + digits).utf8) == .number(1))
        #expect(try JSONValue(parsing: ("1e-" + digits).utf8) == .number(0))
        #expect(try JSONValue(parsing: "-9223372036854775809".utf8) == .number(-0x1p63))
    }

    @Test("Random text and cut-off text are read or refused, and what is read comes back", arguments: 0..<8)
    func random(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\\u", "d800", "1", "-", "e9", ".", "true", "null", " ", "é", "\u{0}",
        ]
        var read = 0
        for _ in 0..<4000 {
            var bytes = (0..<Int.random(in: 0..<24, using: &generator))
                .flatMap { _ in Array((pieces.randomElement(using: &generator) ?? "").utf8) }
            if Bool.random(using: &generator) { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes)
                read += 1
                #expect(try JSONValue(parsing: value.text.utf8) == value)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
        #expect(read > 0, "no text was JSON: the test says nothing (seed \(seed))")
    }

    @Test("A report and its JSON are the same, 64 bits included")
    func reports() throws {
        let report = FixedInbox().report
        let message = try Reply.bytes(report)
        let reply = try Reply(parsing: message.dropLast())
        #expect(reply.parameters["counters"]?["bytesFiled"] == .integer(9_007_199_254_740_993))
        #expect(try JSONValue.object(reply.parameters).decoded(as: StatusReport.self) == report)
        #expect(String(decoding: message, as: UTF8.self).contains("\"/d/Inbox\""), "slashes are not escaped")
    }
}
