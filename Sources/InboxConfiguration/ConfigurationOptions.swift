import InboxLinux

/// The command line's part of the configuration; bytes, since paths need not be UTF-8.
package struct ConfigurationOptions: Sendable {
    /// `--config FILE`: read instead of the standard places.
    package var file: [UInt8]?
    /// `--documents DIR`, relative to the working directory.
    package var documents: [UInt8]?
    /// Each `--inbox DIR`, relative to Documents; any of them replaces the list.
    package var inboxes: [[UInt8]] = []
    /// `--state DIR`, relative to the working directory.
    package var state: [UInt8]?
    /// `--socket PATH`, relative to the working directory.
    package var socket: [UInt8]?
    /// Each `--set SECTION.KEY=VALUE`: read like a line after those of all files. So `Inbox.KEY` is still overridden
    /// by an `[Inbox PATH]` of a file, which `Inbox PATH.KEY` overrides.
    package var assignments: [[UInt8]] = []

    /// Nothing was said.
    package init() {}

    /// Takes the argument of a `--set` apart. The section may have an argument (`Inbox /srv/in.box.Settle=0`): the key
    /// is the text between a dot and the first `=` with nothing but letters and digits between.
    package static func section(ofAssignment text: [UInt8]) throws(ValueProblem) -> ParsedSection {
        for equals in text.indices where text[equals] == UInt8(ascii: "=") {
            guard let dot = text[..<equals].lastIndex(of: UInt8(ascii: ".")) else { continue }
            let key = text[(dot + 1)..<equals].trimmingBlanks()
            let header = text[..<dot].trimmingBlanks()
            guard !key.isEmpty, !header.isEmpty, key.allSatisfy(isLetterOrDigit) else { continue }
            let name = header.prefix { !isBlank($0) }
            let argument = header.dropFirst(name.count).trimmingBlanks()
            guard !text.contains(0) else { break }
            let value = Array(text[(equals + 1)...].trimmingBlanks())
            return ParsedSection(
                name: EscapedBytes.printable(name), argument: argument.isEmpty ? nil : Array(argument),
                origin: .commandLine,
                entries: [
                    ParsedEntry(
                        key: String(decoding: key, as: UTF8.self), value: value, origin: .commandLine)
                ])
        }
        throw ValueProblem("\(quotedExcerpt(text)) is not SECTION.KEY=VALUE, such as Inbox.Settle=0")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
