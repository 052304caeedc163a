import InboxDetection
import InboxLinux

/// Texts in the encodings that formats have them in.
enum TextDecoding {
    /// Bytes of a text that are decoded: titles and names are short.
    static let longest = 4096

    /// Bytes are UTF-8 throughout, but for a last character where the text is cut off.
    static func isUTF8(_ bytes: Bytes, isCut: Bool) -> Bool {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            let more =
                byte < 0x80
                ? 0 : byte >= 0xC2 && byte < 0xE0 ? 1 : byte & 0xF0 == 0xE0 ? 2 : byte & 0xF8 == 0xF0 ? 3 : -1
            guard more >= 0, isCut || place + more < bytes.count else { return false }
            for index in place + 1..<min(place + 1 + more, bytes.count) where bytes[index] & 0xC0 != 0x80 {
                return false
            }
            place += more + 1
        }
        return true
    }

    /// Bytes that are UTF-8, or else of Western Europe as Windows has it.
    /// - Parameter isCut: whether more of the text may have been cut off.
    static func plain(_ bytes: Bytes, isCut: Bool = false) -> String {
        isUTF8(bytes[0..<longest], isCut: isCut || bytes.count > longest) ? bytes[0..<longest].text : windows(bytes)
    }

    /// Windows-1252, which has all of ISO 8859-1 but its control characters.
    static func windows(_ bytes: Bytes) -> String {
        var text = String.UnicodeScalarView()
        for index in 0..<min(bytes.count, longest) {
            let byte = bytes[index]
            let value = (0x80..<0xA0).contains(byte) ? windowsSigns[Int(byte) - 0x80] : UInt16(byte)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// UTF-16 without its mark, up to a NUL.
    static func wide(_ bytes: Bytes, big isBig: Bool, limit: Int = longest) -> String {
        var units: [UInt16] = []
        for place in stride(from: 0, to: min(bytes.count, limit) - 1, by: 2) {
            guard let unit = bytes.number16(at: place, big: isBig), unit != 0 else { break }
            units.append(UInt16(truncatingIfNeeded: unit))
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// A text of a PDF: UTF-16 or UTF-8 by its mark, else PDFDocEncoding (ISO 32000-1, annex D.2).
    static func portable(_ bytes: Bytes) -> String {
        if bytes.has([0xFE, 0xFF], 0..<2, at: 0) { return wide(bytes.from(2), big: true) }
        if bytes.has([0xFF, 0xFE], 0..<2, at: 0) { return wide(bytes.from(2), big: false) }
        if bytes.has("\u{FEFF}") { return bytes[3..<longest].text }
        var text = String.UnicodeScalarView()
        for index in 0..<min(bytes.count, longest) {
            let byte = bytes[index]
            let value: UInt16 =
                switch byte {
                case 0x18..<0x20: portableAccents[Int(byte) - 0x18]
                case 0x80..<0xA1: portableSigns[Int(byte) - 0x80]
                default: UInt16(byte)
                }
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        // Many programs write UTF-8 there without saying so; of Latin letters it has a sequence that nobody writes.
        let hasHigh = (0..<min(bytes.count, longest)).contains { bytes[$0] >= 0x80 }
        return hasHigh && isUTF8(bytes[0..<longest], isCut: bytes.count > longest)
            ? bytes[0..<longest].text : String(text)
    }

    /// A text in a named encoding; an unknown one counts as UTF-8 or Western European.
    static func text(_ bytes: Bytes, charset: String) -> String {
        switch charset.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii", "": return plain(bytes)
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": return windows(bytes)
        case let name: return bytes[0..<longest].withRaw { TextConversion.text($0, charset: name) } ?? plain(bytes)
        }
    }

    private static let windowsSigns: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]
    private static let portableAccents: [UInt16] = [0x2D8, 0x2C7, 0x2C6, 0x2D9, 0x2DD, 0x2DB, 0x2DA, 0x2DC]
    private static let portableSigns: [UInt16] = [
        0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192, 0x2044, 0x2039, 0x203A, 0x2212, 0x2030, 0x201E, 0x201C,
        0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x141, 0x152, 0x160, 0x178, 0x17D, 0x131, 0x142, 0x153,
        0x161, 0x17E, 0xFFFD, 0x20AC,
    ]
}
