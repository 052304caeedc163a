import InboxLinux

/// Lists of words, separated by blanks, with systemd's quoting.
package enum WordList {
    /// Splits a value into its words.
    ///
    /// As systemd's `extract_first_word` does for command lines: single and double quotes group, in the middle of a
    /// word too, and are dropped; C escapes count inside and outside of both (`\x41`, `\040`, `\u00e9`, `\s`, `\"`…).
    /// - Throws: for a quote that is never closed and for an escape that is unknown, cut off or means NUL.
    package static func split(_ value: [UInt8]) throws(ValueProblem) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        // A pair of quotes with nothing inside is a word too.
        var hasWord = false
        var quote: UInt8?
        var rest = value[...]
        while let byte = rest.popFirst() {
            if quote == nil, isBlank(byte) {
                if hasWord { words.append(word) }
                word = []
                hasWord = false
                continue
            }
            hasWord = true
            if byte == UInt8(ascii: "\\") {
                word += try CharacterEscape.decode(from: &rest)
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                word.append(byte)
            }
        }
        if let quote { throw ValueProblem("a quote (\(Unicode.Scalar(quote))) is never closed") }
        if hasWord { words.append(word) }
        return words
    }

    /// A value that is one thing, such as a path: taken as it is, blanks and all, unless it begins with a quote; then
    /// it is one quoted word.
    package static func single(_ value: [UInt8]) throws(ValueProblem) -> [UInt8] {
        guard value.first == UInt8(ascii: "\"") || value.first == UInt8(ascii: "'") else { return value }
        let words = try split(value)
        guard words.count == 1, let word = words.first else {
            throw ValueProblem("something follows the closing quote in \(quotedExcerpt(value))")
        }
        return word
    }

    /// A value that is a path, as ``single(_:)``.
    static func path(_ value: [UInt8]) throws(ValueProblem) -> BytePath { try path(word: try single(value)) }

    /// The path that a word is.
    static func path(word: [UInt8]) throws(ValueProblem) -> BytePath {
        guard let path = BytePath(bytes: word) else { throw ValueProblem("\(quotedExcerpt(word)) holds a NUL byte") }
        return path
    }

    /// A word in the form that ``split(_:)`` and ``single(_:)`` give back as the same bytes: as it is where that is
    /// possible, else in double quotes. The text is valid UTF-8 on one line, whatever the bytes. What looks like a
    /// comment or a specifier of systemd is quoted too, since ``Surprise`` refuses it elsewhere.
    package static func quoted(_ word: [UInt8]) -> String {
        let text = EscapedBytes.printable(word)
        let isPlain =
            !word.isEmpty && text.utf8.elementsEqual(word)
            && !word.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || isBlank($0) }
            && word.first != UInt8(ascii: "#") && word.first != UInt8(ascii: "%")
        if isPlain { return text }
        // By bytes: a quote that an accent follows is no character of its own.
        let quote = UInt8(ascii: "\"")
        let inside = text.utf8.flatMap { $0 == quote ? [UInt8(ascii: "\\"), quote] : [$0] }
        return String(decoding: [quote] + inside + [quote], as: UTF8.self)
    }
}
