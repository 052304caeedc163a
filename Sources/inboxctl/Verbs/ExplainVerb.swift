import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

extension Verb {
    static let explain = Verb(
        name: "explain", operands: "PATH…",
        summary: "say what a file is, where it would go and what it waits for, or where it went",
        options: [
            Option(
                name: "inbox", argument: "DIR", help: "say what would become of the files if they were dropped there"),
            .config, .state,
        ],
        examples: [
            "inboxctl explain ~/Documents/Inbox/scan.pdf",
            "inboxctl explain --inbox ~/Documents/Inbox ~/Downloads/a.jpg",
        ]
    ) { invocation throws(CommandFailure) in
        let paths = invocation.arguments.operands
        guard !paths.isEmpty else { throw .usage("a path is wanted: inboxctl explain PATH") }
        let explain = ExplainVerb(invocation: invocation)
        if invocation.arguments.has("state") {
            guard !invocation.arguments.has("inbox") else {
                throw .usage("--inbox asks a daemon, and --state the files of a history: give one of them")
            }
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
                if let inbox = invocation.arguments.value("inbox") {
                    guard try explain.reportDropped(path, daemon, into: inbox) else {
                        throw .failed("\(printable(path)): a link or a special file is held in every Inbox")
                    }
                    continue
                }
                switch try daemon.call("Explain", path) {
                case .reply(_, let answer): try explain.report(answer)
                case .refused(let reason, let isForeign):
                    if isForeign, !(daemon.named(path).map(daemon.isRoot) ?? false),
                        try explain.reportDropped(path, daemon, into: nil)
                    {
                        continue
                    }
                    try explain.reportRefused(path, reason, isForeign: isForeign)
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
    /// When a search of the files has taken so long that it is remarked, once.
    private var remarkDue = Instant.now() + Daemon.patience

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

    /// Reports what would become of a file that lies anywhere in an Inbox.
    /// - Returns: false where it is none that could be passed to the daemon, or the daemon takes none.
    func reportDropped(_ typed: [UInt8], _ daemon: DaemonPaths, into inbox: [UInt8]?) throws(CommandFailure) -> Bool {
        guard let source = DeliverySource(typed, workingDirectory: invocation.surroundings.environment.workingDirectory)
        else {
            let isTop = BytePath(bytes: typed)?.normalized == BytePath("/")
            let words = isTop ? "every Inbox is in this folder, which goes into none" : "no file has such a path"
            throw .failed("\(printable(typed)): \(words)")
        }
        let file: OpenFile
        let status: FileStatus
        do throws(SyscallError) {
            let found = try FileStatus(path: source.path)
            guard found.kind == .regular || found.kind == .directory else { return false }
            file = OpenFile(try FileDescriptor.readingItself(path: source.path))
            status = try file.descriptor.status()
        } catch {
            if error.errno.isDenied { return false }
            throw .failed("\(printable(typed)): \(error.errno)")
        }
        var parameters: [String: JSONValue] = ["name": .string(source.name.escapedText), "fd": .integer(0)]
        if let inbox {
            guard let path = daemon.inbox(inbox) else { throw .failed("\(printable(inbox)): there is no such Inbox") }
            parameters["inbox"] = .string(path.escapedText)
        }
        var client = try daemon.daemon.connect()
        var answer: [String: JSONValue]
        do throws(ClientError) {
            answer = try Self.explained(file.descriptor, status, parameters, &client)
        } catch {
            switch error {
            case .refused("org.varlink.service.InvalidParameter", _):
                // A daemon of a former version takes no files.
                guard let inbox else { return false }
                throw .failed("\(printable(inbox)): the daemon has no such Inbox")
            case .refused("io.inboxd.Inbox.UnreachablePath", _):
                throw .failed("\(printable(typed)): \(Daemon.words(for: error))")
            default: throw Daemon.failure(of: error)
            }
        }
        answer["path"] = .string((source.path.normalized ?? source.path).escapedText)
        try report(answer)
        return true
    }

    /// Asks about the file itself, else about one that looks like it, where the daemon does not trust its filesystem.
    private static func explained(
        _ file: borrowing FileDescriptor, _ status: FileStatus, _ parameters: [String: JSONValue],
        _ client: inout Client
    ) throws(ClientError) -> [String: JSONValue] {
        let method = "io.inboxd.Inbox.Explain"
        do throws(ClientError) { return try client.call(method, parameters, passing: file) { _ in } } catch {
            guard case .refused("io.inboxd.Inbox.ForeignFile", _) = error, status.kind == .regular else { throw error }
        }
        let likeness: FileDescriptor
        do throws(SyscallError) { likeness = try Self.likeness(of: file, status) } catch { throw .failed(error) }
        return try client.call(method, parameters, passing: likeness) { _ in }
    }

    /// Bytes at either end of a file: nothing looks at more of it to tell what it is.
    private static let tellingPart = 1 << 20

    /// A file without a name that has the size and the time of another, and of its content the beginning and the end.
    private static func likeness(
        of file: borrowing FileDescriptor, _ status: FileStatus
    ) throws(SyscallError) -> FileDescriptor {
        let copy = try Directory.open(path: BytePath("/tmp")).unnamedFile()
        try copy.truncate(to: Int64(clamping: status.size))
        var buffer = [UInt8](repeating: 0, count: tellingPart)
        let end = Int64(clamping: status.size) - Int64(tellingPart)
        for offset in [0, max(0, end)] {
            var place = offset
            while place < offset &+ Int64(tellingPart) {
                let count = try file.read(into: &buffer, at: place)
                guard count > 0 else { break }
                try copy.write(buffer[..<count], at: place)
                place += Int64(count)
            }
        }
        try copy.setTimes(accessed: .now(), modified: status.identity.modified)
        return copy
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
        if let date = report.date {
            rows.add("date", printableWords(date + (report.dateFrom.map { " (\($0))" } ?? "")))
        }
        if let title = report.title { rows.add("title", printableWords(title)) }
        if let author = report.author { rows.add("author", printableWords(author)) }
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
                printableWords("\(entry.name): \(entry.reason)" + (entry.contentType.map { " (\($0))" } ?? "")))
            if entry.wins { rows.add("handler", entry.run.map(printableWords) ?? "none") }
        }
        if let checking = report.checking { rows.add("check", printableWords(checking)) }
        if let handling = report.handling { rows.add("its handler", printableWords(handling)) }
        let member = report.record.flatMap { Self.member(of: $0, at: report.path) }
        if let record = report.record, record["event"]?.string == "filed" || record["event"]?.string == "rejected",
            report.path == member?.destination ?? record["destination"]?.string, !hasLeft(report.path)
        {
            let source = member.map(\.source) ?? record["source"]?.string
            rows.add("came from", path: source.map(printablePath) ?? "-")
            rows.add("when", record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? "-")
            rows.add("id", record["id"]?.string.map(printableWords) ?? "-")
        } else if let record = report.record {
            add(record, at: report.destination, to: &rows)
        } else if let folder = report.beneath {
            add(folder, to: &rows)
        } else if let destination = report.destination {
            rows.add("goes to", path: printablePath(destination))
        }
        if let obstacle = report.obstacle { rows.add("stays", printableWords(obstacle)) }
        if let obstacle = report.nameObstacle { rows.add("keeps its name", printableWords(obstacle)) }
        return rows.text
    }
}

extension ExplainVerb {
    /// Where the document went that was at the path.
    fileprivate func add(_ record: JSONValue, at place: String?, to rows: inout LabelledRows) {
        let event = record["event"]?.string
        let time = record["time"]?.string.flatMap(Timestamp.init(wireTime:))?.localText ?? "-"
        let words =
            switch event {
            case "undone": "\(time), after it was filed"
            case "duplicate": "\(time): it was discarded"
            case "rejected":
                "\(time): its check has rejected it"
                    + (record["detail"]?.string.map { ": " + printableWords($0) } ?? "")
            default: time
            }
        rows.add(Self.label(of: record), path: place.map(printablePath) ?? "-")
        rows.add("when", words)
        if let place, hasLeft(place) {
            rows.add("now", "it is no longer there: somebody has moved or removed it since")
        }
        rows.add("id", record["id"]?.string.map(printableWords) ?? "-")
    }

