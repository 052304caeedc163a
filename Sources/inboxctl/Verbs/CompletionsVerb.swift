import InboxConfiguration
import InboxVarlink

extension Verb {
    static let completions = Verb(
        name: "completions", operands: "bash|zsh|fish",
        summary: "print a completion script for a shell", options: [],
        examples: ["inboxctl completions bash > ~/.local/share/bash-completion/completions/inboxctl"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 1)
        guard let word = invocation.arguments.operands.first else {
            throw .usage("a shell is wanted: bash, zsh or fish")
        }
        let text = try CompletionsVerb.text(printable(word))
        try invocation.output.write(
            invocation.wantsJSON ? JSONValue.object(["text": .string(text)]).text + "\n" : text)
        return .done
    }
}

private enum CompletionsVerb {
    static func text(_ name: String) throws(CommandFailure) -> String {
        switch name {
        case "bash": return BashCompletion.script
        case "zsh": return ZshCompletion.script
        case "fish": return FishCompletion.script
        default:
            // Most names of shells differ by one letter: the nearest is a guess, and the list is as short.
            throw .usage("unknown shell \"\(name)\": there are scripts for bash, zsh and fish")
        }
    }
}
