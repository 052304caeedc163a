import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Verb {
    static let retry = Verb(
        name: "retry", operands: "[PATH|ID…]",
        summary: "try again what is held or failed, or a failed handler, and accept disks as they are",
        options: [], examples: ["inboxctl retry", "inboxctl retry ~/Documents/Inbox/scan.pdf"]
    ) { invocation throws(CommandFailure) in
        let paths = invocation.arguments.operands
        // A disk that is accepted as it is ends a problem, and is not counted.
        let isDegraded = try Daemon(invocation).call("GetStatus")["state"]?.string == "degraded"
        guard !paths.isEmpty else {
            let count = try RetryVerb.report(try Daemon(invocation).call("Retry"), of: nil, invocation)
            return count > 0 || isDegraded ? .done : .failed
        }
        let daemon = try DaemonPaths(invocation)
        var status = ExitStatus.done
        for path in paths {
            if RetryVerb.isIdentifier(path), BytePath(bytes: path).map(invocation.surroundings.exists) != true {
                if try !RetryVerb.retryHandler(path, invocation) { status = .failed }
                continue
            }
            switch try daemon.call("Retry", path) {
            case .reply(let path, let reply):
                if try RetryVerb.report(reply, of: path, invocation) == 0, !(isDegraded && daemon.isRoot(path)) {
                    status = .failed
                }
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
    /// Returns whether a word has the form of a record's identifier.
    static func isIdentifier(_ word: [UInt8]) -> Bool {
        word.count == 16
            && word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (0x61...0x7a).contains($0) }
    }

    /// Has the handler of a filed document run again.
    /// - Returns: false where that was refused.
    static func retryHandler(_ id: [UInt8], _ invocation: Invocation) throws(CommandFailure) -> Bool {
        let id = String(decoding: id, as: UTF8.self)
        switch try Daemon(invocation).answer("Retry", ["id": .string(id)]) {
        case .refused(let reason):
            try invocation.output.flush()
            invocation.complain(reason)
            return false
        case .reply(let reply):
            if invocation.wantsJSON {
                let object = reply.merging(["id": .string(id)]) { own, _ in own }
                try invocation.output.write(JSONValue.object(object).text + "\n")
            } else {
                let rest = reply["paused"]?.bool == true ? ", once filing is resumed: \"inboxctl resume\"" : ""
                try invocation.output.write("the handler of \(id) runs again\(rest)\n")
            }
            return true
        }
    }

    /// - Parameter path: nil for everything.
    /// - Returns: how many arrivals there were.
    static func report(
        _ reply: [String: JSONValue], of path: BytePath?, _ invocation: Invocation
    ) throws(CommandFailure) -> Int64 {
        let count = reply["arrivals"]?.integer ?? 0
        if invocation.wantsJSON {
            let path = path.map { JSONValue.string($0.escapedText) } ?? .null
            let object = reply.merging(["path": path]) { own, _ in own }
            try invocation.output.write(JSONValue.object(object).text + "\n")
            return count
        }
        guard count > 0 else {
            let words = path.map { " at \($0.displayText)" } ?? "; disks are accepted as they are"
            try invocation.output.write("nothing waits or is held\(words)\n")
            return count
        }
        let what = path?.displayText ?? "everything that is held or failed"
        try invocation.output.write(
            "tried again: \(what), \(count == 1 ? "1 arrival" : "\(grouped(count)) arrivals")"
                + (reply["paused"]?.bool == true ? "; filing is paused, until \"inboxctl resume\"\n" : "\n"))
        return count
    }
}
