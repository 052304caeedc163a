import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let explain = Verb(
        name: "explain", operands: "PATH…",
        summary: "say what a file is, where it would go and what it waits for, or where it went",
        options: [.config, .state], examples: ["inboxctl explain ~/Documents/Inbox/scan.pdf"]
    ) { invocation throws(CommandFailure) in
        let paths = invocation.arguments.operands
        guard !paths.isEmpty else { throw .usage("a path is wanted: inboxctl explain PATH") }
        let explain = ExplainVerb(invocation: invocation)
        if invocation.arguments.has("state") {
            return try explain.reportPast(paths, because: .failed("the history has nothing of this path"))
        }
        let daemon: DaemonPaths
        do throws(CommandFailure) { daemon = try DaemonPaths(invocation) } catch {
            guard error.status == .failed else { throw error }
            return try explain.reportPast(paths, because: error)
        }
        var status = ExitStatus.done
        for path in paths {
            do throws(CommandFailure) {
                switch try daemon.call("Explain", path) {
                case .reply(_, let answer): try explain.report(answer)
                case .refused(let reason, let isForeign): try explain.reportRefused(path, reason, isForeign: isForeign)
                }
            } catch {
                guard error.status == .failed, !invocation.output.isAbandoned else { throw error }
                // What was found before the failure appears first, where both go to one terminal.
                try invocation.output.flush()
                invocation.complain(error.message)
                status = .failed
            }
        }
        return status
    }
}

private final class ExplainVerb {
    private let invocation: Invocation
    /// Types are declared once for a process.
    private var detector: Detector?
    private var isFirst = true

    init(invocation: Invocation) {
        self.invocation = invocation
    }

    func report(_ answer: [String: JSONValue]) throws(CommandFailure) {
        let writers = ArrivalWriters(of: answer["arrival"].map { [$0] } ?? [], invocation.surroundings)
        var whole = answer
        whole["arrival"] = answer["arrival"].map(writers.added)
        try write(JSONValue.object(whole)) { () throws(CommandFailure) in
            var report = try ExplanationReport(answer: answer)
            report.arrival = report.arrival.map(writers.named)
            return rows(report)
        }
    }

    /// Writes one answer; those for people have an empty line between them.
    private func write(_ object: JSONValue, _ rows: () throws(CommandFailure) -> String) throws(CommandFailure) {
        if invocation.wantsJSON { return try invocation.output.write(object.text + "\n") }
        try invocation.output.write((isFirst ? "" : "\n") + rows())
        isFirst = false
    }

    /// A file that is none of the daemon's business still has a type, which needs no daemon.
    func reportRefused(_ path: [UInt8], _ reason: String, isForeign: Bool) throws(CommandFailure) {
        guard isForeign else { throw .failed(reason) }
        if detector == nil { detector = try invocation.detector() }
        guard let detector else { throw .failed(reason) }
        let answer = try FileAnswer(path, detector)
        guard case .object(var members) = answer.object else { return }
        members["refused"] = .string(reason)
        try write(.object(members)) { answer.text(isAlone: true) + "not filed".rightAligned(to: 11) + ": \(reason)\n" }
    }

    /// Without a daemon the history, as far as its files may be read, says where documents went.
    func reportPast(_ paths: [[UInt8]], because failure: CommandFailure) throws(CommandFailure) -> ExitStatus {
        let files: HistoryFiles
        do throws(CommandFailure) { files = try HistoryPlaces(invocation: invocation).open() } catch {
            throw invocation.arguments.has("state") ? error : failure
        }
        var status = ExitStatus.done
        for path in paths {
            if try reportPast(anyReadingOf: path, files) { continue }
            try invocation.output.flush()
            invocation.complain("\(printable(path)): \(failure.message)")
            status = .failed
        }
        return status
    }

    private func rows(_ report: ExplanationReport) -> String {
        let remarks =
            (report.mismatch ? ["not what its name says"] : []) + (report.unread ? ["unread"] : [])
            + (report.incomplete.map { ["incomplete: \(printable($0.utf8))"] } ?? [])
        var rows = LabelledRows(width: invocation.output.screen.width)
        rows.add("path", path: printablePath(report.path))
        rows.add("type", printableWords(UTType.shown(report.type)))
        rows.add("mime", report.mime.map(printableWords) ?? "-")
        rows.add(
            "conforms to",
            report.conformsTo.isEmpty ? "-" : printableWords(report.conformsTo.joined(separator: " ")))
        let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
        rows.add("evidence", printableWords(report.evidence) + remark)
        if let arrival = report.arrival {
            let detail = arrival.detail.map { ": " + printableWords($0) } ?? ""
            if arrival.path != report.path { rows.add("part of", path: printablePath(arrival.path)) }
            rows.add("state", "\(arrival.state.rawValue) (\(printableWords(arrival.reason)))\(detail)")
        }
        if let unlisted = report.unlisted { rows.add("state", "not listed: " + printableWords(unlisted)) }
        if let unclaimed = report.unclaimed {
            rows.add("document type", printableWords(unclaimed))
            rows.add("handler", "none")
        }
        for entry in report.documentTypes {
            rows.add(
                entry.wins ? "document type" : "not",
                printableWords("\(entry.name): \(entry.reason) (\(entry.contentType ?? "any type"))"))
            if entry.wins { rows.add("handler", entry.run.map(printableWords) ?? "none") }
        }
        if let handling = report.handling { rows.add("its handler", printableWords(handling)) }
        if let record = report.record, record["event"]?.string == "filed",
            record["destination"]?.string == report.path, !hasLeft(report.path)
        {
            rows.add("came from", path: record["source"]?.string.map(printablePath) ?? "-")
            rows.add("when", record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? "-")
            rows.add("id", record["id"]?.string.map(printableWords) ?? "-")
        } else if let record = report.record {
            add(record, to: &rows)
        } else if let folder = report.beneath {
            add(folder, to: &rows)
        } else if let destination = report.destination {
            rows.add("goes to", path: printablePath(destination))
        }
        if let obstacle = report.nameObstacle { rows.add("keeps its name", printableWords(obstacle)) }
        return rows.text
    }
}

