import InboxLinux

/// A piece of a text with placeholders such as `{year}`.
package enum TemplatePart<Placeholder>: Sendable, Hashable
where Placeholder: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    /// Bytes that are taken as they are; never none.
    case literal([UInt8])
    /// A placeholder, replaced by a value for each document.
    case placeholder(Placeholder)

    /// The bytes that are taken as they are; none of a placeholder.
    package var literalBytes: [UInt8] {
        if case .literal(let bytes) = self { bytes } else { [] }
    }

    /// Takes a text apart.
    /// - Parameter isLenient: leaves braces alone that enclose anything but letters, as the arguments of a command may
    ///   have them.
    /// - Throws: for an unknown placeholder, and for a brace without its other half unless `isLenient`.
    static func parts(of text: some Sequence<UInt8>, isLenient: Bool = false) throws(ValueProblem) -> [TemplatePart] {
        var parts: [TemplatePart] = []
        var literal: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") {
                let word = rest.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
                let isClosed = rest.dropFirst(word.count).first == UInt8(ascii: "}")
                if isLenient, !isClosed || word.isEmpty || !word.allSatisfy(\.isASCIILetter) {
                    literal.append(byte)
                    continue
                }
                guard isClosed else { throw ValueProblem("\(quotedExcerpt(text)) has a \"{\" without its \"}\"") }
                rest = rest.dropFirst(word.count + 1)
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(.placeholder(try placeholder(word)))
            } else if byte == UInt8(ascii: "}"), !isLenient {
                throw ValueProblem("\(quotedExcerpt(text)) has a \"}\" without its \"{\"")
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    private static func placeholder(_ word: ArraySlice<UInt8>) throws(ValueProblem) -> Placeholder {
        let name = EscapedBytes.printable(word.prefix(80))
        if word.count <= 80, let known = Placeholder(rawValue: name) { return known }
        let names = Placeholder.allCases.map(\.rawValue)
        let hint =
            nearest(to: name, among: names).map { "; did you mean {\($0)}?" }
            ?? "; there are " + names.map { "{\($0)}" }.joined(separator: " ")
        throw ValueProblem("{\(name)} is no placeholder\(hint)")
    }
}
