import InboxLinux

/// The names that a document may get: its own, then with a number before the extension, without an end.
///
/// Section 4 of the contract, *A free name*.
package struct NumberedName: Sendable {
    private let name: FileName
    private let base: ArraySlice<UInt8>
    private let ending: ArraySlice<UInt8>

    /// Takes a name apart.
    package init(_ name: FileName) {
        self.name = name
        let bytes = name.bytes
        let start = Self.endingStart(bytes)
        base = bytes[..<start]
        ending = bytes[start...]
    }

    /// The name itself for 0, else with `-number` before the extension; nil where that leaves no room for a base.
    ///
    /// Beyond `longest` bytes the base is cut at a character boundary.
    package func numbered(_ number: Int, longest: Int = FileName.longest) -> FileName? {
        guard number > 0 else { return name }
        let suffix = Array("-\(number)".utf8) + ending
        let room = longest - suffix.count
        guard room > 0 else { return nil }
        return FileName(Self.truncated(base, to: room) + suffix)
    }

    /// The number that a name of this row carries; nil for a name of another row. 0 is the name itself.
    ///
    /// A row whose base was cut is not recognised here: its numbers are then found by trying.
    package func number(of other: FileName) -> Int? {
        if other == name { return 0 }
        let bytes = other.bytes
        guard bytes.count > base.count + ending.count + 1, bytes.starts(with: base),
            bytes.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        var digits = bytes.dropFirst(base.count).dropLast(ending.count)
        guard digits.popFirst() == UInt8(ascii: "-"), digits.first != UInt8(ascii: "0"), digits.count <= 18 else {
            return nil
        }
        return digits.reduce(0 as Int?) { number, digit in
            guard let number, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            return number * 10 + Int(digit - UInt8(ascii: "0"))
        }
    }

    /// Where the extension begins, its dot included; the end where there is none.
    private static func endingStart(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex,
            isExtension(bytes[(dot + 1)...])
        else { return bytes.endIndex }
        if let outer = bytes[..<dot].lastIndex(of: UInt8(ascii: ".")), outer > bytes.startIndex,
            DoubleExtension.isKnown(bytes[(outer + 1)..<dot], bytes[(dot + 1)...])
        {
            return outer
        }
        return dot
    }

    /// The extension of a name, without its dot: what follows the last dot that is not the first byte. Nothing where
    /// there is none.
    package static func pathExtension(of name: FileName) -> ArraySlice<UInt8> {
        let bytes = name.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex, isExtension(bytes[(dot + 1)...])
        else { return [] }
        return bytes[(dot + 1)...]
    }

    /// A name without its extension, and the extension with its dot: a double one that is known stays whole.
    package static func parts(of name: FileName) -> (stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>) {
        let bytes = name.bytes
        let start = endingStart(bytes)
        return (bytes[..<start], bytes[start...])
    }

    /// 1 to 32 bytes of UTF-8 without space or control character.
    private static func isExtension(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...32).contains(bytes.count) else { return false }
        // Nearly every extension is ASCII, which needs no decoding.
        if bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return true }
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }

    /// At most `room` bytes from the front, without half a character at the end.
    static func truncated(_ bytes: ArraySlice<UInt8>, to room: Int) -> [UInt8] {
        guard bytes.count > room else { return Array(bytes) }
        let isContinuation = { (byte: UInt8) in byte & 0xC0 == 0x80 }
        var end = bytes.startIndex + room
        // A character has three continuation bytes at most; where there are more, this is not UTF-8.
        for back in 0..<4 where end - back > bytes.startIndex {
            if !isContinuation(bytes[end - back]) {
                end -= back
                break
            }
        }
        return Array(bytes[..<end])
    }
}

/// Extensions of two parts that belong together.
enum DoubleExtension {
    private static let compressions: Set<String> = [
        "gz", "bz2", "xz", "zst", "lz", "lz4", "lzma", "lzo", "z", "br",
    ]
    private static let compressed: Set<String> = [
        "tar", "cpio", "svg", "ps", "eps", "pdf", "xcf", "sql", "csv", "json", "xml", "txt", "log", "warc", "nii",
        "fastq", "img", "iso",
    ]

    /// Returns whether `inner.outer` stays whole: a container and its compression, compared without case.
    static func isKnown(_ inner: ArraySlice<UInt8>, _ outer: ArraySlice<UInt8>) -> Bool {
        guard inner.count <= 5, outer.count <= 4 else { return false }
        return compressions.contains(lowered(outer)) && compressed.contains(lowered(inner))
    }

    private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
