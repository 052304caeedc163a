import InboxTestSupport

/// Power loss on the way of documents that are claimed before they get their names.
extension OrderProof {
    /// Whatever the disk keeps:
    ///
    /// * a claim's entry in the journal is synced before the source is renamed into the staging folder;
    /// * a copy's content and attributes are synced before the journal has its marks, and these are synced before the
    ///   copy gets its name, and so are those in the notes for other daemons; of a source that is moved itself, the
    ///   content is synced;
    /// * the folder that a copied source has left, and those on the way to the one that it is claimed into, are synced
    ///   before the copy gets its name;
    /// * the names of the destination are synced before the record is written and before the source goes;
    /// * the record of a copy is synced before its source goes;
    /// * the source is gone, and both folders that it has left are synced, before the journal forgets the claim.
    ///
    /// With `Durability=relaxed` only the copy and the names of the destination have to be synced.
    func checkClaim(_ publish: Call, _ document: FaultRow.Document) throws {
        for claim in calls where isClaim(claim, of: document) {
            let writes = run(of: claim).filter {
                // What other threads write is about other documents.
                $0.isA("write", Self.journal) && $0.isBefore(claim) && $0.thread == claim.thread
            }
            // The last ones may have the marks of documents that were claimed before.
            let others = run(of: claim).filter { isClaim($0) && $0.isBefore(claim) }.count
            guard let written = writes.dropLast(others).last ?? writes.first else {
                throw Failure("nothing is in the journal before \(claim)")
            }
            guard stage.row.isDurable else { continue }
            try require(syncs(of: Self.journal), after: written, before: claim, "sync of the journal")
        }
        let run = run(of: publish)
        guard let claim = run.last(where: { isClaim($0, of: document) && $0.isBefore(publish) }) else {
            throw Failure("nothing was claimed before \(publish)")
        }
        let source = String(
            claim.subject[(claim.subject.firstRange(of: " -> ")?.upperBound ?? claim.subject.endIndex)...])
        try checkBefore(publish, claim, of: document, in: run, source: source)
        try checkAfter(publish, of: document, source: source)
    }

    /// The identifier of the staging folders is on the disk before the first folder has it.
    func checkInstance() throws {
        for run in runs {
            guard let drawn = run.first(where: { $0.isA("write", "/state/instance") }) else { continue }
            for made in run where made.name == "mkdirat" && made.mentions("/.inboxd-") && drawn.isBefore(made) {
                for subject in ["/state/instance", "/state"] {
                    try require(syncs(of: subject, inRunWith: drawn), after: drawn, before: made, "sync of \(subject)")
                }
            }
        }
    }

    private static var journal: String { "/journal" }

    /// Whether the claimed source itself gets the name, so that nothing is copied.
    private func isMove(_ publish: Call, of source: String) -> Bool { publish.subject.hasPrefix(source + " -> ") }

    private func checkBefore(
        _ publish: Call, _ claim: Call, of document: FaultRow.Document, in run: [Call], source: String
    ) throws {
        let between = run.filter { claim.isBefore($0) && $0.isBefore(publish) }
        // Meanwhile recovery may remove what an interrupted run has left of another copy.
        let changes = between.filter {
            $0.changesCopy(beneath: shown(stage.stage.documents)) && $0.makingFolder == publish.makingFolder
        }
        let isMove = isMove(publish, of: source)
        guard isMove != stage.row.isAcross, isMove == changes.isEmpty else {
            throw Failure("\(publish): \(isMove ? "moved" : "copied"), with the changes \(changes)")
        }
        for change in changes {
            for subject in change.neededSyncs {
                try require(syncs(of: subject, inRunWith: publish), after: change, before: publish, "sync of a copy")
            }
        }
        if !isMove, stage.row.isDurable {
            let (origin, claimed) = ((stage.stage.inbox / document.source).parent, TestPath(source).parent)
            for folder in [origin, claimed, claimed.parent, claimed.parent.parent] {
                try require(syncs(of: shown(folder)), after: claim, before: publish, "sync of a claim")
            }
        }
        if isMove, stage.row.isDurable {
            for drop in stage.row.drops where drop.document == document && !drop.isLink {
                let depth = document.source.components.count
                let path = ([source] + drop.source.components.dropFirst(depth).map(\.traced)).joined(separator: "/")
                try require(syncs(of: path, inRunWith: publish), after: claim, before: publish, "sync of the content")
            }
        }
        let written = between.last {
            $0.isA("write", Self.journal) && $0.thread == publish.thread && (changes.last?.isBefore($0) ?? true)
        }
        guard let written else { throw Failure("no marks are in the journal before \(publish)") }
        guard stage.row.isDurable else { return }
        try require(syncs(of: Self.journal), after: written, before: publish, "sync of the journal")
        if !isMove { try checkNotes(publish, after: changes.last, in: between) }
    }

