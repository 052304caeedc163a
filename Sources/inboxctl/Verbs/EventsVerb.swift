import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Verb {
    static let events = Verb(
        name: "events", operands: "", summary: "follow arrivals, filings, copies and problems as they happen",
        options: [
            Option(name: "since", argument: "N", help: "begin after the event with this number"),
            Option(name: "boot", argument: "ID", help: "the start of the daemon that the number belongs to"),
        ], examples: ["inboxctl events", "inboxctl events --json | jq -r 'select(.kind == \"filed\").destination'"]
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

private final class EventsVerb {
    private let invocation: Invocation
    /// The last event that was printed: where to go on after the daemon was started again.
    private var last: (boot: String, number: Int64)?
    private var hasHeading = false

    init(invocation: Invocation) {
        self.invocation = invocation
    }

    private var output: Output { invocation.output }

    /// Prints each event at once, until nobody reads any more. On a terminal a daemon that ends is waited for, because
    /// a person would start over; a program learns it from the exit status.
    func follow(_ parameters: [String: JSONValue]) throws(CommandFailure) -> ExitStatus {
        let daemon = try Daemon(invocation)
        var client = try daemon.connect()
        var parameters = parameters
        while let end = try subscribe(&client, parameters) {
            guard output.screen.isTerminal, !invocation.wantsJSON, last != nil, Self.isEnd(end) else {
                throw .failed(Self.words(for: end))
            }
            try note("the daemon has ended: waiting for the next one")
            client = try nextClient(of: daemon)
            try note("the daemon is back")
            parameters = last.map { ["since": .integer($0.number), "boot": .string($0.boot)] } ?? [:]
        }
        return .done
    }

    /// Prints what comes on one connection; returns why it ended, or nil where nobody reads the output any more.
    private func subscribe(
        _ client: inout Client, _ parameters: [String: JSONValue]
    ) throws(CommandFailure) -> ClientError? {
        var failure: CommandFailure?
        do throws(ClientError) {
            try client.follow("io.inboxd.Inbox.Subscribe", parameters, whileRead: invocation.surroundings.output) {
                reply in
                do throws(CommandFailure) {
                    try report(reply["event"] ?? .null)
                    try output.flush()
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            return error
        }
        if let failure, !output.isAbandoned { throw failure }
        return nil
    }

    /// Tries once a second to reach a daemon.
    private func nextClient(of daemon: Daemon) throws(CommandFailure) -> Client {
        while true {
            do throws(CommandFailure) {
                return try daemon.connect()
            } catch {
                invocation.surroundings.pause(.seconds(1))
            }
        }
    }

    private func note(_ text: String) throws(CommandFailure) {
        try output.write(output.screen.styled("-- \(text)", .dim) + "\n")
        try output.flush()
    }

    private func report(_ event: JSONValue) throws(CommandFailure) {
        if invocation.wantsJSON { return try output.write(event.text + "\n") }
        let report = try EventReport(answer: event)
        last = (report.boot, report.number)
        output.resize(to: invocation.surroundings.terminalSize())
        let lines = EventLine(screen: output.screen)
        // The first one says that from now on nothing is missed.
        if report.kind != .following { return try output.write(lines.row(report)) }
        if !hasHeading { try output.write(lines.heading) }
        hasHeading = true
    }

    private static func isEnd(_ error: ClientError) -> Bool {
        switch error {
        case .closed: true
        case .failed(let failure): failure.errno.isHangUp
        default: false
        }
    }

    private static func words(for error: ClientError) -> String {
        switch error {
        case _ where isEnd(error): "the daemon has ended"
        case .refused("org.varlink.service.InvalidParameter", _):
            "the daemon: the event that --since names has not happened yet"
        default: "the daemon: " + Daemon.words(for: error)
        }
    }
}

extension EventReport {
    /// Reads what the daemon reported.
    fileprivate init(answer: JSONValue) throws(CommandFailure) {
        do {
            self = try answer.decoded(as: EventReport.self)
        } catch {
            throw .failed("the daemon: its event is not understood: are inboxd and inboxctl of one version?")
        }
    }
}
