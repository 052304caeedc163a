import InboxLinux

/// The name of a file beside a document: the `Ready=` of an Inbox, which says that the document is complete, or a word of the
/// `Companions=` of a document type.
///
/// Either the document's name is a part of it, so that each document has a file of its own (`{name}.done`), or its name
/// without extension (`{stem}.ok`), or it is one name for all that lies in a folder.
package struct MarkerTemplate: Sendable, Hashable {
    /// The part of a document's name that a marker's name contains.
    package enum Subject: Sendable, Hashable {
        /// The whole name.
        case name
        /// The name without its extension.
        case stem
        /// Nothing: it is one for all of a folder.
        case folder
    }

    /// As it was written, for printing.
    package let text: [UInt8]
    /// The part of the document's name that it contains.
    package let subject: Subject
    /// The bytes before that part; the whole name where there is none.
    package let prefix: [UInt8]
    /// The bytes after that part.
    package let suffix: [UInt8]

    /// Reads a value.
    init(_ value: [UInt8]) throws(ValueProblem) { try self.init(word: WordList.single(value)) }

    /// Reads a word.
    package init(word: [UInt8]) throws(ValueProblem) {
        text = word
        var (prefix, suffix, subject) = ([UInt8](), [UInt8](), Subject.folder)
        for piece in try TemplatePiece.pieces(of: text) {
            switch piece {
            case .literal(let bytes):
                guard !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
                    throw ValueProblem("\(quotedExcerpt(text)) is no name: the file lies beside its document")
                }
                if subject == .folder { prefix += bytes } else { suffix += bytes }
            case .value(let alternatives):
                guard subject == .folder, alternatives.count == 1, let found = Self.subject(of: alternatives[0]) else {
                    throw ValueProblem(
                        "\(quotedExcerpt(text)): the name has {name} or {stem} in it, once, or neither")
                }
                subject = found
            }
        }
        guard !prefix.isEmpty || !suffix.isEmpty else {
            throw ValueProblem("\(quotedExcerpt(text)) is the document's own name: write {name}.done, for one")
        }
        guard FileName(prefix + suffix) != nil || subject != .folder else {
            throw ValueProblem("\(quotedExcerpt(text)) is no name of a file")
        }
        (self.prefix, self.suffix, self.subject) = (prefix, suffix, subject)
    }

    private static func subject(of alternative: TemplatePiece.Alternative) -> Subject? {
        guard alternative.letters == nil else { return nil }
        return switch alternative.source {
        case .placeholder(.name): .name
        case .capture("stem"): .stem
        default: nil
        }
    }

    /// Returns whether a file of this name is one that is meant.
    package func fits(_ name: FileName) -> Bool {
        subject == .folder ? name.bytes.elementsEqual(prefix) : part(of: name) != nil
    }

    /// Returns what such a name says of the document's: the name, or the name without its extension; nil for other names.
    package func part(of name: FileName) -> ArraySlice<UInt8>? {
        guard subject != .folder, name.count > prefix.count + suffix.count, name.bytes.starts(with: prefix),
            name.bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        return name.bytes.dropFirst(prefix.count).dropLast(suffix.count)
    }
}

extension ValueFormat where Value == MarkerTemplate {
    /// A marker's name with a placeholder.
    static let marker = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> MarkerTemplate in try MarkerTemplate(bytes) },
        text: { WordList.quoted($0.text) })
}
