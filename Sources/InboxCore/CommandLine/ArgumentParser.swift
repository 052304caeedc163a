import InboxLinux

/// What a command line says, in its order. Words are bytes: names of files are not text on Linux.
public struct Arguments: Hashable {
    /// An option as it was given.
    public struct Given: Hashable {
        /// The long name.
        public let name: String
        /// Its argument; nil where it takes none.
        public let value: [UInt8]?
    }

    /// The options, in their order.
    public var options: [Given] = []
    /// What is no option, in its order.
    public var operands: [[UInt8]] = []

    /// Whether the option was given.
    public func has(_ name: String) -> Bool { options.contains { $0.name == name } }

    /// The argument of the option; the last one counts where it was given twice.
    public func value(_ name: String) -> [UInt8]? { options.last { $0.name == name }?.value }

    /// All arguments of an option that may be repeated.
    public func values(_ name: String) -> [[UInt8]] { options.filter { $0.name == name }.compactMap(\.value) }

    /// As `value(_:)`, where only text makes sense.
    public func text(_ name: String) throws(CommandFailure) -> String? {
        guard let value = value(name) else { return nil }
        return try Arguments.text(value, of: "option \"--\(name)\"")
    }

    /// The bytes as text, where `place` says in the failure what is not.
    public static func text(_ bytes: [UInt8], of place: String) throws(CommandFailure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(place): \"\(EscapedBytes.printable(bytes))\" is not UTF-8")
        }
        return text
    }
}

/// Takes words apart by the conventions of GNU's getopt_long(3), without its abbreviations.
public struct ArgumentParser {
    private let known: [Option]
    private let program: String
    private var rest: ArraySlice<[UInt8]>
    private var arguments = Arguments()

    private init(_ words: some Sequence<[UInt8]>, _ known: [Option], _ program: String) {
        self.known = known
        self.program = program
        rest = Array(words)[...]
    }

    /// Reads all words; options may stand before and behind operands, up to a `--`.
    public static func parse(
        _ words: some Sequence<[UInt8]>, _ known: [Option], of program: String
    ) throws(CommandFailure) -> Arguments {
        var parser = ArgumentParser(words, known, program)
        while try parser.step() {}
        return parser.arguments
    }

    /// Reads the options up to the first operand; answers them, and all words from that operand on.
    public static func parseLeading(
        _ words: some Sequence<[UInt8]>, _ known: [Option], of program: String
    ) throws(CommandFailure) -> (leading: Arguments, rest: ArraySlice<[UInt8]>) {
        var parser = ArgumentParser(words, known, program)
        while parser.arguments.operands.isEmpty, try parser.step() {}
        return (parser.arguments, parser.arguments.operands + parser.rest)
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
            guard value == nil else { throw .usage("option \"--\(name)\" takes no argument") }
            arguments.options.append(.init(name: name, value: nil))
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

/// What to say behind an unknown name: the one that was probably meant, else where the names are listed.
public func suggestion(for name: String, among known: [String], in program: String, prefix: String = "") -> String {
    let begun = known.filter { !name.isEmpty && $0.hasPrefix(name) }
    let meant = begun.count == 1 ? begun.first : nearest(to: name, among: known)
    return meant.map { "did you mean \"\(prefix)\($0)\"?" } ?? "try \"\(program) --help\""
}
