import InboxConfiguration

extension Verb {
    static let help = Verb(
        name: "help", operands: "[VERB]", summary: "print what a verb does and takes, or all verbs", options: [],
        examples: ["inboxctl help events"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 1)
        let verb = try invocation.arguments.operands.first.map(Verb.named)
        try invocation.output.write(
            invocation.wantsJSON ? Usage.object(of: verb).text + "\n" : verb.map(Usage.of) ?? Usage.whole)
        return .done
    }
}
