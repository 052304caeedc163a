/// Reads those entries of a zip archive that determine its format.
enum ZipParts {
    /// More than programs put between an entry's name and its data: Office leaves some 520 bytes free there.
    private static let mostExtra = 4096

    /// Hands the beginning of an entry's data, unpacked, to `body`; nil where they are out of reach or packed
    /// otherwise.
    static func unpacking<Result>(
        _ content: inout Content, _ place: ZipContainer.Extent, limit: Int, _ body: (Bytes) -> Result
    ) -> Result? {
        let reach = min(max(place.size, 512), 8 * 1024) + 128
        let header = content.reading(at: place.offset, count: 30) { bytes, _ in LocalHeader(bytes, at: 0) }
        guard let header, header.data <= mostExtra + 1024 else { return nil }
        return content.reading(at: place.offset + header.data, count: reach) { packed, _ in
            switch header.method {
            case 0: return body(packed)
            case 8: return Inflate.inflating(packed, limit: limit, body)
            default: return nil
            }
        }
    }

    /// The MIME type in an entry `mimetype` that is not the first one.
    static func mimetype(_ content: inout Content, _ place: ZipContainer.Extent) -> String? {
        content.reading(at: place.offset, count: 1024) { bytes, _ in
            guard let header = LocalHeader(bytes, at: 0), header.method == 0 else { return nil }
            return text(bytes, header)
        }
    }

    /// The MIME type that an OpenDocument manifest gives the package itself.
    static func manifest(_ content: inout Content, _ place: ZipContainer.Extent) -> String? {
        unpacking(&content, place, limit: 4096) { text in
            guard let path = text.find("full-path=\"/\"") else { return nil }
            // The attribute is before or after the path, in the same element.
            let end = text.index(of: UInt8(ascii: ">"), from: path) ?? text.count
            var start = path
            while start > 0, text[start] != UInt8(ascii: "<") { start -= 1 }
            let element = text[start..<end]
            guard let value = element.find("media-type=\"") else { return nil }
            let rest = element.from(value + 12)
            let mime = rest[0..<(rest.index(of: UInt8(ascii: "\"")) ?? 0)].text
            guard let known = FormatTable.builtIn.format(mime: mime) else { return nil }
            return FormatTable.builtIn[known].carriers.contains(.zip) ? mime : nil
        } ?? nil
    }

    /// Returns whether the main part of an iWork document is that of Pages: its first object's kind is 10000 there, 1
    /// in others.
    static func isPages(_ content: inout Content, _ place: ZipContainer.Extent) -> Bool {
        unpacking(&content, place, limit: 64) { part in
            (0..<min(part.count, 32)).contains { part[$0] == 8 && part[$0 + 1] == 0x90 && part[$0 + 2] == 0x4E }
        } ?? false
    }

    /// Pages and Numbers '09 use one name for their main part; its root element shows which of them wrote it.
    static func office09(_ content: inout Content, _ place: ZipContainer.Extent) -> String? {
        unpacking(&content, place, limit: 2048) { text in
            if text.contains("<ls:document") { return "application/vnd.apple.numbers" }
            if text.contains("<key:presentation") { return "application/vnd.apple.keynote" }
            return text.contains("<sl:document") ? "application/vnd.apple.pages" : nil
        } ?? nil
    }

    /// The entry's text: a MIME type and nothing else, whatever follows it.
    static func text(_ head: Bytes, _ header: LocalHeader) -> String? {
        let isSized = header.size > 0 && header.size <= 128
        // A size that is written after the data leaves only the next header to mark the end.
        guard isSized || header.size == 0, header.data + header.size <= head.count else { return nil }
        let bytes = head[header.data..<(header.data + (isSized ? header.size : 128))]
        guard isSized || bytes.contains("PK\u{3}\u{4}") || bytes.contains("PK\u{7}\u{8}") else { return nil }
        var length = 0
        while length < bytes.count, isToken(bytes[length]) { length += 1 }
        // The size or the next header, whichever follows, begins with `PK`, which could be part of a MIME type.
        let end = min(bytes.find("PK\u{3}\u{4}") ?? length, bytes.find("PK\u{7}\u{8}") ?? length)
        let text = bytes[0..<end]
        guard text.count > 3, text.index(of: UInt8(ascii: "/")) != nil else { return nil }
        let mime = text[0..<min(length, text.count)].text
        // An archive may claim any type: only a type that is known to be a zip archive, or an unknown one, is accepted.
        guard let known = FormatTable.builtIn.format(mime: mime) else {
            return text.has("application/") ? mime : nil
        }
        return FormatTable.builtIn[known].carriers.contains(.zip) ? mime : nil
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
    }
}
