import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let put = Verb(
        name: "put", operands: "FILE…", summary: "deliver files into the Inbox, each in one instant",
        options: [
            Option(name: "name", argument: "N", help: "deliver the file under this name"),
            Option(
                name: "type", argument: "UTI",
                help: "its type where the content is inconclusive, and its extension"),
            Option(name: "annotate", argument: "K=V", help: "attach this note; may be repeated"),
            Option(name: "application", argument: "ID", help: "the application that it comes from"),
            Option(
                name: "wait", optionalArgument: "TIME",
                help: "wait until it is filed, and print where: 75 if it is held or time runs out"),
            Option(name: "move", help: "remove each file once it is delivered"),
            .config,
        ],
        examples: [
            "inboxctl put --wait scan.pdf", "inboxctl put --name=contract --type=com.adobe.pdf - < contract",
            "inboxctl put --move --annotate=source=scanner *.tif",
        ]
    ) { invocation throws(CommandFailure) in
        try PutVerb(invocation).run()
    }
}

/// Delivers the files of a command line.
private struct PutVerb {
    private let invocation: Invocation
    private let daemon: Daemon
    private let order: DeliveryOrder
    private let files: [[UInt8]]
    /// The time to wait until the document is filed; nil if nobody waits.
    private let patience: Duration?

    init(_ invocation: Invocation) throws(CommandFailure) {
        self.invocation = invocation
        let arguments = invocation.arguments
        files = arguments.operands
        guard !files.isEmpty else { throw .usage("a file is wanted: inboxctl put FILE") }
        guard files.count(where: DeliveryDesk.isInput) <= 1 else {
            throw .usage("standard input is one document: give \"-\" once")
        }
        if arguments.has("name"), files.count > 1 { throw .usage("--name is for one file, not for \(files.count)") }
        order = try DeliveryOrder(invocation)
        daemon = try Daemon(invocation)
        patience = try Self.patience(arguments)
    }

    private static func patience(_ arguments: Arguments) throws(CommandFailure) -> Duration? {
        guard arguments.has("wait") else { return nil }
        guard let text = arguments.value("wait") else { return TimeSpan.infinity }
        do throws(ValueProblem) {
            return try TimeSpan.parse(text)
        } catch {
            throw .usage("--wait: \(error.text)")
        }
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let desk = try DeliveryDesk(daemon, invocation)
        // From here on nothing is missed of what becomes of the documents.
        let deadline = patience.map { $0 == TimeSpan.infinity ? Instant.never : .now() + $0 }
        let watch = deadline == nil ? nil : try DeliveryWatch(daemon, isGone: invocation.surroundings.isGone)
        var status = ExitStatus.done
        for file in files {
            do throws(CommandFailure) {
                let delivered = try desk.deliver(file, order)
                watch?.expect(delivered)
                if watch == nil {
                    try report(delivered.path)
                    warnOfIgnored(delivered.path, desk)
                }
                if let remark = delivered.remark {
                    invocation.complain(remark)
                    status = .failed
                }
            } catch {
                guard error.status == .failed, !invocation.output.isAbandoned else { throw error }
                try invocation.output.flush()
                invocation.complain(error.message)
                status = .failed
            }
        }
        guard let deadline, let watch else { return status }
        var failure: CommandFailure?
        while failure == nil {
            let end: DeliveryWatch.End?
            do throws(CommandFailure) { end = try watch.next(before: deadline) } catch {
                failure = error
                continue
            }
            guard let end else { break }
            if try !report(end), status == .done { status = .unfinished }
        }
        try explain(watch.expected, after: failure)
        return status == .done && !watch.expected.isEmpty ? .unfinished : status
    }

    /// Says of each document that is not filed why nobody waits for it any longer.
    /// - Parameter failure: why nothing more is heard of them; nil where time has run out.
    private func explain(
        _ expected: [(path: String, reason: String?)], after failure: CommandFailure?
    ) throws(CommandFailure) {
        let isPaused = !expected.isEmpty && failure == nil && isPaused
        for (path, reason) in expected {
            let why = isPaused ? "filing is paused, until \"inboxctl resume\"" : reason.map(printableWords)
            let late = "time has run out, and it is not filed yet" + (why.map { ": " + $0 } ?? "")
            let lost = failure.map {
                $0.message + ", and it is not known to be filed: once one runs, \"inboxctl explain\" tells"
            }
            try invocation.output.flush()
            invocation.complain("\(printablePath(path)): \(lost ?? late)")
        }
    }

    /// Filing is paused; false if no daemon says so.
    private var isPaused: Bool {
        do throws(CommandFailure) {
            return try daemon.call("GetStatus")["paused"]?.bool == true
        } catch {
            return false
        }
    }

    /// Warns that a delivered document is ignored, so that nobody files it: with --move it would be out of sight.
    private func warnOfIgnored(_ path: String, _ desk: DeliveryDesk) {
        guard desk.ignores(path) else { return }
        invocation.complain(
            "\(printablePath(path)): it stays there and is not filed: its name matches Ignore= or is hidden")
    }

    private func report(_ path: String) throws(CommandFailure) {
        try invocation.output.write(
            invocation.wantsJSON ? JSONValue.object(["path": .string(path)]).text + "\n" : printablePath(path) + "\n")
        try invocation.output.flush()
    }

    /// Prints what became of a document; false where it is not filed.
    private func report(_ end: DeliveryWatch.End) throws(CommandFailure) -> Bool {
        if invocation.wantsJSON {
            try invocation.output.write(end.object.text + "\n")
        } else if let destination = end.destination {
            try invocation.output.write(printablePath(destination) + "\n")
            if end.isDuplicate {
                try invocation.output.flush()
                invocation.complain(
                    "\(printablePath(end.path.text)): it is a duplicate of \(printablePath(destination)), and was discarded"
                )
            }
        } else {
            try invocation.output.flush()
            invocation.complain("\(printablePath(end.path.text)): \(printableWords(end.reason))")
        }
        try invocation.output.flush()
        return end.isFiled
    }
}
