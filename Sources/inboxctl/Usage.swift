import InboxConfiguration
import InboxVarlink

/// The usage texts.
enum Usage {
    /// Of the whole program.
    static var whole: String {
        "Usage: inboxctl [OPTION…] VERB [ARGUMENT…]\n"
            + "Asks inboxd, the daemon that files what is dropped into an Inbox.\n\n"
            + section("Verbs", Verb.all.map { ($0.synopsis, $0.summary) }) + "\n"
            + section("Options", [Option].common.map { ($0.synopsis, $0.help) })
            + "\n\"inboxctl help VERB\" lists the options of a verb; inboxctl(1) describes everything.\n"
    }

    /// Of one verb.
    static func of(_ verb: Verb) -> String {
        "Usage: inboxctl \(verb.name) [OPTION…]" + verb.synopsis.dropFirst(verb.name.count) + "\n"
            + "\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).\n\n"
            + section("Options", (verb.options + .common).map { ($0.synopsis, $0.help) })
            + "\n" + (verb.examples.count == 1 ? "Example" : "Examples") + ":\n"
            + verb.examples.map { "  $ \($0)\n" }.joined()
    }

    /// The text about a verb, or about the whole program, as a program gets it.
    static func object(of verb: Verb?) -> JSONValue { .object(["usage": .string(verb.map(of) ?? whole)]) }

    private static func section(_ title: String, _ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return title + ":\n" + rows.map { "  " + $0.padded(to: width) + "  " + $1 + "\n" }.joined()
    }
}

extension Verb {
    /// The verb and what follows it.
    var synopsis: String { operands.isEmpty ? name : name + " " + operands }

    /// The verb of this name; an unknown one is wrong usage, with the one that was probably meant.
    static func named(_ word: [UInt8]) throws(CommandFailure) -> Verb {
        if let verb = all.first(where: { Array($0.name.utf8) == word }) { return verb }
        let name = printable(word)
        throw .usage("unknown verb \"\(name)\": " + suggestion(for: name, among: all.map(\.name), in: "inboxctl"))
    }
}
