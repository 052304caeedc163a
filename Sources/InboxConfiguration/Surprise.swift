import InboxLinux

/// A value that says something else than its writer probably meant. Quotes show that it is meant.
enum Surprise {
    /// Keys whose value is text for people, where a # needs no quotes.
    private static let textKeys: Set = ["Description"]
    /// Keys whose words are paths.
    private static let pathKeys: Set = ["Documents", "Inbox", "Socket", "Declarations", "Destination"]
    /// Keys whose whole value is one path.
    private static let onePathKeys: Set = ["Documents", "Socket", "Destination"]

    /// Why a value is refused: files would go to a folder that nobody has in mind.
    static func refusal(of entry: ParsedEntry) -> ValueProblem? {
        let words = unquotedWords(entry.value)
        let isText = textKeys.contains(entry.key)
        if !isText, words.contains(where: { $0.first == UInt8(ascii: "#") && $0.startIndex > entry.value.startIndex }) {
            return ValueProblem(
                "\(entry.key): \(quotedExcerpt(entry.value)) has \" #\" in it: a comment needs a line of its own; "
                    + "quote what begins with # if it is part of the value")
        }
        guard pathKeys.contains(entry.key), let specifier = words.first(where: isSpecifier) else { return nil }
        return ValueProblem(
            "\(entry.key): \(quotedExcerpt(specifier)): the specifiers of systemd.unit(5) are not expanded here; "
                + "write ~ or the path in full, or quote a name that begins with %")
    }

    /// What is accepted, but may not be what was meant.
    static func notice(of entry: ParsedEntry) -> String? {
        let words = unquotedWords(entry.value)
        guard words.count > 1, pathKeys.contains(entry.key) else { return nil }
        if onePathKeys.contains(entry.key) {
            return "\(entry.key): the whole of \(quotedExcerpt(entry.value)) is one path; quote it to say so"
        }
        let isAbsolute = words.map { $0.first == UInt8(ascii: "/") || $0.first == UInt8(ascii: "~") }
        let follows = zip(isAbsolute, isAbsolute.dropFirst()).contains { $0 && !$1 }
        guard follows else { return nil }
        return "\(entry.key): \(quotedExcerpt(entry.value)) is \(words.count) paths; quote it if it is one with blanks"
    }

    /// The words of a value, less those that a quote or a backslash has a part in.
    private static func unquotedWords(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
        var words: [ArraySlice<UInt8>] = []
        var quote: UInt8?
        var start = value.startIndex
        var isPlain = true
        var isEscaped = false
        for index in value.indices {
            let byte = value[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                isPlain = false
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isPlain = false
            } else if quote == nil, isBlank(byte) {
                if isPlain, start < index { words.append(value[start..<index]) }
                start = index + 1
                isPlain = true
            }
        }
        if isPlain, start < value.endIndex { words.append(value[start...]) }
        return words
    }

    /// `%` and a letter: `%h`, `%S`.
    private static func isSpecifier(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 2, word.first == UInt8(ascii: "%") else { return false }
        let letter = word[word.startIndex + 1] | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    }
}