extension ExplainVerb {
    /// Where the document went that was at the path.
    fileprivate func add(_ record: JSONValue, to rows: inout LabelledRows) {
        let event = record["event"]?.string
        let place = record[event == "undone" ? "source" : "destination"]?.string
        let time = record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? "-"
        let words =
            switch event {
            case "undone": "\(time), after it was filed"
            case "duplicate": "\(time): it was discarded"
            default: time
            }
        rows.add(Self.label(of: record), path: place.map(printablePath) ?? "-")
        rows.add("when", words)
        if let place, hasLeft(place) {
            rows.add("now", "it is no longer there: somebody has moved or removed it since")
        }
        rows.add("id", record["id"]?.string.map(printableWords) ?? "-")
    }

    /// What a record says of the place that it names.
    private static func label(of record: JSONValue) -> String {
        switch record["event"]?.string {
        case "undone": "put back"
        case "duplicate": "identical to"
        default: "went to"
        }
    }

    /// Where the documents went that were in a folder that is gone.
    fileprivate func add(_ folder: PastFolder, to rows: inout LabelledRows) {
        let count = grouped(Int64(folder.count)) + (folder.isMore ? " or more" : "")
        let isAll = folder.newest.count == folder.count
        rows.add(
            "documents", "\(count) that \(folder.count == 1 ? "was" : "were") in this folder" + (isAll ? "" : ", last:")
        )
        for record in folder.newest {
            let place = record[record["event"]?.string == "undone" ? "source" : "destination"]?.string
            let isGone = place.map(hasLeft) ?? false
            rows.add(
                Self.label(of: record),
                path: (place.map(printablePath) ?? "-") + (isGone ? " (no longer there)" : ""))
        }
    }

    /// Whether nothing is where the document went; false where nobody can say.
    private func hasLeft(_ place: String) -> Bool {
        guard let path = EscapedBytes.bytes(place).flatMap({ BytePath(bytes: $0) }) else { return false }
        return invocation.surroundings.isGone(path)
    }

    fileprivate func reportPast(anyReadingOf typed: [UInt8], _ files: HistoryFiles) throws(CommandFailure) -> Bool {
        for reading in TypedPath.readings(of: typed) where try reportPast(reading, files) { return true }
        return false
    }

    /// Says from the files of the history where documents went; what is still there needs a daemon.
    /// - Returns: false where the history has nothing of the path.
    func reportPast(_ path: [UInt8], _ files: HistoryFiles) throws(CommandFailure) -> Bool {
        guard let path = BytePath(bytes: path) else { return false }
        let workingDirectory = invocation.surroundings.environment.workingDirectory ?? BytePath("")
        let typed = TypedPath(path, workingDirectory: workingDirectory)
        for candidate in [typed.resolved, typed.literal].compactMap({ $0 }) {
            var query = HistoryQuery()
            query.path = candidate.bytes
            query.limit = 1
            query.isVisible = \.saysWhereDocumentIs
            var found: JSONValue?
            try search(query, files) { found = $0 }
            guard let found else { continue }
            try write(found) {
                var rows = LabelledRows(width: invocation.output.screen.width)
                rows.add("path", path: printable(candidate.bytes))
                rows.add("type", found["type"]?.string.map { printableWords(UTType.shown($0)) } ?? "-")
                add(found, to: &rows)
                return rows.text
            }
            return true
        }
        for candidate in [typed.resolved, typed.literal].compactMap({ $0 }) where try reportFolder(candidate, files) {
            return true
        }
        return false
    }

    /// The same of a folder that documents were in.
    private func reportFolder(_ path: BytePath, _ files: HistoryFiles) throws(CommandFailure) -> Bool {
        var folder = PastFolder()
        try search(PastFolder.query(path), files) { folder.add($0) }
        guard folder.count > 0 else { return false }
        let beneath: JSONValue = .object(["count": .integer(Int64(folder.count)), "newest": .array(folder.newest)])
        try write(.object(["path": .string(path.escapedText), "beneath": beneath])) {
            var rows = LabelledRows(width: invocation.output.screen.width)
            rows.add("path", path: printable(path.bytes))
            add(folder, to: &rows)
            return rows.text
        }
        return true
    }

    private func search(
        _ query: HistoryQuery, _ files: HistoryFiles, _ take: (JSONValue) -> Void
    ) throws(CommandFailure) {
        var search = HistorySearch(query, in: files)
        do throws(SyscallError) {
            while !search.isOver { try search.step().forEach(take) }
        } catch {
            throw .failed("the history: \(error.errno)")
        }
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
