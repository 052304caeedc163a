import InboxCore
import InboxLinux
import InboxVarlink

extension Verb {
    static let explain = Verb(
        name: "explain", operands: "PATH…", summary: "say what a file is, where it would go and what it waits for",
        options: []
    ) { invocation throws(CommandFailure) in
        guard !invocation.arguments.operands.isEmpty else { throw .usage("a path is wanted: inboxctl explain PATH") }
        let daemon = try Daemon(invocation)
        for path in invocation.arguments.operands {
            let answer = try daemon.call("Explain", ["path": .string(BytePath.absolute(path).escapedText)])
            try invocation.output.write(
                invocation.wantsJSON
                    ? JSONValue.object(answer).text + "\n" : ExplainVerb.text(try ExplanationReport(answer: answer)))
        }
        return .done
    }
}

private enum ExplainVerb {
    static func text(_ report: ExplanationReport) -> String {
        let remarks =
            (report.mismatch ? ["not what its name says"] : []) + (report.unread ? ["unread"] : [])
        var rows = [
            ("path", printablePath(report.path)), ("type", printableWords(report.type)),
            ("mime", report.mime.map(printableWords) ?? "-"),
            ("conforms to", report.conformsTo.isEmpty ? "-" : printableWords(report.conformsTo.joined(separator: " "))),
            ("evidence", report.evidence + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")),
        ]
        if let arrival = report.arrival {
            let detail = arrival.detail.map { ": " + printableWords($0) } ?? ""
            rows.append(("state", "\(arrival.state.rawValue) (\(printableWords(arrival.reason)))\(detail)"))
        }
        if let destination = report.destination { rows.append(("goes to", printablePath(destination))) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { $0.rightAligned(to: width) + ": " + $1 + "\n" }.joined()
    }
}

extension ExplanationReport {
    /// Reads what the daemon answered.
    fileprivate init(answer: [String: JSONValue]) throws(CommandFailure) {
        do {
            self = try JSONValue.object(answer).decoded(as: ExplanationReport.self)
        } catch {
            throw .failed("the daemon: its answer is not understood: are inboxd and inboxctl of one version?")
        }
    }
}
