import InboxLinux
import Testing

@testable import InboxDetection

/// Text in the encodings that East Asia and other scripts use, and bytes that only resemble it.
@Suite("Encodings of text")
struct EncodingTests {
    private static let samples: [(name: String, bytes: String)] = [
        (
            "Shift-JIS",
            "8DA193FA82CD97C782A293568B4382C582B781428E5595E082C98D7382AB82DC82B582E582A481420A"
        ),
        ("EUC-JP", "BAA3C6FCA4CFCEC9A4A4C5B7B5A4A4C7A4B9A1A3BBB6CAE2A4CBB9D4A4ADA4DEA4B7A4E7A4A6A1A30A"),
        ("GB 18030", "BDF1CCECCCECC6F8BADCBAC3A3ACCED2C3C7C8A5B9ABD4B0C9A2B2BDB0C9A1A30A"),
        ("Big5", "A4B5A4D1A4D1AEF0ABDCA66EA141A7DAADCCA568A4BDB6E9B4B2A842A761A1430A"),
        ("EUC-KR", "BFC0B4C3C0BAB3AFBEBEB0A1C1C1BDC0B4CFB4D9B0F8BFF8BFA1BCADBBEAC3A5C7D5BDC3B4D90A"),
        ("ISO-2022-JP", "1B2442 3A23 467C 244F 4E49 2424 1B2842 0A"),
        ("ISO-2022-KR", "1B242943 0A 0E 3F40 3443 0F 20 0E 332F 3E3E 0F 0A"),
        ("Russian in UTF-16LE", "1F04400438043204350442042C0020003C043804400420003804200042044004430434040A00"),
        ("Russian in UTF-16BE", "041F04400438043204350442002C0020043C043804400020043800200442044004430434000A"),
        ("Japanese in UTF-16LE", "CA4EE5656F306F8244302959176C6730593002306365696B0A00"),
        ("Hindi in UTF-16LE", "28092E0938094D092409470920002609410928093F092F093E09200014093009200038092C090A00"),
        ("Korean in UTF-16LE", "24C698B240C72000A0B028C500AC20008BC8B5C2C8B2E4B20A00"),
        ("a line with a NUL", "'The first words'00'and the others.'0A"),
    ]

    /// For fuzzing.
    static var files: [Sample] {
        samples.map {
            Sample(
                name: "a.txt", mime: "text/plain", identifier: "public.plain-text", bytes: SampleText.bytes($0.bytes))
        }
    }

    private let detector = Detector(places: .none)

    @Test("Each is plain text by its content, and agrees with the name of a text")
    func texts() throws {
        let name = try #require(FileName("a.txt"))
        for sample in Self.samples {
            for count in [1, 40] {
                let bytes = [[UInt8]](repeating: SampleText.bytes(sample.bytes), count: count).flatMap { $0 }
                // More than one NUL is no accident.
                guard count == 1 || !sample.name.contains("NUL") else { continue }
                let found = bytes.withUnsafeBytes { detector.detect(nil, content: $0) }
                #expect(found.mime == "text/plain", "\(count) of \(sample.name)")
                let named = bytes.withUnsafeBytes { detector.detect(name, content: $0) }
                #expect(!named.mismatch, "\(sample.name)")
            }
        }
    }

    @Test("Arbitrary bytes are in none of them")
    func noise() {
        var state: UInt64 = 1
        var texts = 0
        for round in 0..<400 {
            let bytes = (0..<(64 + round)).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            // Without the control characters that alone give it away as no text.
            let printable = bytes.map { $0 < 0x20 || $0 == 0x7F ? $0 | 0x80 : $0 }.filter { $0 != 0x20 }
            if bytes.withUnsafeBytes({ TextSniffer(Bytes($0)).finding() }) != nil { texts += 1 }
            if printable.withUnsafeBytes({ MultibyteText.matches(Bytes($0)) }) { texts += 1 }
        }
        #expect(texts == 0)
    }

    @Test("Samples of sound and numbers are no text in wide units")
    func numbers() {
        let wave = (0..<600).map { UInt16(bitPattern: Int16(900 - abs($0 % 240 - 120) * 15)) }
        let counts = (0..<600).map { UInt16($0) }
        for numbers in [wave, counts] {
            let bytes = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            #expect(bytes.withUnsafeBytes { WideText.order(Bytes($0)) } == nil)
        }
    }

    @Test("Prose in UTF-16 and UTF-32 is no program, whatever letters and question marks it has")
    func questions() {
        let prose = String(repeating: "Où est-il ? Là-bas ? À côté, déjà ? Qu’a-t-il été ?\n", count: 12)
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in prose.utf16 { wide += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
        var wider: [UInt8] = [0xFF, 0xFE, 0, 0]
        for scalar in prose.unicodeScalars { wider += Build.le32(Int(scalar.value)) }
        for bytes in [wide, wider, Array(prose.utf8)] {
            #expect(bytes.withUnsafeBytes { detector.detect(nil, content: $0).mime } == "text/plain")
        }
    }
}
