import InboxLinux

/// One `Key=Value` line.
package struct ParsedEntry: Hashable, Sendable {
    /// The key; bytes that are no text are escaped, so that such a key is merely unknown.
    package let key: String
    /// The value, byte for byte, without the blanks around it.
    package let value: [UInt8]
    /// Its place: the first line where it spans several.
    package let origin: ConfigurationOrigin
}

/// One section header and the entries below it.
package struct ParsedSection: Hashable, Sendable {
    /// The first word of the header.
    package let name: String
    /// The rest of the header: `[Name ARGUMENT]`; nil for `[Name]`.
    package let argument: [UInt8]?
    /// The header's place.
    package let origin: ConfigurationOrigin
    /// The assignments, in order.
    package internal(set) var entries: [ParsedEntry] = []
}

/// The content of a file: its sections in order, and everything that could not be understood.
package struct ParsedConfiguration: Hashable, Sendable {
    /// Repeated headers give repeated sections.
    package internal(set) var sections: [ParsedSection] = []
    /// Every problem, in the order of the lines.
    package internal(set) var problems: [ConfigurationProblem] = []
}

/// Reads systemd.syntax(7) from bytes.
///
/// As systemd does: `#` and `;` start a whole-line comment, between continuation lines too; a trailing backslash joins
/// the next line with a space; CRLF and a byte order mark are tolerated. Beyond it: a header may carry an argument,
/// values need not be UTF-8 and NUL is refused. Nothing stops before ``ConfigurationProblem/most`` problems.
package struct ConfigurationParser {
    /// Bytes: the longest line allowed, its continuations included (systemd's `LONG_LINE_MAX`).
    package static let longestLine = 1 << 20

    private struct LogicalLine {
        var bytes: [UInt8] = []
        let number: Int
        var isRefused = false
    }

    private let label: String
    private var result = ParsedConfiguration()
    /// After a header that could not be read its assignments belong nowhere; one complaint is enough.
    private var skipsEntries = false

    private init(label: String) {
        self.label = label
    }

    /// Parses the content of one file.
    /// - Parameters:
    ///   - bytes: the whole content.
    ///   - label: the file's name in problems and origins.
    package static func parse(_ bytes: [UInt8], label: String) -> ParsedConfiguration {
        var parser = ConfigurationParser(label: label)
        parser.read(bytes)
        return parser.result
    }

    private mutating func read(_ bytes: [UInt8]) {
        var rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest.removeFirst(3) }
        var number = 0
        var pending: LogicalLine?
        while !rest.isEmpty, result.problems.count < ConfigurationProblem.most {
            let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
            var line = rest[..<end]
            rest = rest[end...].dropFirst()
            number += 1
            if line.last == 0x0d { line.removeLast() }
            let firstByte = line.first { !isBlank($0) }
            if firstByte == UInt8(ascii: "#") || firstByte == UInt8(ascii: ";") { continue }

            // Taken, not copied: a million continuations would cost the square.
            var logical = pending.take() ?? LogicalLine(number: number)
            // An even number of backslashes at the end is escaped ones, no continuation.
            let continues = line.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
            append(continues ? line.dropLast() + [0x20] : line, to: &logical, at: number)
            if continues {
                pending = consume logical
            } else {
                finish(logical)
            }
        }
        if let pending { finish(pending) }
    }

    private mutating func append(_ line: ArraySlice<UInt8>, to logical: inout LogicalLine, at number: Int) {
        guard !logical.isRefused else { return }
        if line.count > Self.longestLine - logical.bytes.count {
            complain(number, "the line is longer than \(Self.longestLine) bytes")
            logical.isRefused = true
        } else if line.contains(0) {
            complain(number, "the line holds a NUL byte: remove it, or save the file as UTF-8 if it is UTF-16")
            logical.isRefused = true
        } else {
            logical.bytes += line
        }
    }

    private mutating func finish(_ logical: LogicalLine) {
        guard !logical.isRefused else { return }
        let line = logical.bytes.trimmingBlanks()
        guard let first = line.first else { return }
        if first == UInt8(ascii: "[") {
            beginSection(line, at: logical.number)
        } else {
            addEntry(line, at: logical.number)
        }
    }

    private mutating func beginSection(_ line: ArraySlice<UInt8>, at number: Int) {
        let inside = line.dropFirst().dropLast().trimmingBlanks()
        let name = inside.prefix { !isBlank($0) }
        guard line.last == UInt8(ascii: "]"), !name.isEmpty else {
            skipsEntries = true
            return complain(number, "\(quotedExcerpt(line)) is not a section header, such as [Inbox]")
        }
        skipsEntries = false
        let argument = inside.dropFirst(name.count).trimmingBlanks()
        result.sections.append(
            ParsedSection(
                name: EscapedBytes.printable(name), argument: argument.isEmpty ? nil : Array(argument),
                origin: .file(label, line: number)))
    }

    private mutating func addEntry(_ line: ArraySlice<UInt8>, at number: Int) {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
            return complain(number, "\(quotedExcerpt(line)) has no \"=\"")
        }
        let key = line[..<equals].trimmingBlanks()
        guard !key.isEmpty else { return complain(number, "there is no key before the \"=\"") }
        guard !skipsEntries else { return }
        guard !result.sections.isEmpty else {
            return complain(number, "\(quotedExcerpt(key)) is before the first section header")
        }
        result.sections[result.sections.count - 1].entries.append(
            ParsedEntry(
                key: EscapedBytes.printable(key), value: Array(line[(equals + 1)...].trimmingBlanks()),
                origin: .file(label, line: number)))
    }

    private mutating func complain(_ number: Int, _ text: String) {
        result.problems.append(ConfigurationProblem(.file(label, line: number), text))
    }
}
