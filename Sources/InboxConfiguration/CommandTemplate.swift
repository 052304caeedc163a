import InboxLinux

/// The `Run=` of a document type: the arguments of a program, never a shell's command line.
package struct CommandTemplate: Sendable, Hashable {
    /// The placeholders, each replaced by a value for every document.
    package enum Placeholder: String, CaseIterable, Sendable {
        /// Where the document is.
        case path
        /// Its name there.
        case name
        /// The folder that it is in.
        case folder
        /// The type's identifier.
        case type
        /// The MIME type; nothing where none is known.
        case mime
        /// The size in bytes.
        case size
        /// The id of its record.
        case id
        /// The name of the document type.
        case documentType
        /// Where it was in the Inbox.
        case source
    }

    /// A piece of an argument.
    package typealias Part = TemplatePart<Placeholder>

    /// The words as they were written, for printing.
    let words: [[UInt8]]
    /// The path of the program.
    package let program: BytePath
    /// The pieces of each argument, the program's path first; an argument without any is empty.
    package let arguments: [[Part]]

    /// Reads a value: words with systemd's quoting.
    init(_ value: [UInt8]) throws(ValueProblem) {
        words = try WordList.split(value)
        guard let first = words.first else { throw ValueProblem("there is no program") }
        program = try WordList.path(word: first)
        guard program.isAbsolute else {
            throw ValueProblem(
                "\(quotedExcerpt(first)) is not an absolute path; there is no shell that would search for it")
        }
        guard words.count <= longestList else { throw ValueProblem("there are more than \(longestList) words") }
        var arguments: [[Part]] = [[.literal(first)]]
        for word in words.dropFirst() {
            guard !word.contains(0) else { throw ValueProblem("\(quotedExcerpt(word)) holds a NUL byte") }
            arguments.append(try Part.parts(of: word, isLenient: true))
        }
        self.arguments = arguments
    }
}

extension ValueFormat where Value == CommandTemplate {
    /// The words of a command.
    static let command = ValueFormat(
        parse: { (bytes: [UInt8]) throws(ValueProblem) -> CommandTemplate in try CommandTemplate(bytes) },
        text: { $0.words.map(WordList.quoted).joined(separator: " ") })
}
