import InboxCore
import InboxLinux
import InboxVarlink

/// From the words of a command line to a verb and its exit status.
enum Command {
    /// Runs the command line, the program's name left out.
    static func run(
        _ words: [[UInt8]], surroundings: Surroundings, output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let (leading, rest) = try ArgumentParser.parseLeading(words, .common, of: "inboxctl")
        if let information = information(leading, about: nil) {
            try output.write(information)
            return .done
        }
        guard let word = rest.first else { throw .usage("a verb is missing: try \"inboxctl --help\"") }
        guard let verb = Verb.all.first(where: { Array($0.name.utf8) == word }) else {
            let name = printable(word)
            throw .usage(
                "unknown verb \"\(name)\": " + suggestion(for: name, among: Verb.all.map(\.name), in: "inboxctl"))
        }
        var arguments = try ArgumentParser.parse(rest.dropFirst(), verb.options + .common, of: "inboxctl")
        arguments.options = leading.options + arguments.options
        if let information = information(arguments, about: verb) {
            try output.write(information)
            return .done
        }
        let invocation = Invocation(arguments: arguments, surroundings: surroundings, output: output)
        return try verb.run(invocation)
    }

    private static func information(_ arguments: Arguments, about verb: Verb?) -> String? {
        if arguments.has("help") { return verb.map(usage) ?? usage }
        return arguments.has("version") ? "inboxctl \(ServiceInformation.inboxd.version)\n" : nil
    }

    /// The usage text of the whole.
    static var usage: String {
        let verbs = Verb.all.map { ($0.name + ($0.operands.isEmpty ? "" : " ") + $0.operands, $0.summary) }
        return "Usage: inboxctl [OPTION…] VERB [ARGUMENT…]\n"
            + "Asks inboxd, the daemon that files what is dropped into an Inbox.\n\n"
            + section("Verbs", verbs) + "\n" + section("Options", [Option].common.map { ($0.synopsis, $0.help) })
            + "\n\"inboxctl VERB --help\" tells the options of a verb; inboxctl(1) tells the rest.\n"
    }

    private static func usage(of verb: Verb) -> String {
        "Usage: inboxctl \(verb.name) [OPTION…]" + (verb.operands.isEmpty ? "" : " ") + verb.operands + "\n"
            + "\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).\n\n"
            + section("Options", (verb.options + .common).map { ($0.synopsis, $0.help) })
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return title + ":\n" + rows.map { "  " + $0.padded(to: width) + "  " + $1 + "\n" }.joined()
    }
}
