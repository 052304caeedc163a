import InboxTestSupport

/// What has to come true.
extension ScenarioRunner {
    /// Whether the verb was one of these.
    func expectOnDisk(_ verb: String, _ arguments: [TestPath]) async throws -> Bool {
        switch verb {
        case "expect":
            guard let word = arguments.first, arguments.count <= 2 else { throw Failure("expect PATH [CONTENT]") }
            try await expectFile(path(word), arguments.dropFirst().first)
        case "expect-absent":
            let target = try path(take(1, arguments)[0])
            try await eventually { Disk.exists(target) ? "\(target) is there" : nil }
        case "expect-folder":
            let target = try path(take(1, arguments)[0])
            try await eventually { Disk.kind(target) == .folder ? nil : "\(target) is no folder" }
        case "expect-link":
            let words = try take(2, arguments)
            let target = try Disk.linkTarget(path(words[0]))
            guard target == words[1] else { throw Failure("\(words[0]) leads to \(target)") }
        case "expect-private":
            let target = try path(take(1, arguments)[0])
            let mode = try Disk.mode(target)
            guard mode & 0o077 == 0 else { throw Failure("\(target) has mode \(String(mode, radix: 8))") }
        case "expect-only":
            guard let folder = arguments.first, folder.bytes.last == UInt8(ascii: ":") else {
                throw Failure("expect-only FOLDER: PATH…")
            }
            try await expectOnly(path(TestPath(folder.bytes.dropLast())), Set(arguments.dropFirst()))
        case "expect-inbox-empty":
            try await expectOnly(stage.inbox, [])
        default: return false
        }
        return true
    }

    private func expectFile(_ target: TestPath, _ content: TestPath?) async throws {
        try await eventually {
            guard Disk.exists(target) else { return "\(target) is not there" }
            guard let content else { return nil }
            let actual = try Disk.read(target)
            return actual == content.bytes ? nil : "\(target) holds \"\(escaped(actual.prefix(300)))\""
        }
    }

    /// Everything beneath a folder; of Documents the Inbox is left out.
    private func expectOnly(_ folder: TestPath, _ wanted: Set<TestPath>) async throws {
        let hidden: Set<TestPath> = folder == stage.documents ? [stage.inbox] : []
        try await eventually {
            guard let leaves = try? Disk.leaves(of: folder, except: hidden) else { return "\(folder) changes" }
            let actual = Set(leaves)
            guard actual != wanted else { return nil }
            let missing = wanted.subtracting(actual).map(\.description).sorted()
            let surplus = actual.subtracting(wanted).map(\.description).sorted()
            return "\(folder): missing \(missing), too many \(surplus)"
        }
    }

    /// Whether the verb was one of these.
    func expectOfDaemon(_ verb: String, _ arguments: [TestPath]) async throws -> Bool {
        switch verb {
        case "waits", "held":
            let words = try take(2, arguments)
            let reasons = words[1].description.split(separator: "|").map(String.init)
            let state = verb == "waits" ? "waiting" : "held"
            try await stage.expectListed(words[0], state: state, reasons: reasons)
        case "ignores":
            for name in arguments { try await stage.expectListed(name, state: "ignored", reasons: []) }
        case "unlisted":
            for name in arguments { try await stage.expectUnlisted(name) }
        case "counters":
            let expected = try pairs(arguments).map { ($0.key, try number($0.value)) }
            let known = Set(Stage.balanced + ["seen", "bytesFiled", "overflows", "rescans"])
            for (name, _) in expected where !known.contains(name) { throw Failure("no counter is called \(name)") }
            try await stage.expectCounters(Dictionary(expected) { $1 })
        case "state":
            let wanted = try take(1, arguments)[0].description
            try await eventually(every: .milliseconds(100)) {
                let state = try await stage.status()["state"]?.word ?? "missing"
                return state == wanted ? nil : "the state is \(state)"
            }
        case "watching":
            try await expectWatching(take(2, arguments))
        case "history": try await stage.expectFiledRecords(number(take(1, arguments)[0]))
        case "record": try await stage.expectRecord(pairs(arguments))
        case "drop-many": try await dropMany(take(3, arguments))
        default: return false
        }
        return true
    }

    /// `watching PATH HOW`: how the daemon watches one Inbox.
    private func expectWatching(_ words: [TestPath]) async throws {
        let inbox = path(words[0])
        try await eventually(every: .milliseconds(100)) {
            let inboxes = try await stage.status()["inboxes"]?.array ?? []
            let found = inboxes.first { TestPath(pathBytes(fromJSON: $0["path"]?.word ?? "")) == inbox }
            return found?["watching"]?.word == words[1].description ? nil : "the inboxes are \(inboxes)"
        }
    }

    /// `drop-many COUNT NAME CONTENT`: one after another under the same name, each once the one before has left.
    private func dropMany(_ words: [TestPath]) async throws {
        let target = inInbox(words[1])
        for _ in 0..<(try number(words[0])) {
            try await eventually(every: .milliseconds(2)) { Disk.exists(target) ? "\(target) is still there" : nil }
            try Disk.put(words[2].bytes, at: target)
        }
    }
}
