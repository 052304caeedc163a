import InboxConfiguration
import InboxLinux

/// The requests of the command line.
struct Options {
    static let known: [Option] = [
        Option(name: "json", help: "print one JSON object a line"),
        Option(name: "quick", help: "do a small part of the work: seconds, and figures that mean little"),
        Option(name: "keep", help: "leave the work folders behind, and print where they are"),
        Option(name: "help", short: "h", help: "print this text"),
    ]

    /// The subjects to measure, in the order of the catalogue.
    let subjects: [any Subject]
    let isJSON: Bool
    let isQuick: Bool
    let keepsFolders: Bool
    /// Nothing is measured, and the usage is printed.
    let wantsHelp: Bool

    init(_ words: some Sequence<[UInt8]>, subjects all: [any Subject]) throws(CommandFailure) {
        let arguments = try ArgumentParser.parse(Array(words), Self.known, of: "inbox-bench")
        var wanted: Set<String> = []
        for operand in arguments.operands {
            let name = EscapedBytes.printable(operand)
            guard all.contains(where: { $0.name == name }) else {
                let advice = suggestion(for: name, among: all.map(\.name), in: "inbox-bench")
                throw .usage("unknown benchmark \"\(name)\": \(advice)")
            }
            wanted.insert(name)
        }
        subjects = all.filter { wanted.isEmpty || wanted.contains($0.name) }
        isJSON = arguments.has("json")
        isQuick = arguments.has("quick")
        keepsFolders = arguments.has("keep")
        wantsHelp = arguments.has("help")
    }

    /// The usage text.
    static func usage(_ subjects: [any Subject]) -> String {
        let width = (known.map(\.synopsis.count) + subjects.map(\.name.count)).max() ?? 0
        func line(_ name: String, _ help: String) -> String { "  \(name.padded(to: width))  \(help)\n" }
        return "Usage: inbox-bench [OPTION…] [NAME…]\n"
            + "Measures the inboxd beside this program, each figure beside its floor: the same system calls, bare.\n"
            + "\nOptions:\n" + known.map { line($0.synopsis, $0.help) }.joined()
            + "\nBenchmarks (all of them where none is named):\n" + subjects.map { line($0.name, $0.what) }.joined()
    }
}
