import InboxConfiguration

/// One thing that the program does.
struct Verb: Sendable {
    /// The word that is typed.
    let name: String
    /// The operands in the usage line.
    let operands: String
    /// The purpose of the verb, in a line.
    let summary: String
    /// Options beside the common ones.
    let options: [Option]
    /// Command lines that show what it is for.
    let examples: [String]
    /// Does it.
    let run: @Sendable (Invocation) throws(CommandFailure) -> ExitStatus

    /// The table of verbs, in the order of the usage text.
    static let all: [Verb] = [
        .status, .list, .history, .events, .put, .explain, .pause, .resume, .rescan, .reload, .retry, .undo, .config,
        .type,
        .conforms, .metrics, .completions, .help,
    ]
}

/// The input and output of a verb.
struct Invocation {
    /// The command line after the verb, and the common options before it.
    let arguments: Arguments
    /// The process's view of its surroundings.
    let surroundings: Surroundings
    /// Where the result goes.
    let output: Output

    /// Reports a failure on standard error while the rest goes on.
    func complain(_ message: String) { surroundings.complain("inboxctl: \(message)\n") }

    /// JSON is wanted.
    var wantsJSON: Bool { arguments.has("json") }

    /// Fails where more operands were given than make sense.
    func expectOperands(atMost count: Int) throws(CommandFailure) {
        guard arguments.operands.count > count else { return }
        throw .usage("unexpected argument \"\(printable(arguments.operands[count]))\"")
    }
}
