import InboxLinux

/// The `Pattern=` of a document type: a glob for the name without its extension, with captures such as `{customer}` and
/// `{number:digits}`.
package struct NamePattern: Sendable, Hashable {
    /// The characters that a capture may consist of.
    enum Kind: String, CaseIterable {
        case digits, letters, word

        func accepts(_ character: Character) -> Bool {
            switch self {
            case .digits: character.isASCII && character.isNumber
            case .letters: character.isLetter
            case .word: !character.isWhitespace
            }
        }
    }

    private enum Part: Hashable {
        case step(GlobStep<Character>)
        case capture(String, Kind?)
    }

    /// As it was written.
    package let text: [UInt8]
    private let parts: [Part]

    /// The names of the captures.
    package var captures: [String] {
        parts.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
    }

    /// Reads a value.
    init(_ value: [UInt8]) throws(ValueProblem) {
        text = try WordList.single(value)
        guard let pattern = String(validating: text, as: UTF8.self) else {
            throw ValueProblem("\(quotedExcerpt(text)) is not UTF-8")
        }
        var parts: [Part] = []
        var names: Set<String> = []
        var literal: [Character] = []
        func flush() {
            parts += GlobSteps(literal[...], ignoringCase: true).steps.map { .step($0) }
            literal = []
        }
        var rest = Array(pattern)[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst() {
                literal += [character, next]
            } else if (character == "{" || character == "}") && rest.first == character {
                rest.removeFirst()
                literal.append(character)
            } else if character == "}" {
                throw ValueProblem("\(quotedExcerpt(text)) has a \"}\" without its \"{\"")
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    throw ValueProblem("\(quotedExcerpt(text)) has a \"{\" without its \"}\"")
                }
                flush()
                let (name, kind) = try Self.capture(String(rest[..<end]))
                guard names.insert(name).inserted else { throw ValueProblem("there are two captures {\(name)}") }
                parts.append(.capture(name, kind))
                rest = rest[(end + 1)...]
            } else {
                literal.append(character)
            }
        }
        flush()
        guard parts.count <= 255 else { throw ValueProblem("\(quotedExcerpt(text)) is longer than any name") }
        self.parts = parts
    }

    private static func capture(_ text: String) throws(ValueProblem) -> (String, Kind?) {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = words[0]
        let shown = EscapedBytes.printable(text.utf8.prefix(80))
        guard let first = name.utf8.first, first.isASCIILetter, name.utf8.count <= 64, Annotations.isKey(name) else {
            throw ValueProblem("{\(shown)} is no capture: its name is a letter, then letters, digits and _")
        }
        guard TemplatePlaceholder(rawValue: name) == nil else {
            throw ValueProblem("{\(shown)} is a placeholder already; give the capture another name")
        }
        guard words.count == 2 else { return (name, nil) }
        if let kind = Kind(rawValue: words[1]) { return (name, kind) }
        let hint = nearest(to: words[1], among: Kind.allCases.map(\.rawValue)).map { "; did you mean :\($0)?" } ?? ""
        throw ValueProblem("{\(shown)}: a capture may be :digits, :letters or :word\(hint)")
    }

    /// Returns whether the pattern matches the name without its extension.
    package func matches(_ stem: some Collection<UInt8>) -> Bool {
        let characters = Self.characters(stem)
        return possible(characters.map(\.folded), characters).first == true
    }

    /// Returns the captures in a name without its extension, in the name's own case; nil if the name does not match.
    package func captures(in stem: some Collection<UInt8>) -> [String: [UInt8]]? {
        let characters = Self.characters(stem)
        let width = characters.count + 1
        let possible = possible(characters.map(\.folded), characters)
        guard possible.first == true else { return nil }
        var found: [String: [UInt8]] = [:]
        var place = 0
        for (index, part) in parts.enumerated() {
            let next = (index + 1) * width
            switch part {
            case .step(.run):
                while !possible[next + place] { place += 1 }
            case .step: place += 1
            case .capture(let name, let kind):
                let start = place
                if let kind {
                    while place < characters.count, kind.accepts(characters[place]) { place += 1 }
                } else {
                    place += 1
                    while !possible[next + place] { place += 1 }
                }
                found[name] = characters[start..<place].flatMap(Self.bytes)
            }
        }
        return found
    }

    /// For each part and each place in the name, one row after the other: whether the part and those after it match the
    /// rest of the name. Found from the end, so that the time is in proportion to the name's length.
    private func possible(_ folded: [Character], _ characters: [Character]) -> [Bool] {
        let count = folded.count
        let width = count + 1
        let matcher = GlobSteps<Character>([], ignoringCase: true)
        var possible = [Bool](repeating: false, count: (parts.count + 1) * width)
        possible[parts.count * width + count] = true
        for index in parts.indices.reversed() {
            let (row, next) = (index * width, (index + 1) * width)
            /// The parts after this one match from this place or a later one.
            var isLater = false
            /// Where the run of characters that begins at this place ends.
            var end = count
            for place in (0...count).reversed() {
                switch parts[index] {
                case .step(.run):
                    isLater = isLater || possible[next + place]
                    possible[row + place] = isLater
                case .step(let step):
                    possible[row + place] =
                        place < count && matcher.accepts(step, folded[place]) && possible[next + place + 1]
                case .capture(_, nil):
                    possible[row + place] = isLater
                    isLater = isLater || possible[next + place]
                case .capture(_, let kind?):
                    guard place < count, kind.accepts(characters[place]) else {
                        end = place
                        continue
                    }
                    possible[row + place] = possible[next + end]
                }
            }
        }
        return possible
    }

    /// Of a name that is no UTF-8 each byte counts as a character.
    private static func characters(_ bytes: some Collection<UInt8>) -> [Character] {
        if let text = String(validating: bytes, as: UTF8.self) { return Array(text) }
        return bytes.map { $0 < 0x80 ? Character(Unicode.Scalar($0)) : raw($0) }
    }

    /// A character of a plane that nobody uses, for a byte that is no UTF-8.
    private static func raw(_ byte: UInt8) -> Character {
        Character(Unicode.Scalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}")
    }

    private static func bytes(of character: Character) -> [UInt8] {
        if let scalar = character.unicodeScalars.first, scalar.value >= 0x10FF80, scalar.value <= 0x10FFFF {
            return [UInt8(truncatingIfNeeded: scalar.value)]
        }
        return Array(character.utf8)
    }
}

extension ValueFormat where Value == NamePattern {
    /// A glob with captures.
    static let namePattern = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> NamePattern in try NamePattern(bytes) },
        text: { WordList.quoted($0.text) })
}
