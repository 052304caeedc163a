import InboxLinux

/// The `Name=` of a document type: a name without its extension, with placeholders.
package struct NameTemplate: Sendable, Hashable {
    /// As it was written, for printing.
    package let text: [UInt8]
    /// Its pieces.
    package let pieces: [TemplatePiece]

    /// Reads a value.
    init(_ value: [UInt8]) throws(ValueProblem) {
        let value = try WordList.single(value)
        text = value
        guard !value.contains(0) else { throw ValueProblem("\(quotedExcerpt(value)) holds a NUL byte") }
        pieces = try TemplatePiece.pieces(of: value)
        for piece in pieces {
            if case .literal(let bytes) = piece, bytes.contains(UInt8(ascii: "/")) {
                throw ValueProblem("\(quotedExcerpt(value)) has a \"/\"; a folder belongs into Destination=")
            }
            if piece.has(.folder) {
                throw ValueProblem("{folder} may be several names; it belongs into Destination=")
            }
        }
    }
}

extension ValueFormat where Value == NameTemplate {
    /// A name with placeholders.
    static let nameTemplate = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> NameTemplate in try NameTemplate(bytes) },
        text: { WordList.quoted($0.text) })
}
