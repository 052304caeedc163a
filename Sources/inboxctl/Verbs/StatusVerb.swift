import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Verb {
    static let status = Verb(
        name: "status", operands: "", summary: "show whether the Inbox is watched, what was filed and what is not",
        options: [Option(name: "watch", help: "go on reporting, every second, until interrupted")],
        examples: ["inboxctl status", "inboxctl status --watch"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 0)
        let verb = StatusVerb(invocation: invocation, daemon: try Daemon(invocation))
        if invocation.arguments.has("watch") { try verb.watch() } else { return try verb.printOnce() }
        return .done
    }
}

private struct StatusVerb {
    let invocation: Invocation
    let daemon: Daemon

    private var output: Output { invocation.output }

    /// A daemon with a problem makes a script notice: the exit status is 1 then.
    func printOnce() throws(CommandFailure) -> ExitStatus {
        let answer = try daemon.call("GetStatus")
        if invocation.wantsJSON {
            try output.write(JSONValue.object(answer).text + "\n")
        } else {
            try output.write(try lines(answer).map { $0 + "\n" }.separated(by: ""))
        }
        return answer["state"]?.string == StatusReport.State.degraded.rawValue ? .failed : .done
    }

    /// Every second anew: the screen on a terminal, else a line. A daemon that is not there may come back.
    func watch() throws(CommandFailure) {
        let isRedrawn = output.screen.isTerminal && !invocation.wantsJSON
        if isRedrawn { try output.write("\u{1B}[2J") }
        while true {
            output.resize(to: invocation.surroundings.terminalSize())
            do throws(CommandFailure) {
                let answer = try daemon.call("GetStatus")
                if isRedrawn {
                    try redraw(try lines(answer, room: roomForLines))
                } else if invocation.wantsJSON {
                    try output.write(JSONValue.object(answer).text + "\n")
                } else {
                    try output.write(try summary(answer) + "\n")
                }
            } catch {
                guard isRedrawn, error.status == .failed, !output.isAbandoned else { throw error }
                try redraw(error.message.wrapped(to: output.screen.width ?? .max))
            }
            try output.flush()
            invocation.surroundings.pause(.seconds(1))
        }
    }

    /// The last line stays free: text in it would scroll the first one away.
    private var roomForLines: Int? { output.screen.height.map { max(1, $0 - 1) } }

    /// Draws over the frame before, so that nothing flickers. A frame is one write and leaves the terminal as it was,
    /// the cursor below the text: an interrupt between two frames needs no cleaning up.
    private func redraw(_ lines: [String]) throws(CommandFailure) {
        let shown = lines.prefix(roomForLines ?? lines.count)
        // DECAWM off: a line that is too long is cut off by the terminal, and the count of lines stays true.
        let text = shown.map { $0 + "\u{1B}[K\n" }.joined()
        try output.write("\u{1B}[H\u{1B}[?7l" + text + "\u{1B}[?7h\u{1B}[J")
    }

    private func lines(_ answer: [String: JSONValue], room: Int? = nil) throws(CommandFailure) -> [String] {
        let status = try report(answer)
        var groups: [StatusScreen.Group] = []
        for (state, count) in [(ArrivalReport.State.held, status.counters.held), (.waiting, status.counters.waiting)] {
            guard count > 0 else { continue }
            groups.append(StatusScreen.Group(state: state, shown: try first(StatusScreen.longestGroup, state)))
        }
        return StatusScreen(
            status: status, groups: groups, screen: output.screen, now: invocation.surroundings.now(), room: room
        ).lines
    }

    private func first(_ count: Int, _ state: ArrivalReport.State) throws(CommandFailure) -> [ArrivalReport] {
        var answers: [JSONValue] = []
        try daemon.arrivals(state.rawValue) { arrival in
            answers.append(arrival)
            return answers.count < count
        }
        var arrivals: [ArrivalReport] = []
        for answer in answers { arrivals.append(try ArrivalReport(answer: answer)) }
        return arrivals
    }

    private func summary(_ answer: [String: JSONValue]) throws(CommandFailure) -> String {
        let status = try report(answer)
        let counters = status.counters
        return "\(invocation.surroundings.now().text) \(status.state.rawValue) filed=\(counters.filed) "
            + "waiting=\(counters.waiting) held=\(counters.held) problems=\(status.problems.count)"
    }

    private func report(_ answer: [String: JSONValue]) throws(CommandFailure) -> StatusReport {
        do {
            return try JSONValue.object(answer).decoded(as: StatusReport.self)
        } catch {
            throw .failed("the daemon: its status is not understood: are inboxd and inboxctl of one version?")
        }
    }
}
