import InboxConfiguration
import InboxLinux
import InboxVarlink

extension Verb {
    static let history = Verb(
        name: "history", operands: "[PATTERN]", summary: "list what was filed, newest last",
        options: [
            Option(name: "since", argument: "T", help: "not before this time: 2h, 3d, today, 2026-11-20, RFC 3339"),
            Option(name: "until", argument: "T", help: "not after this time"),
            Option(name: "limit", argument: "N", help: "only the newest N"),
            .state,
        ], examples: ["inboxctl history --limit=20", "inboxctl history --since=yesterday 'invoice*.pdf'"]
    ) { invocation throws(CommandFailure) in
        try invocation.expectOperands(atMost: 1)
        let verb = HistoryVerb(invocation: invocation)
        let request = try verb.request()
        let printer = HistoryPrinter(invocation: invocation, isAll: request.isAll)
        // The files are private to the daemon's user, while a daemon answers everybody who may ask.
        if invocation.arguments.value("state") != nil {
            try verb.read(request, try HistoryPlaces(invocation: invocation).open(), printer)
        } else {
            switch try verb.ask(request, printer) {
            case .answered: break
            case .unasked(let failure): try verb.read(request, try verb.files(insteadOf: failure), printer)
            }
        }
        try printer.end()
        return .done
    }
}

private struct HistoryVerb {
    let invocation: Invocation

    func request() throws(CommandFailure) -> HistoryRequest {
        var request = HistoryRequest()
        let arguments = invocation.arguments
        let now = invocation.surroundings.now()
        request.pattern = arguments.operands.first.map { typed in
            // What begins like this is a path, and the history has absolute ones.
            guard typed.starts(with: "./".utf8) || typed.starts(with: "../".utf8), let given = BytePath(bytes: typed)
            else { return typed }
            let workingDirectory = invocation.surroundings.environment.workingDirectory ?? BytePath("")
            let path = TypedPath(given, workingDirectory: workingDirectory)
            return (path.resolved ?? path.literal).bytes
        }
        if let text = try arguments.text("since") {
            request.since = try TypedTime.parse(text, now: now, option: "since")
        }
        if let text = try arguments.text("until") {
            request.until = try TypedTime.parse(text, now: now, option: "until")
        }
        if let text = try arguments.text("limit") {
            guard let limit = Int(text), limit >= 0 else {
                throw .usage("--limit needs a number, not \"\(printable(text.utf8))\"")
            }
            request.limit = limit
        }
        return request
    }

    /// The outcome of asking a daemon.
    enum Asking {
        /// It has answered.
        case answered
        /// None can be asked; why, where that is news.
        case unasked(CommandFailure?)
    }

    /// Asks the daemon.
    func ask(_ request: HistoryRequest, _ printer: HistoryPrinter) throws(CommandFailure) -> Asking {
        let daemon = try Daemon(invocation)
        var client: Client
        // A search for what is rare may take long before its first record.
        do throws(Daemon.Unreachable) { client = try daemon.reach(timeout: .seconds(600)) } catch {
            return .unasked(error.isNews ? error.failure : nil)
        }
        // The daemon only says which parameter it refuses. The files, which need no daemon, are searched for any pattern.
        if let length = request.parameters["pattern"]?.string?.utf8.count, length > HistoryCall.longestPattern {
            throw .usage("a daemon is asked for a pattern of at most \(HistoryCall.longestPattern) bytes")
        }
        // Elsewhere a script reads them.
        if invocation.output.screen.isTerminal, !invocation.wantsJSON {
            printer.show(pathsFrom: try daemon.call("GetStatus")["documents"]?.string)
        }
        var failure: CommandFailure?
        do throws(ClientError) {
            try client.call("io.inboxd.Inbox.GetHistory", request.parameters) { reply in
                guard let record = reply["record"] else { return true }
                do throws(CommandFailure) {
                    try printer.print(record)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            // An older daemon does not know the request.
            if case .refused(let name, _) = error, name.hasSuffix(".MethodNotFound") { return .unasked(nil) }
            throw Daemon.failure(of: error)
        }
        if let failure { throw failure }
        return .answered
    }

    /// The files that are read where no daemon was asked. They may be those of another one than was meant: standard error
    /// says so.
    func files(insteadOf failure: CommandFailure?) throws(CommandFailure) -> HistoryFiles {
        let places = HistoryPlaces(invocation: invocation)
        guard let failure else { return try places.open() }
        let found: (folder: BytePath, files: HistoryFiles)
        do throws(CommandFailure) { found = try places.find() } catch { throw failure }
        invocation.complain("\(failure.message); this is the history in \(found.folder.displayText)")
        return found.files
    }

    /// Reads the files.
    func read(
        _ request: HistoryRequest, _ files: HistoryFiles, _ printer: HistoryPrinter
    ) throws(CommandFailure) {
        var search = HistorySearch(request.query, in: files)
        while !search.isOver {
            let records: [JSONValue]
            do throws(SyscallError) { records = try search.step() } catch {
                throw .failed("the history: \(error.errno)")
            }
            for record in records { try printer.print(record) }
        }
    }
}