    /// The notes for other daemons, which have the marks of the copy.
    private func checkNotes(_ publish: Call, after copied: Call?, in between: [Call]) throws {
        let written = between.last {
            $0.name == "write" && $0.mentions("/claims-") && $0.thread == publish.thread
                && (copied?.isBefore($0) ?? true)
        }
        guard let written else { throw Failure("no notes are written before \(publish)") }
        let syncs = syncs(of: written.subject, inRunWith: publish)
        try require(syncs, after: written, before: publish, "sync of the notes")
    }

    private func checkAfter(_ publish: Call, of document: FaultRow.Document, source: String) throws {
        let isMove = isMove(publish, of: source)
        let later = calls.filter { publish.isBefore($0) }
        let writes = later.filter { $0.isA("write", "/history.jsonl") }
        let removals = later.filter { $0.name == "unlinkat" && ($0.subject + "/").hasPrefix(source + "/") }
        let clearings = later.filter { $0.isA("ftruncate", Self.journal) }
        for step in writes + removals + clearings {
            for (folder, named) in names(of: document, publish) {
                try require(syncs(of: shown(folder)), after: named, before: step, "sync of \(folder)")
            }
        }
        for step in (isMove ? [] : removals) + clearings {
            // A kill may come between a call of another thread and its line in the trace: where a later run goes on
            // after a record that it has found, its own sync of the history counts.
            let isLater = !self.run(of: publish).contains { $0.begin == step.begin }
            guard let written = writes.last(where: { $0.isBefore(step) }) ?? (isLater ? publish : nil) else {
                throw Failure("no record is written before \(step)")
            }
            guard stage.row.isDurable else { continue }
            try require(syncs(of: "/history.jsonl"), after: written, before: step, "sync of the record")
        }
        for end in clearings {
            let removed = removals.last { $0.subject == source && $0.isBefore(end) }
            // Here too the kill may have kept a removal from its line; that nothing is left is seen on the disk.
            let isLater = !self.run(of: publish).contains { $0.begin == end.begin }
            guard let gone = removed ?? (isLater || isMove && publish.name != "linkat" ? publish : nil) else {
                throw Failure("\(source) is there at \(end)")
            }
            guard stage.row.isDurable else { continue }
            let folders = [
                shown((stage.stage.inbox / document.source).parent), shown(TestPath(source).parent.parent),
            ]
            for folder in folders { try require(syncs(of: folder), after: gone, before: end, "sync of \(folder)") }
        }
    }

    /// Whether the call renames the document into a staging folder.
    private func isClaim(_ call: Call, of document: FaultRow.Document) -> Bool {
        isClaim(call) && call.subject.hasPrefix(shown(stage.stage.inbox / document.source) + " -> ")
    }

    private func isClaim(_ call: Call) -> Bool {
        call.name == "renameat" && call.mentions("/.inboxd-") && call.mentions("/source-")
    }
}

extension CallTrace.Call {
    /// Whether it may change what a copy beneath this folder holds that has no name for others yet: every call that is
    /// not known to leave it alone.
    fileprivate func changesCopy(beneath folder: String) -> Bool {
        let harmless = [
            "close", "faccessat", "fgetxattr", "flistxattr", "fstat", "fstatfs", "fsync", "getdents64", "lseek",
            "openat2",
            "pread", "readlinkat", "statx", "sync_file_range", "unlinkat", "fcntl(F_SETLEASE)", "linkat",
        ]
        guard subject.hasPrefix(folder + "/"), !subject.contains(" -> "), !harmless.contains(name) else { return false }
        return subject.hasSuffix(" (deleted)") || making != nil
    }

    /// The folder `making-ID` that it is about; nil where it is about none.
    fileprivate var makingFolder: TestPath? { TestPath(subject).components.first(where: Self.isMaking) }

    private static func isMaking(_ name: TestPath) -> Bool { name.bytes.starts(with: "making-".utf8) }

    /// The part of its subject beneath `making-ID`; nil where it is about nothing there.
    private var making: [TestPath]? {
        let components = TestPath(subject).components
        guard let index = components.firstIndex(where: Self.isMaking), index + 1 < components.count else { return nil }
        return Array(components[(index + 1)...])
    }

    /// What has to be synced so that its effect is on the disk. A link cannot be synced itself, its folder can; and a new
    /// name in a package is in the folder around it.
    fileprivate var neededSyncs: [String] {
        let around = TestPath(subject).parent.traced
        if ["symlinkat", "utimensat", "fchownat", "fchmodat"].contains(name) { return [around] }
        return name == "mkdirat" && (making?.count ?? 0) > 1 ? [subject, around] : [subject]
    }
}
