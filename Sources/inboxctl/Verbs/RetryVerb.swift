import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Verb {
    static let retry = Verb(
        name: "retry", operands: "[PATH…]", summary: "try again what is held or failed, and accept disks as they are",
        options: [], examples: ["inboxctl retry", "inboxctl retry ~/Documents/Inbox/scan.pdf"]
    ) { invocation throws(CommandFailure) in
        let paths = invocation.arguments.operands
        guard !paths.isEmpty else {
            let reply = try Daemon(invocation).call("Retry")
            try RetryVerb.report(reply, of: nil, invocation)
            return .done
        }
        let daemon = try DaemonPaths(invocation)
        var status = ExitStatus.done
        for path in paths {
            switch try daemon.call("Retry", path) {
            case .reply(let path, let reply): try RetryVerb.report(reply, of: path, invocation)
            case .refused(let reason, _):
                // What was done before appears first, where both go to one terminal.
                try invocation.output.flush()
                invocation.complain(reason)
                status = .failed
            }
        }
        return status
    }
}

private enum RetryVerb {
    /// - Parameter path: nil for everything.
    static func report(
        _ reply: [String: JSONValue], of path: BytePath?, _ invocation: Invocation
    ) throws(CommandFailure) {
        if invocation.wantsJSON {
            let path = path.map { JSONValue.string($0.escapedText) } ?? .null
            let object = reply.merging(["path": path]) { own, _ in own }
            return try invocation.output.write(JSONValue.object(object).text + "\n")
        }
        let count = reply["arrivals"]?.integer ?? 0
        guard count > 0 else {
            let words = path.map { " at \($0.displayText)" } ?? "; disks are accepted as they are"
            return try invocation.output.write("nothing waits or is held\(words)\n")
        }
        let what = path?.displayText ?? "everything that is held or failed"
        try invocation.output.write(
            "tried again: \(what), \(count == 1 ? "1 arrival" : "\(grouped(count)) arrivals")"
                + (reply["paused"]?.bool == true ? "; filing is paused, until \"inboxctl resume\"\n" : "\n"))
    }
}
