import InboxConfiguration
import InboxVarlink

extension Verb {
    static let list = Verb(
        name: "list", operands: "[waiting|held|ignored]", summary: "list what is in the Inbox, and why",
        options: [], examples: ["inboxctl list held", "inboxctl list --json | jq -r .path"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 1)
        let state = try invocation.arguments.operands.first.map(ListVerb.state)
        let daemon = try Daemon(invocation)
        try invocation.wantsJSON
            ? ListVerb.printObjects(daemon, state, invocation)
            : ListVerb.printTable(daemon, state, invocation)
        return .done
    }
}

private enum ListVerb {
    static func state(_ word: [UInt8]) throws(CommandFailure) -> String {
        let name = printable(word)
        let known = ArrivalReport.State.allCases.map(\.rawValue)
        guard known.contains(name) else {
            throw .usage(
                "unknown state \"\(name)\": "
                    + (nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
                        ?? "the states are \(known.joined(separator: ", "))"))
        }
        return name
    }

    static func printObjects(_ daemon: Daemon, _ state: String?, _ invocation: Invocation) throws(CommandFailure) {
        try forEach(daemon, state, invocation) { arrival, writers throws(CommandFailure) in
            try invocation.output.write(writers.added(to: arrival).text + "\n")
        }
    }

    static func printTable(_ daemon: Daemon, _ state: String?, _ invocation: Invocation) throws(CommandFailure) {
        let output = invocation.output
        // Elsewhere a script reads them.
        let documents = output.screen.isTerminal ? try daemon.call("GetStatus")["documents"]?.string : nil
        let table = ArrivalTable(screen: output.screen, now: invocation.surroundings.now(), documents: documents)
        var isFirst = true
        try forEach(daemon, state, invocation) { value, writers throws(CommandFailure) in
            if isFirst { try output.write(table.heading) }
            isFirst = false
            try output.write(table.row(writers.named(in: try ArrivalReport(answer: value))))
        }
        if isFirst, output.screen.isTerminal {
            try output.write(state.map { "Nothing is \($0).\n" } ?? "The Inbox is empty.\n")
        }
    }

    /// Hands over each arrival and who writes to them, by path: the daemon lists them in no order, since sorting many takes time that others
    /// would wait for.
    private static func forEach(
        _ daemon: Daemon, _ state: String?, _ invocation: Invocation,
        _ body: (JSONValue, ArrivalWriters) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var arrivals: [(path: String, value: JSONValue)] = []
        try daemon.arrivals(state) { arrival in
            arrivals.append((arrival["path"]?.string ?? "", arrival))
            return true
        }
        arrivals.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let writers = ArrivalWriters(of: arrivals.map(\.value), invocation.surroundings)
        for (_, value) in arrivals { try body(value, writers) }
    }
}

extension ArrivalReport {
    /// Reads what the daemon answered.
    init(answer: JSONValue) throws(CommandFailure) {
        do {
            self = try answer.decoded(as: ArrivalReport.self)
        } catch {
            throw .failed("the daemon: its list is not understood: are inboxd and inboxctl of one version?")
        }
    }
}
