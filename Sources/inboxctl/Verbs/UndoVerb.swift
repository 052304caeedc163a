import InboxConfiguration
import InboxVarlink

extension Verb {
    static let undo = Verb(
        name: "undo", operands: "ID",
        summary: "put a filed document back into the Inbox, where it stays until it changes",
        options: [], examples: ["inboxctl undo 1kfd3b07z4m2q8xt"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 1)
        guard let typed = invocation.arguments.operands.first else {
            throw .usage("an id is wanted, which \"inboxctl history\" lists: inboxctl undo ID")
        }
        let id = try Arguments.text(typed, of: "ID")
        // As long as a copy from another filesystem takes at most.
        let reply = try Daemon(invocation).call(
            "Undo", ["id": .string(id)], timeout: .seconds(3700), about: "undo \(printable(typed))")
        let path = reply["path"]?.string ?? ""
        try invocation.output.write(
            invocation.wantsJSON
                ? JSONValue.object(reply).text + "\n"
                : "put back: \(printablePath(path)), held until it changes or \"inboxctl retry\"\n")
        return .done
    }
}
