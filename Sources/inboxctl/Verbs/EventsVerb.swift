import InboxCore
import InboxLinux
import InboxVarlink

extension Verb {
    static let events = Verb(
        name: "events", operands: "", summary: "follow arrivals, filings, copies and problems as they happen",
        options: [
            Option(name: "since", argument: "N", help: "begin behind the event of this number"),
            Option(name: "boot", argument: "ID", help: "the start of the daemon that the number belongs to"),
        ]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 0)
        var parameters: [String: JSONValue] = [:]
        if let since = try invocation.arguments.text("since") {
            guard let number = Int64(since), number >= 0 else {
                throw .usage("--since needs the number of an event, not \"\(printableWords(since))\"")
            }
            parameters["since"] = .integer(number)
        }
        if let boot = try invocation.arguments.text("boot") {
            guard parameters["since"] != nil else { throw .usage("--boot needs the number that --since gives") }
            parameters["boot"] = .string(boot)
        }
        return try EventsVerb(invocation: invocation).follow(parameters)
    }
}

private struct EventsVerb {
    let invocation: Invocation

    private var output: Output { invocation.output }

    /// Tells each event at once, until the daemon ends or nobody reads any more.
    func follow(_ parameters: [String: JSONValue]) throws(CommandFailure) -> ExitStatus {
        var client = try Daemon(invocation).connect()
        var failure: CommandFailure?
        do throws(ClientError) {
            try client.follow("io.inboxd.Inbox.Subscribe", parameters, whileRead: invocation.surroundings.output) {
                reply in
                do throws(CommandFailure) {
                    try tell(reply["event"] ?? .null)
                    try output.flush()
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw .failed(Self.words(for: error))
        }
        // Whoever read it has seen enough.
        if output.isAbandoned { return .done }
        if let failure { throw failure }
        return .done
    }

    private func tell(_ event: JSONValue) throws(CommandFailure) {
        if invocation.wantsJSON { return try output.write(event.text + "\n") }
        let report = try EventReport(answer: event)
        let lines = EventLine(screen: output.screen)
        // The first one says that from now on nothing is missed.
        try output.write(report.kind == .following ? lines.heading : lines.row(report))
    }

    private static func words(for error: ClientError) -> String {
        switch error {
        case .closed: "the daemon has ended"
        case .failed(let failure) where failure.errno.isHangUp: "the daemon has ended"
        case .refused("org.varlink.service.InvalidParameter", _):
            "the daemon: the event that --since names has not happened yet"
        default: "the daemon: " + Daemon.words(for: error)
        }
    }
}

extension EventReport {
    /// Reads what the daemon told.
    fileprivate init(answer: JSONValue) throws(CommandFailure) {
        do {
            self = try answer.decoded(as: EventReport.self)
        } catch {
            throw .failed("the daemon: its event is not understood: are inboxd and inboxctl of one version?")
        }
    }
}