    /// Returns the file at a path, before or after, that went with the document of a record; nil where that is the document.
    private static func member(of record: JSONValue, at path: String) -> (source: String?, destination: String)? {
        let place = PathText(path)
        return record.members(by: MemberName.renamed).first {
            $0.source.map(PathText.init) == place || PathText($0.destination) == place
        }
    }

    /// Returns where a record says that its document is.
    private static func place(in record: JSONValue) -> String? {
        record[record["event"]?.string == "undone" ? "source" : "destination"]?.string
    }

    /// Returns the relation of a record to the place that it names, in words.
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
            let place = Self.place(in: record)
            let isGone = place.map(hasLeft) ?? false
            rows.add(
                Self.label(of: record),
                path: (place.map(printablePath) ?? "-") + (isGone ? " (no longer there)" : ""))
        }
    }

    /// Returns true if nothing is at the path where the document went; false if nobody can say.
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
            query.renaming = MemberName.renamed
            query.limit = 1
            query.isVisible = \.saysWhereDocumentIs
            var found: JSONValue?
            try search(query, files) { found = $0 }
            guard let found else { continue }
            try write(found) {
                var rows = LabelledRows(width: invocation.output.screen.width)
                rows.add("path", path: printable(candidate.bytes))
                let member = Self.member(of: found, at: EscapedBytes.text(candidate.bytes))
                let type = member == nil ? found["type"]?.string : nil
                rows.add("type", type.map { printableWords(UTType.shown($0)) } ?? "-")
                add(found, at: member?.destination ?? Self.place(in: found), to: &rows)
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
            while !search.isOver {
                try search.step().forEach(take)
                if Instant.now() < remarkDue { continue }
                remarkDue = .never
                invocation.complain("the history is still being searched: Ctrl-C ends that")
            }
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
