import InboxTestSupport

extension Model {
    /// What is left in the Inboxes and is not to stay there.
    func unfiled() throws -> [TestPath] {
        try inboxes.flatMap { inbox in
            try Disk.leaves(of: inbox.path).filter { leaf in
                let isHeld = inbox.isWhole && Disk.kind(inbox.path / leaf) == .link
                return leaf.bytes.last != UInt8(ascii: "/") && !isHeld
            }
        }
    }

    /// Holds Documents to the model: each content that was dropped and not withdrawn is there exactly once, or was taken
    /// from there by somebody; what they made and changed is as they left it.
    func expectEachOnce() throws {
        try inDocuments.ledger.expectOwnUnharmed(in: stage.documents)
        try expectHeldLinks()
        var left: [Content: ClosedRange<Int>] = [:]
        for document in documents {
            left[document.content] = document.allowed
            for content in document.earlier { left[content] = 0...document.visits }
        }
        let filed = try filedDocuments()
        var found = filed.mapValues(\.count)
        for (content, count) in inDocuments.ledger.taken { found[content, default: 0] += count }
        for (content, count) in found where count != 0 {
            let allowed = left.removeValue(forKey: content) ?? 0...0
            guard !allowed.contains(count), try !isRemainder(content) else { continue }
            let origins = content.head.flatMap { inDocuments.ledger.originsOfTouched[$0] } ?? []
            let places = (filed[content] ?? []) + origins
            throw Failure(
                "\(content): \(count) times instead of \(allowed), at \(try places.map(history))")
        }
        let lost = left.filter { $0.value.lowerBound > 0 }.map(\.key.description)
        guard lost.isEmpty else { throw Failure("\(lost.count) documents are lost: \(lost.prefix(5))") }
        try expectRecords(of: filed.values.flatMap { $0 })
    }

    /// Each document in Documents, with the names that it has there.
    private func filedDocuments() throws -> [Content: [TestPath]] {
        var filed: [Content: [TestPath]] = [:]
        func walk(_ folder: TestPath) throws {
            for name in try Disk.names(in: stage.documents / folder) {
                let path = folder / name
                guard stage.documents / path != stage.inbox else { continue }
                if Disk.kind(stage.documents / path) == .folder, !Content.isPackage(name) {
                    try walk(path)
                } else if !inDocuments.ledger.isOwn(path) {
                    filed[try Content(of: stage.documents / path), default: []].append(path)
                }
            }
        }
        try walk("")
        return filed
    }

    /// A link that is held is where it was dropped.
    private func expectHeldLinks() throws {
        var held: [[UInt8]] = []
        for inbox in inboxes where inbox.isWhole {
            for name in try Disk.names(in: inbox.path) where Disk.kind(inbox.path / name) == .link {
                held.append(try Disk.linkTarget(inbox.path / name).bytes)
            }
        }
        let expected = documents.filter { $0.isHeld && !$0.isWithdrawn }.compactMap { $0.content.parts[Content.target] }
        guard held.count == expected.count, Set(held) == Set(expected) else {
            throw Failure("of \(expected.count) links that are held \(held.count) are in the Inbox")
        }
    }

    /// Whether this is what somebody changed in a package while its source was removed after a copy: that returns to the
    /// Inbox, without what had been removed by then.
    private func isRemainder(_ content: Content) throws -> Bool {
        guard content.parts.count > 0, content.parts[""] == nil, let head = content.head else { return false }
        let document = documents[try document(beginningWith: head, "a package")]
        guard document.isAcross, document.visits > 0 else { return false }
        return ([document.content] + document.earlier).contains { content != $0 && content.isPart(of: $0) }
    }

    private func history(of leaf: TestPath) throws -> String {
        let destination = (stage.documents / leaf).bytes
        let records = try crew.flatMap { try $0.filedRecords() }.filter {
            $0["destination"]?.string.map(pathBytes(fromJSON:)) == destination
        }
        let reported = records.map { record in
            ["id", "time", "source", "proof"].map { record[$0]?.string ?? "?" }.joined(separator: " ")
        }
        return "\(leaf): \(reported.joined(separator: ", "))"
    }

    /// Each document is recorded once, under the name that it was filed under. Where a daemon was killed between its
    /// journal and its rename, and another one gave the document the same name then, nothing tells whose rename it was:
    /// both may have recorded it, the first after its restart.
    private func expectRecords(of found: [TestPath]) throws {
        var (records, recovered): ([TestPath: Int], [TestPath: Int]) = ([:], [:])
        let prefix = stage.documents.bytes.count + 1
        for stage in crew {
            for record in try stage.filedRecords() {
                guard let path = record["destination"]?.string else { continue }
                let name = TestPath(pathBytes(fromJSON: path).dropFirst(prefix))
                records[name, default: 0] += 1
                if record["proof"]?.string == "recovered", crew.count > 1 { recovered[name, default: 0] += 1 }
            }
        }
        let ledger = inDocuments.ledger
        var filed = ledger.takenNames
        for origin in ledger.origins.values { filed[origin, default: 0] += 1 }
        for name in found where ledger.origins[name] == nil { filed[name, default: 0] += 1 }
        let wrong = try Set(records.keys).union(filed.keys).filter { name in
            let (count, expected, slack) = (records[name] ?? 0, filed[name] ?? 0, ledger.uncertain[name] ?? 0)
            return count > expected + slack + (recovered[name] ?? 0) || count < expected - slack
        }.prefix(5).map { "\(filed[$0] ?? 0) times filed, \(try history(of: $0))" }
        guard wrong.isEmpty else { throw Failure("not recorded once each: \(wrong)") }
    }
}
