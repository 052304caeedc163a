import InboxTestSupport

/// Power loss, held against the order of calls of one run, or of a killed one and those that recovered from it.
///
/// What is not synced may be on the disk early, late or never. So, whatever the disk keeps:
///
/// * a copy's content and attributes are synced before it gets its name, and so is what the journal tells of it;
/// * what the journal tells of a copy is synced before its source gets the hidden name;
/// * the names are synced before a record of them is written, and before the source goes;
/// * the record is synced before the source goes, and before the journal forgets it;
/// * the source's end is synced before the journal forgets it.
///
/// With `Durability=relaxed` only the copy and its name have to be synced, and only before the source goes.
struct OrderProof {
    private let stage: FaultStage
    private let runs: [[CallTrace.Call]]
    private let calls: [CallTrace.Call]

    private typealias Call = CallTrace.Call

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
    }

    /// Throws where a step comes before one that it depends on; answers how many documents were published.
    @discardableResult
    func check() throws -> Int {
        var published = 0
        for document in stage.row.documents {
            // The one that counts: others were taken back. A killed run may have had it under way.
            guard let publish = publish(of: document) else { continue }
            published += 1
            try checkBefore(publish, document)
            try checkAfter(publish, document)
        }
        return published
    }

    // MARK: The steps

    private func publish(of document: FaultRow.Document) -> Call? {
        let target = shown(stage.stage.documents / document.destination)
        return calls.last { call in
            ["linkat", "renameat2", "renameat"].contains(call.name)
                && (call.subject == target || call.subject.hasSuffix(" -> " + target))
        }
    }

    private func checkBefore(_ publish: Call, _ document: FaultRow.Document) throws {
        let run = runs.first { $0.contains { $0.begin == publish.begin } } ?? []
        if stage.row.isAcross {
            for change in run where change.changesHidden(in: shown(stage.stage.documents)) && change.isBefore(publish) {
                try require(syncs(of: change.subject, in: run), after: change, before: publish, "sync of a copy")
            }
        } else if stage.row.isDurable {
            let source = shown(stage.stage.inbox / document.source)
            let synced = document.isPackage ? run.filter { $0.name == "syncfs" } : syncs(of: source, in: run)
            try require(synced, after: nil, before: publish, "sync of the content")
        }
        let journal = stage.row.isAcross ? "/journal-copies" : "/journal"
        for aside in calls where isAside(aside, of: document) {
            let written = calls.last { $0.isA("write", journal) && $0.isBefore(aside) }
            guard let written else { throw Failure("nothing is in the journal before \(aside)") }
            try require(syncs(of: journal), after: written, before: aside, "sync of the journal")
        }
        guard stage.row.isDurable else { return }
        // What a killed run has made is met again by the one that recovers.
        let made = run.first { call in
            call.makesHidden(in: shown(stage.stage.documents))
                && !calls.contains { $0.subject == call.subject && $0.isBefore(call) }
        }
        for step in [made, publish].compactMap({ $0 }) {
            let written = calls.last { $0.isA("write", journal) && $0.isBefore(step) }
            guard let written else { throw Failure("nothing is in the journal before \(step)") }
            try require(syncs(of: journal), after: written, before: step, "sync of the journal")
        }
    }

    private func checkAfter(_ publish: Call, _ document: FaultRow.Document) throws {
        let later = calls.filter { publish.isBefore($0) }
        let writes = later.filter { $0.isA("write", "/history.jsonl") }
        let removals = later.filter { isRemoval($0, of: document) }
        let clearings = later.filter { $0.isA("ftruncate", stage.row.isAcross ? "/journal-copies" : "/journal") }
        let ends = removals + (stage.row.isDurable ? clearings : [])
        if stage.row.isDurable {
            for end in stage.row.isAcross ? ends : clearings {
                let written = writes.last { $0.isBefore(end) } ?? publish
                try require(syncs(of: "/history.jsonl"), after: written, before: end, "sync of the record")
            }
        }
        guard stage.row.isDurable || stage.row.isAcross else { return }
        for step in ends + (stage.row.isDurable ? writes : []) {
            for (folder, named) in names(of: document, publish) where publish.isBefore(step) {
                try require(syncs(of: shown(folder)), after: named, before: step, "sync of \(folder)")
            }
        }
        guard stage.row.isDurable else { return }
        let source = shown((stage.stage.inbox / document.source).parent)
        // One rename changes both folders; a copy's source goes by itself, and may go after the record.
        for step in stage.row.isAcross ? clearings : writes {
            let gone = removals.last { $0.isBefore(step) } ?? (stage.row.isAcross ? nil : publish)
            if let gone { try require(syncs(of: source), after: gone, before: step, "sync of \(source)") }
        }
    }

    /// The folders at the destination that got a name for this document, each with the call that gave it.
    private func names(of document: FaultRow.Document, _ publish: Call) -> [(BytePath, Call)] {
        var names: [(BytePath, Call)] = []
        var path = stage.stage.documents / document.destination
        names.append((path.parent, publish))
        while path.parent != stage.stage.documents {
            path = path.parent
            let made = calls.last { $0.name == "mkdirat" && $0.subject == shown(path) && $0.isBefore(publish) }
            if let made { names.append((path.parent, made)) }
        }
        return names
    }

    /// Whether the call gives the source the hidden name that it has for its end.
    private func isAside(_ call: Call, of document: FaultRow.Document) -> Bool {
        let source = stage.stage.inbox / document.source
        return call.name == "renameat2" && call.subject.hasPrefix(shown(source) + " -> " + shown(source.parent))
    }

    /// Whether the call takes the source's name away, or the hidden one.
    private func isRemoval(_ call: Call, of document: FaultRow.Document) -> Bool {
        let source = stage.stage.inbox / document.source
        guard call.name == "unlinkat" else { return false }
        let path = BytePath(call.subject)
        return call.subject == shown(source) || (path.parent == source.parent && path.isHiddenCopy)
    }

    // MARK: Small things

    private func syncs(of subject: String, in calls: [Call]? = nil) -> [Call] {
        (calls ?? self.calls).filter { call in
            call.name == "syncfs" || (["fsync", "fdatasync"].contains(call.name) && call.subject.hasSuffix(subject))
        }
    }

    private func require(_ syncs: [Call], after first: Call?, before step: Call, _ what: String) throws {
        let found = syncs.contains { sync in (first?.isBefore(sync) ?? true) && sync.isBefore(step) }
        if !found { throw Failure("no \(what) between \(first.map { "\($0)" } ?? "the beginning") and \(step)") }
    }

    private func shown(_ path: BytePath) -> String { path.traced }
}

