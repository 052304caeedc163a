import InboxTestSupport

/// Power loss, held against the order of calls of one run, or of a killed one and those that recovered from it.
///
/// What is not synced may be on the disk early, late or never. So, whatever the disk keeps, a document that one rename
/// brings to its place is held to this:
///
/// * its content and its entry in the journal are synced before the rename;
/// * the names are synced before a record of them is written;
/// * the record is synced before the journal forgets the document.
///
/// One that is claimed first is held to what ``checkClaim(_:_:)`` says.
struct OrderProof {
    let stage: FaultStage
    let runs: [[CallTrace.Call]]
    let calls: [CallTrace.Call]
    /// The syncs of each run.
    private let syncs: [[CallTrace.Call]]

    typealias Call = CallTrace.Call

    /// Joins runs on one stage: all calls of one come before those of the next.
    init(_ stage: FaultStage, _ traces: [CallTrace]) {
        self.stage = stage
        var runs: [[CallTrace.Call]] = []
        var moment = 0
        for trace in traces {
            runs.append(trace.calls.map { $0.later(by: moment) })
            moment = runs.last?.map(\.end).max() ?? moment
        }
        self.runs = runs.map { $0.filter { $0.result == .ok } }
        calls = self.runs.flatMap { $0 }
        syncs = self.runs.map { $0.filter { $0.name == "fsync" || $0.name == "fdatasync" } }
    }

    /// Throws where a step comes before one that it depends on; returns how many documents were published.
    @discardableResult
    func check() throws -> Int {
        var published = 0
        for document in stage.row.documents {
            // A killed run may have had it under way.
            guard let publish = publish(of: document) else { continue }
            published += 1
            if stage.row.isClaimed {
                try checkClaim(publish, document)
            } else {
                try checkRename(publish, document)
            }
        }
        if stage.row.isClaimed { try checkInstance() }
        return published
    }

    private func publish(of document: FaultRow.Document) -> Call? {
        let target = shown(stage.stage.documents / document.destination)
        return calls.last { call in
            ["linkat", "renameat2", "renameat"].contains(call.name)
                && (call.subject == target || call.subject.hasSuffix(" -> " + target))
        }
    }

    // MARK: One rename

    private func checkRename(_ publish: Call, _ document: FaultRow.Document) throws {
        guard stage.row.isDurable else { return }
        // A document whose members have moved is moved to them by recovery, by the entry of the killed run.
        let run = stage.row.hasMembers ? calls : run(of: publish)
        let source = shown(stage.stage.inbox / document.source)
        // A link has no content beside its name.
        if stage.row.drops.contains(where: { $0.document == document && !$0.isLink }) {
            let synced = run.filter { $0.name == "fsync" && ($0.subject + "/").hasPrefix(source + "/") }
            try require(synced, after: nil, before: publish, "sync of the content")
        }
        let writes = run.filter {
            $0.isA("write", "/journal") && ($0.thread == publish.thread || stage.row.hasMembers)
        }
        guard let written = writes.last(where: { $0.isBefore(publish) }) else {
            throw Failure("nothing is in the journal before \(publish)")
        }
        try require(syncs(of: "/journal"), after: written, before: publish, "sync of the journal")
        let later = calls.filter { publish.isBefore($0) }
        let records = later.filter { $0.isA("write", "/history.jsonl") }
        let clearings = later.filter { $0.isA("ftruncate", "/journal") }
        for end in clearings {
            let written = records.last { $0.isBefore(end) } ?? publish
            try require(syncs(of: "/history.jsonl"), after: written, before: end, "sync of the record")
        }
        for step in records + clearings {
            for (folder, named) in names(of: document, publish) {
                try require(syncs(of: shown(folder)), after: named, before: step, "sync of \(folder)")
            }
        }
        // One rename changes both folders.
        let folder = shown((stage.stage.inbox / document.source).parent)
        for step in records { try require(syncs(of: folder), after: publish, before: step, "sync of \(folder)") }
    }

    // MARK: Small things

    /// The run that a call is in.
    func run(of call: Call) -> [Call] { number(ofRunWith: call).map { runs[$0] } ?? [] }

    private func number(ofRunWith call: Call) -> Int? { runs.firstIndex { call.begin <= $0.last?.begin ?? 0 } }

    /// The folders at the destination that got a name for this document, each with the call that gave it.
    func names(of document: FaultRow.Document, _ publish: Call) -> [(TestPath, Call)] {
        var names: [(TestPath, Call)] = []
        var path = stage.stage.documents / document.destination
        names.append((path.parent, publish))
        while path.parent != stage.stage.documents {
            path = path.parent
            let made = calls.last { $0.name == "mkdirat" && $0.subject == shown(path) && $0.isBefore(publish) }
            if let made { names.append((path.parent, made)) }
        }
        return names
    }

    /// The syncs of what has this end of a path.
    /// - Parameter call: a call of the run that has to make them; any run may where there is none.
    func syncs(of subject: String, inRunWith call: Call? = nil) -> [Call] {
        let syncs = call.map { call in number(ofRunWith: call).map { [self.syncs[$0]] } ?? [] } ?? self.syncs
        return syncs.flatMap { $0.filter { $0.subject.hasSuffix(subject) } }
    }

    func require(_ syncs: [Call], after first: Call?, before step: Call, _ what: String) throws {
        let found = syncs.contains { sync in (first?.isBefore(sync) ?? true) && sync.isBefore(step) }
        if !found { throw Failure("no \(what) between \(first.map { "\($0)" } ?? "the beginning") and \(step)") }
    }

    func shown(_ path: TestPath) -> String { path.traced }
}

extension TestPath {
    /// As the trace writes it: text stays as it is, and a control character is escaped.
    var traced: String {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\\x0a")
    }
}

extension CallTrace.Call {
    fileprivate func later(by moment: Int) -> Self {
        Self(begin: begin + moment, end: end + moment, name: name, subject: subject, result: result, thread: thread)
    }

    func isA(_ name: String, _ subject: String) -> Bool { self.name == name && self.subject.hasSuffix(subject) }
}
