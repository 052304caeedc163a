import InboxLinux

/// The values that a template inserts for each document, apart from captures and annotations.
package enum TemplatePlaceholder: String, CaseIterable, Sendable {
    case year, month, day, hour, minute, second, date, time
    /// The name without its extension.
    case name
    /// The extension of the document's name, without a dot.
    case `extension`
    /// The folder inside the Inbox; the only one that may become several components.
    case folder
    /// The Inbox's own name.
    case inbox
    /// The type's identifier.
    case type
    /// The name of the document type.
    case documentType
    case title, author
    /// The host that the document came from.
    case origin
    case application

    /// It is a part of the document's date.
    package var isDate: Bool {
        switch self {
        case .year, .month, .day, .hour, .minute, .second, .date, .time: true
        default: false
        }
    }

    /// Every document has a value for it.
    var isCertain: Bool {
        switch self {
        case .title, .author, .origin, .application: false
        default: true
        }
    }
}

/// A piece of a text with placeholders: `Destination=` and `Name=` consist of these.
package enum TemplatePiece: Sendable, Hashable {
    /// The source of a value.
    package enum Source: Sendable, Hashable {
        case placeholder(TemplatePlaceholder)
        /// A capture of `Pattern=`.
        case capture(String)
        /// The annotation of this key.
        case annotation(String)
        /// The fact of this key, which a check has said.
        case fact(String)
        /// Itself.
        case text([UInt8])
    }

    /// The letters that a value gets.
    package enum Letters: String, CaseIterable, Sendable {
        case lower, upper
    }

    /// One of several values.
    package struct Alternative: Sendable, Hashable {
        package let source: Source
        /// Nil leaves the letters as they are.
        package let letters: Letters?
    }

    /// Bytes that are taken as they are; never none.
    case literal([UInt8])
    /// The first of these that has a value.
    case value([Alternative])

    /// Takes a text apart: `{a|b|"text"}`, `{a:lower}`; `{{` and `}}` are braces.
    static func pieces(of text: [UInt8]) throws(ValueProblem) -> [TemplatePiece] {
        var pieces: [TemplatePiece] = []
        var literal: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), rest.first == byte {
                rest.removeFirst()
                literal.append(byte)
            } else if byte == UInt8(ascii: "}") {
                throw ValueProblem("\(quotedExcerpt(text)) has a \"}\" without its \"{\"")
            } else if byte == UInt8(ascii: "{") {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                guard let alternatives = try alternatives(&rest) else {
                    throw ValueProblem("\(quotedExcerpt(text)) has a \"{\" without its \"}\"")
                }
                pieces.append(.value(alternatives))
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }

    /// The alternatives up to the closing brace; nil where there is none.
    private static func alternatives(_ rest: inout ArraySlice<UInt8>) throws(ValueProblem) -> [Alternative]? {
        var found: [Alternative] = []
        while true {
            let word: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
                found.append(Alternative(source: .text(Array(rest[..<end])), letters: nil))
                rest = rest[(end + 1)...]
                word = rest.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "}") }
                guard word.isEmpty else {
                    throw ValueProblem("\(quotedExcerpt(word)) follows a quoted text of a placeholder")
                }
            } else {
                word = rest.prefix { !"|{}".utf8.contains($0) }
                rest = rest.dropFirst(word.count)
                guard rest.first == UInt8(ascii: "|") || rest.first == UInt8(ascii: "}") else { return nil }
                found.append(try alternative(word))
            }
            guard let end = rest.popFirst() else { return nil }
            if end == UInt8(ascii: "}") { return found }
        }
    }

    private static func alternative(_ word: ArraySlice<UInt8>) throws(ValueProblem) -> Alternative {
        let shown = EscapedBytes.printable(word.prefix(80))
        let words = shown.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = words[0]
        var letters: Letters?
        if words.count == 2 {
            letters = Letters(rawValue: words[1])
            guard letters != nil else { throw ValueProblem("{\(shown)}: only :lower and :upper may follow a name") }
        }
        if let known = TemplatePlaceholder(rawValue: name) {
            return Alternative(source: .placeholder(known), letters: letters)
        }
        if name.hasPrefix("annotation."), Annotations.isKey(String(name.dropFirst(11))) {
            return Alternative(source: .annotation(String(name.dropFirst(11))), letters: letters)
        }
        if name.hasPrefix("fact."), Annotations.isKey(String(name.dropFirst(5))) {
            return Alternative(source: .fact(String(name.dropFirst(5))), letters: letters)
        }
        guard word.count <= 80, let first = name.utf8.first, first.isASCIILetter, Annotations.isKey(name) else {
            throw ValueProblem("{\(shown)} is no placeholder\(hint(for: name, besides: []))")
        }
        return Alternative(source: .capture(name), letters: letters)
    }

    /// The nearest placeholder, or all of them.
    static func hint(for name: String, besides captures: [String]) -> String {
        let names = TemplatePlaceholder.allCases.map(\.rawValue) + captures
        return nearest(to: name, among: names).map { "; did you mean {\($0)}?" }
            ?? "; there are " + (names + ["annotation.KEY", "fact.KEY"]).map { "{\($0)}" }.joined(separator: " ")
    }

    /// The values that are taken for it, the first that exists.
    package var alternatives: [Alternative] {
        if case .value(let alternatives) = self { return alternatives }
        return []
    }

    /// Returns whether one of the values is taken from this placeholder.
    package func has(_ placeholder: TemplatePlaceholder) -> Bool {
        alternatives.contains { $0.source == .placeholder(placeholder) }
    }
}

extension TemplatePiece.Alternative: CustomStringConvertible {
    /// As it is written.
    package var description: String {
        let suffix = letters.map { ":\($0.rawValue)" } ?? ""
        switch source {
        case .placeholder(let placeholder): return placeholder.rawValue + suffix
        case .capture(let name): return name + suffix
        case .annotation(let key): return "annotation.\(key)" + suffix
        case .fact(let key): return "fact.\(key)" + suffix
        case .text(let bytes): return "\"\(EscapedBytes.printable(bytes))\""
        }
    }
}