extension BytePath {
    /// As the trace writes it: text stays as it is, and a control character is escaped.
    var traced: String {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\\x0a")
    }
}

extension CallTrace.Call {
    fileprivate func later(by moment: Int) -> Self {
        Self(begin: begin + moment, end: end + moment, name: name, subject: subject, result: result)
    }

    fileprivate func isA(_ name: String, _ subject: String) -> Bool {
        self.name == name && self.subject.hasSuffix(subject)
    }

    /// Whether it is about a copy beneath this folder that has no name for others yet.
    private func isAboutHidden(in folder: String) -> Bool {
        subject.hasPrefix(folder + "/")
            && (subject.hasSuffix(" (deleted)") || BytePath(subject).isHiddenCopy) && !subject.contains(" -> ")
    }

    /// Whether it may change what a copy holds: every call that is not known to leave it alone.
    fileprivate func changesHidden(in folder: String) -> Bool {
        let harmless = [
            "close", "faccessat", "fgetxattr", "flistxattr", "fstat", "fsync", "getdents64", "lseek", "openat2",
            "pread",
            "readlinkat", "statx", "syncfs", "sync_file_range", "unlinkat", "fcntl(F_SETLEASE)", "flock", "linkat",
        ]
        return isAboutHidden(in: folder) && !harmless.contains(name)
    }

    /// Whether it makes a hidden name.
    fileprivate func makesHidden(in folder: String) -> Bool {
        ["openat", "mkdirat", "symlinkat"].contains(name) && isAboutHidden(in: folder)
    }
}
