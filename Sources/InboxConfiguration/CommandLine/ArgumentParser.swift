import InboxLinux

/// The parsed words of a command line, in order. Words are bytes: names of files are not text on Linux.
package struct Arguments: Hashable {
    /// An option as it was given.
    package struct Given: Hashable {
        /// The long name.
        package let name: String
        /// Its argument; nil where it takes none.
        package let value: [UInt8]?
    }

    /// The options, in their order.
    package var options: [Given] = []
    /// The words that are not options, in order.
    package var operands: [[UInt8]] = []

    /// Returns whether the option was given.
    package func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    /// The argument of the option; the last one counts where it was given twice.
    package func value(_ name: String) -> [UInt8]? { options.last { $0.name == name }?.value }

    /// All arguments of an option that may be repeated.
    package func values(_ name: String) -> [[UInt8]] { options.filter { $0.name == name }.compactMap(\.value) }

    /// As `value(_:)`, where only text makes sense.
    package func text(_ name: String) throws(CommandFailure) -> String? {
        guard let value = value(name) else { return nil }
        return try Arguments.text(value, of: "option \"--\(name)\"")
    }

    /// The bytes as text, where `place` says in the failure what is not.
    package static func text(_ bytes: [UInt8], of place: String) throws(CommandFailure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(place): \"\(EscapedBytes.printable(bytes))\" is not UTF-8")
        }
        return text
    }
}

/// Takes words apart by the conventions of GNU's getopt_long(3), without its abbreviations.
package struct ArgumentParser {
    private let known: [Option]
    private let program: String
    private var rest: ArraySlice<[UInt8]>
    private var arguments = Arguments()

    private init(_ words: [[UInt8]], _ known: [Option], _ program: String) {
        self.known = known
        self.program = program
        rest = words[...]
    }

    /// Reads all words; options may precede and follow operands, up to a `--`.
    package static func parse(
        _ words: [[UInt8]], _ known: [Option], of program: String
    ) throws(CommandFailure) -> Arguments {
        var parser = ArgumentParser(words, known, program)
        while try parser.step() {}
        return parser.arguments
    }

    /// Reads the options up to the first operand; returns them, and all words from that operand on.
    package static func parseLeading(
        _ words: [[UInt8]], _ known: [Option], of program: String
    ) throws(CommandFailure) -> (leading: Arguments, rest: ArraySlice<[UInt8]>) {
        var parser = ArgumentParser(words, known, program)
        while parser.arguments.operands.isEmpty, try parser.step() {}
        // What is left and the operand before it are the last words.
        return (parser.arguments, words.suffix(parser.arguments.operands.count + parser.rest.count))
    }

    private mutating func step() throws(CommandFailure) -> Bool {
        guard let word = rest.popFirst() else { return false }
        let dash = UInt8(ascii: "-")
        if word == [dash, dash] {
            arguments.operands += rest
            rest = []
        } else if word.starts(with: [dash, dash]) {
            try long(word.dropFirst(2))
        } else if word.first == dash, word.count > 1 {
            for letter in word.dropFirst() { try short(letter) }
        } else {
            arguments.operands.append(word)
        }
        return true
    }

    private mutating func long(_ text: ArraySlice<UInt8>) throws(CommandFailure) {
        let name = EscapedBytes.printable(text.prefix { $0 != UInt8(ascii: "=") })
        guard let option = known.first(where: { $0.name == name }) else {
            throw .usage(
                "unknown option \"--\(name)\": "
                    + suggestion(for: name, among: known.map(\.name), in: program, prefix: "--"))
        }
        let value = text.firstIndex(of: UInt8(ascii: "=")).map { Array(text[($0 + 1)...]) }
        guard let argument = option.argument else {
            guard value == nil || option.optionalArgument != nil else {
                throw .usage("option \"--\(name)\" takes no argument")
            }
            arguments.options.append(.init(name: name, value: value))
            return
        }
        guard let given = value ?? rest.popFirst() else {
            throw .usage("option \"--\(name)\" needs an argument: --\(name)=\(argument)")
        }
        arguments.options.append(.init(name: name, value: given))
    }

    private mutating func short(_ letter: UInt8) throws(CommandFailure) {
        // No short option takes an argument.
        guard let option = known.first(where: { $0.short?.asciiValue == letter }) else {
            throw .usage("unknown option \"-\(EscapedBytes.printable([letter]))\": try \"\(program) --help\"")
        }
        arguments.options.append(.init(name: option.name, value: nil))
    }
}

/// The advice after an unknown name: the one that was probably meant, else where the names are listed.
package func suggestion(for name: String, among known: [String], in program: String, prefix: String = "") -> String {
    let begun = known.filter { !name.isEmpty && $0.hasPrefix(name) }
    let meant = begun.count == 1 ? begun.first : nearest(to: name, among: known)
    return meant.map { "did you mean \"\(prefix)\($0)\"?" } ?? "try \"\(program) --help\""
}
