import InboxConfiguration
import InboxVarlink

/// From the words of a command line to a verb and its exit status.
enum Command {
    /// Runs the command line, the program's name left out.
    static func run(
        _ words: [[UInt8]], surroundings: Surroundings, output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let (leading, rest) = try ArgumentParser.parseLeading(words, .common, of: "inboxctl")
        let verb = try rest.first.map(Verb.named)
        // "inboxctl --help status" asks for what "inboxctl status --help" does.
        if let information = information(leading, about: verb) {
            try output.write(information)
            return .done
        }
        guard let verb else { throw .usage("a verb is missing: try \"inboxctl --help\"") }
        var arguments = try ArgumentParser.parse(
            Array(rest.dropFirst()), verb.options + .common, of: "inboxctl \(verb.name)")
        arguments.options = leading.options + arguments.options
        if let information = information(arguments, about: verb) {
            try output.write(information)
            return .done
        }
        let invocation = Invocation(arguments: arguments, surroundings: surroundings, output: output)
        return try verb.run(invocation)
    }

    private static func information(_ arguments: Arguments, about verb: Verb?) -> String? {
        let wantsJSON = arguments.has("json")
        if arguments.has("help") {
            return wantsJSON ? Usage.object(of: verb).text + "\n" : verb.map(Usage.of) ?? Usage.whole
        }
        guard arguments.has("version") else { return nil }
        let version = ServiceInformation.inboxd.version
        return wantsJSON ? JSONValue.object(["version": .string(version)]).text + "\n" : "inboxctl \(version)\n"
    }
}
