import InboxConfiguration
import InboxVarlink

extension Verb {
    static let pause = Verb(
        name: "pause", operands: "", summary: "file nothing more until \"resume\"; what is under way is finished",
        options: [], examples: ["inboxctl pause"]
    ) { invocation throws(CommandFailure) in
        try ChangeVerb.run("Pause", invocation) { reply in
            let waiting = ChangeVerb.count(reply["waiting"], "arrival waits", "arrivals wait")
            return (reply["changed"]?.bool == false ? "was paused already" : "paused") + ": \(waiting)"
        }
    }

    static let resume = Verb(
        name: "resume", operands: "", summary: "file again after \"pause\"", options: [],
        examples: ["inboxctl resume"]
    ) { invocation throws(CommandFailure) in
        try ChangeVerb.run("Resume", invocation) { reply in
            guard reply["changed"]?.bool != false else { return "was not paused" }
            return "resumed: " + ChangeVerb.count(reply["ready"], "document is ready", "documents are ready")
        }
    }

    static let rescan = Verb(
        name: "rescan", operands: "", summary: "read all folders of the Inbox again", options: [],
        examples: ["inboxctl rescan"]
    ) { invocation throws(CommandFailure) in
        // The daemon answers after a minute at the latest.
        try ChangeVerb.run("Rescan", invocation, timeout: .seconds(90)) { reply in
            let folders = ChangeVerb.count(reply["folders"], "folder", "folders")
            let rest = reply["complete"]?.bool == false ? ", and goes on" : ""
            return "read \(folders), inspected " + ChangeVerb.count(reply["arrivals"], "arrival", "arrivals") + rest
        }
    }

    static let reload = Verb(
        name: "reload", operands: "", summary: "read the configuration again and put it in force", options: [],
        examples: ["inboxctl reload"]
    ) { invocation throws(CommandFailure) in
        try ChangeVerb.run("Reload", invocation, timeout: .seconds(60)) { reply in
            func texts(_ name: String) -> [String] {
                if case .array(let values)? = reply[name] { values.compactMap(\.string) } else { [] }
            }
            let files = texts("files").map(printablePath)
            let what = reply["changed"]?.bool == false ? "reloaded, nothing is different" : "reloaded"
            let source = files.isEmpty ? "there is no configuration file" : "read " + files.joined(separator: ", ")
            let inboxes = texts("inboxes").map(printablePath).joined(separator: ", ")
            return ([what + ": " + source, "watching " + inboxes] + texts("notices").map(printableWords))
                .joined(separator: "\n")
        }
    }

    static let config = Verb(
        name: "config", operands: "", summary: "print the configuration in force in the running daemon", options: [],
        examples: ["inboxctl config", "inboxctl config > inboxd.conf"]
    ) { invocation throws(CommandFailure) in
        try ChangeVerb.run("GetConfiguration", invocation) { reply in
            (reply["configuration"]?.string ?? "").withoutLastNewline
        }
    }

    static let metrics = Verb(
        name: "metrics", operands: "", summary: "print the numbers for a monitoring system: OpenMetrics text",
        options: [
            Option(name: "format", argument: "openmetrics|prometheus", help: "the form of the numbers")
        ], examples: ["inboxctl metrics | grep filed_total"]
    ) { invocation throws(CommandFailure) in
        let format = try invocation.arguments.text("format") ?? "openmetrics"
        guard ["openmetrics", "prometheus"].contains(format) else {
            throw .usage("unknown format \"\(printable(format.utf8))\": there are openmetrics and prometheus")
        }
        return try ChangeVerb.run("GetMetrics", invocation) { reply in
            let text = reply["metrics"]?.string ?? ""
            return (format == "prometheus" ? PrometheusText.text(of: text) : text).withoutLastNewline
        }
    }
}

/// Verbs that call one method without parameters, and print in words what it did.
private enum ChangeVerb {
    static func run(
        _ method: String, _ invocation: Invocation, timeout: Duration = .seconds(10),
        _ words: ([String: JSONValue]) -> String
    ) throws(CommandFailure) -> ExitStatus {
        try invocation.expectOperands(atMost: 0)
        let reply = try Daemon(invocation).call(method, timeout: timeout)
        let text = invocation.wantsJSON ? JSONValue.object(reply).text : words(reply)
        try invocation.output.write(text + "\n")
        return .done
    }

    static func count(_ number: JSONValue?, _ one: String, _ many: String) -> String {
        let number = number?.integer ?? 0
        return number == 1 ? "1 \(one)" : "\(grouped(number)) \(many)"
    }
}

extension String {
    /// The text without the newline at its end, which whoever prints it adds.
    fileprivate var withoutLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
