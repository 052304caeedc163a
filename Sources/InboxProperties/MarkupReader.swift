import InboxDetection

/// XML and HTML, one tag or text after the other. It forgives everything, and never looks back.
struct MarkupReader {
    /// A piece of markup.
    enum Piece {
        case start(name: Bytes, attributes: Bytes, isEmpty: Bool)
        case end(name: Bytes)
        case text(Bytes)
    }

    private let text: Bytes
    private(set) var place = 0

    init(_ text: Bytes) {
        self.text = text
    }

    mutating func next() -> Piece? {
        while place < text.count {
            guard text[place] == UInt8(ascii: "<") else {
                let end = text.index(of: UInt8(ascii: "<"), from: place) ?? text.count
                defer { place = end }
                return .text(text[place..<end])
            }
            if text.has("<!--", at: place) {
                place = text.find("-->", from: place + 4).map { $0 + 3 } ?? text.count
            } else if text.has("<![CDATA[", at: place) {
                let start = place + 9
                let end = text.find("]]>", from: start) ?? text.count
                place = min(text.count, end + 3)
                return .text(text[start..<end])
            } else if text.has("<?", at: place) {
                place = text.find("?>", from: place + 2).map { $0 + 2 } ?? text.count
            } else if text.has("<!", at: place) {
                place = text.index(of: UInt8(ascii: ">"), from: place).map { $0 + 1 } ?? text.count
            } else {
                return tag()
            }
        }
        return nil
    }

    private mutating func tag() -> Piece {
        let isEnd = text[place + 1] == UInt8(ascii: "/")
        let start = place + (isEnd ? 2 : 1)
        var here = start
        while here < text.count, !ASCII.isSpace(text[here]), text[here] != UInt8(ascii: ">"),
            text[here] != UInt8(ascii: "/")
        {
            here += 1
        }
        let name = text[start..<here]
        let attributesStart = here
        // A quoted value may hold the closing sign.
        var quote: UInt8 = 0
        while here < text.count {
            let byte = text[here]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            here += 1
        }
        // A tag that is cut off ends with everything else.
        place = min(here + 1, text.count)
        if isEnd { return .end(name: name) }
        let isEmpty = text[here - 1] == UInt8(ascii: "/")
        return .start(name: name, attributes: text[attributesStart..<(isEmpty ? here - 1 : here)], isEmpty: isEmpty)
    }

    /// Skips what follows, up to the end tag of an element whose content is no markup.
    mutating func skip(to end: StaticString) {
        var here = place
        while let found = text.find("</", from: here) {
            if text.hasIgnoringCase(end, at: found + 2) {
                place = found
                return
            }
            here = found + 2
        }
        place = text.count
    }

    /// Shows the names and values of a tag's attributes.
    static func visit(_ attributes: Bytes, _ body: (_ name: Bytes, _ value: Bytes) -> Void) {
        var here = 0
        while here < attributes.count {
            while here < attributes.count, ASCII.isSpace(attributes[here]) || attributes[here] == UInt8(ascii: "/") {
                here += 1
            }
            let start = here
            while here < attributes.count, !ASCII.isSpace(attributes[here]), attributes[here] != UInt8(ascii: "=") {
                here += 1
            }
            let name = attributes[start..<here]
            while here < attributes.count, ASCII.isSpace(attributes[here]) { here += 1 }
            guard attributes[here] == UInt8(ascii: "=") else {
                if here == start { here += 1 }
                continue
            }
            here += 1
            while here < attributes.count, ASCII.isSpace(attributes[here]) { here += 1 }
            let quote = attributes[here]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let end = attributes.index(of: quote, from: here + 1) ?? attributes.count
                body(name, attributes[(here + 1)..<end])
                here = end + 1
            } else {
                let valueStart = here
                while here < attributes.count, !ASCII.isSpace(attributes[here]) { here += 1 }
                body(name, attributes[valueStart..<here])
            }
        }
    }

    /// The text of markup, with its entities as the characters that they stand for.
    static func plain(_ markup: Bytes, charset: String = "") -> String {
        let markup = markup[0..<TextDecoding.longest]
        let text = TextDecoding.text(markup, charset: charset)
        guard markup.index(of: UInt8(ascii: "&")) != nil else { return text }
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "&", let end = rest.prefix(12).firstIndex(of: ";"),
                let meant = entity(rest[rest.index(after: rest.startIndex)..<end])
            {
                plain.append(meant)
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return String(plain)
    }

    private static func entity(_ name: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        let name = String(name)
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        }
        if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
        return entities[name]
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
        "hellip": "…", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "laquo": "«",
        "raquo": "»", "bull": "•", "middot": "·", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "sect": "§",
        "euro": "€", "pound": "£", "times": "×", "iexcl": "¡", "iquest": "¿", "szlig": "ß", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "euml": "ë", "iuml": "ï", "yuml": "ÿ", "Euml": "Ë",
        "agrave": "à", "egrave": "è", "igrave": "ì", "ograve": "ò", "ugrave": "ù", "Agrave": "À", "Egrave": "È",
        "aacute": "á", "eacute": "é", "iacute": "í", "oacute": "ó", "uacute": "ú", "yacute": "ý", "Aacute": "Á",
        "Eacute": "É", "Iacute": "Í", "Oacute": "Ó", "Uacute": "Ú", "acirc": "â", "ecirc": "ê", "icirc": "î",
        "ocirc": "ô", "ucirc": "û", "Ecirc": "Ê", "atilde": "ã", "ntilde": "ñ", "otilde": "õ", "Ntilde": "Ñ",
        "aring": "å", "Aring": "Å", "aelig": "æ", "AElig": "Æ", "oslash": "ø", "Oslash": "Ø", "ccedil": "ç",
        "Ccedil": "Ç", "eth": "ð", "thorn": "þ", "oelig": "œ", "OElig": "Œ", "scaron": "š", "Scaron": "Š",
    ]
}
