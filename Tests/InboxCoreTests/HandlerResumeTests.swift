import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// Handlers after a start that finds what an earlier run has left.
@Suite("Handlers that an earlier run has left")
struct HandlerResumeTests {
    /// A state folder with documents that an earlier run has filed, and the handlers of a run after it. The documents are
    /// gone, so that each handler ends at once.
    private final class Stage {
        let folder: TemporaryFolder
        let configuration: Configuration
        let history: History
        /// The records of the earlier run.
        private(set) var earlier: [FiledRecord] = []
        private(set) var notices: [String] = []
        private(set) var offset = Duration.zero
        private var source = RecordID.Source()
        private var handlers: Handlers?

        /// - Parameter earlier: the names of the documents of the earlier run.
        init(earlier: [String]) throws {
            folder = try TemporaryFolder()
            configuration = try Configuration.withHandler(in: folder, "RunRetries=0\n")
            history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
            let journal = try HandlerJournal(in: OpenFolder(try folder.open()))
            try journal.mark(history.mark, since: ["P": "0000000000000001"])
            for name in earlier { self.earlier.append(try record(name)) }
        }

        /// Records a document as filed, and returns its record.
        @discardableResult
        func record(_ name: String, isRecovered: Bool = false) throws -> FiledRecord {
            let record = FiledRecord(
                id: source.next(at: .now()), time: .now(), source: BytePath("/i/\(name)"),
                destination: configuration.documents.appending(name), type: "public.jpeg", mime: nil, size: 1,
                documentType: isRecovered ? nil : "P", evidence: "content", renamed: false,
                proof: isRecovered ? .recovered : .lease)
            try history.append(record.line, isDurable: false)
            return record
        }

        /// The handlers of the run, which begins with the first use.
        func begin() throws -> Handlers {
            if let handlers { return handlers }
            let new = try Handlers(in: try FairPool()) { [unowned self] happening in
                if case .notice(let text) = happening { notices.append(text) }
            }
            handlers = new
            new.adopt(configuration, RoutingRules(configuration))
            try new.begin(in: OpenFolder(try folder.open()), history)
            return new
        }

        /// Goes on until this holds, for five minutes at most; that it holds is expected.
        func proceed(isQuiet: Bool = true, until isDone: (Handlers) throws -> Bool) throws {
            let handlers = try begin()
            let isOver = try handlers.proceed(after: offset, isQuiet: isQuiet) { try isDone(handlers) }
            if !isOver { Issue.record("it does not come to that: \(notices), \(try handled())") }
        }

        /// The run ends as by a kill.
        func crash() { handlers = nil }

        /// Waits until the journal of handlers has this word, for five minutes at most.
        func awaitNote(_ word: String) throws {
            for _ in 0..<300_000 where try !folder.read("handlers").contains(word) { usleep(1000) }
        }

        /// Lets time pass.
        func pass(_ time: Duration) { offset += time }

        /// The names of the documents whose handlers have ended, in that order.
        func handled() throws -> [String] { try folder.handled().map(\.name) }
    }

    @Test("One that is to run again on request does so after a crash as well, and once its end is recorded no more")
    func again() throws {
        let stage = try Stage(earlier: ["a"])
        try stage.proceed { $0.isIdle && !$0.isPending }
        #expect(try stage.handled() == ["a"])
        let line = try #require(stage.earlier.first?.line)
        guard case .begun = try stage.begin().retry(recordedAs: Array(line.dropLast())) else {
            Issue.record("it does not begin")
            return
        }
        try stage.awaitNote("again")
        stage.crash()
        try stage.proceed { _ in try stage.handled() == ["a", "a"] }
        try stage.proceed { $0.isIdle && !$0.isPending }
        stage.crash()
        try stage.proceed { $0.isIdle && !$0.isPending }
        #expect(try stage.handled() == ["a", "a"])
    }

    @Test("They run before those of what is filed after the start, while filing never rests, and say that they wait")
    func order() throws {
        let stage = try Stage(earlier: ["a", "b"])
        let handlers = try stage.begin()
        let first = try stage.record("first")
        handlers.filed(first)
        #expect(handlers.progress(of: first.id.text, "P", at: .now()) == "waits for its turn")
        for record in stage.earlier {
            let words = handlers.progress(of: record.id.text, "P", at: .now())
            #expect(words?.hasPrefix("not known yet: the history is searched") == true, "\(words ?? "nil")")
            #expect(handlers.progress(of: record.id.text, nil, at: .now()) == nil)
            #expect(handlers.progress(of: record.id.text, "without a handler", at: .now()) == nil)
        }
        var later = 0
        try stage.proceed(isQuiet: false) { handlers in
            later += 1
            if later < 5 { handlers.filed(try stage.record("later \(later)")) }
            return try stage.handled().count == 7
        }
        #expect(try stage.handled() == ["a", "b", "first"] + (1...4).map { "later \($0)" })
        try stage.proceed { !$0.isPending }
        #expect(try stage.handled().count == 7, "one ran again")
        #expect(handlers.progress(of: first.id.text, "P", at: .now()) == nil)
    }

    @Test("What an interruption had left without a record has its turn when it is recorded, though filing never rests")
    func recovered() throws {
        let stage = try Stage(earlier: ["a"])
        let handlers = try stage.begin()
        handlers.filed(try stage.record("first"))
        handlers.recovered(try stage.record("recovered", isRecovered: true))
        handlers.filed(try stage.record("last"))
        try stage.proceed(isQuiet: false) { _ in try stage.handled().count == 4 }
        #expect(try stage.handled() == ["a", "first", "recovered", "last"])
        try stage.proceed { !$0.isPending }
        #expect(try stage.handled().count == 4, "one ran again")
    }

    @Test("The end of a handler that cannot be recorded is recorded later, and nothing runs twice or waits for ever")
    func unrecorded() throws {
        let stage = try Stage(earlier: [])
        let handlers = try stage.begin()
        try stage.proceed { !$0.isPending }
        handlers.filed(try stage.record("a"))
        stage.folder.rename("history.jsonl", to: "elsewhere")
        stage.folder.makeFolder("history.jsonl")
        try stage.proceed { _ in stage.notices.contains { $0.contains("cannot record") } }
        #expect(handlers.isPending && handlers.hasEnded && handlers.nextDeadline != .never)
        #expect(rmdir(stage.folder.path + "/history.jsonl") == 0)
        stage.folder.rename("elsewhere", to: "history.jsonl")
        stage.pass(.seconds(2))
        try stage.proceed { !$0.isPending }
        #expect(try stage.handled() == ["a"])
        #expect(stage.notices.count == 1)
    }

    @Test(
        "What is filed while a document type has no handler is not handled when it has one again, also after a restart")
    func withoutHandler() throws {
        for isReloaded in [true, false] {
            let stage = try Stage(earlier: ["a"])
            let others = try TemporaryFolder()
            let text = try stage.folder.read("conf").replacing("Run=/bin/true\n", with: "")
            try others.write("conf", text + "[DocumentType Q]\nContentTypes=com.adobe.pdf\nRun=/bin/true\n")
            let configuration = try Configuration.inFile("conf", of: others, state: stage.folder)
            // A daemon that gets a configuration without the handler, or is started with it.
            var daemon: Handlers? = try Handlers(in: try FairPool()) { _ in }
            if isReloaded {
                daemon?.adopt(stage.configuration, RoutingRules(stage.configuration))
            } else {
                daemon?.adopt(configuration, RoutingRules(configuration))
            }
            try daemon?.begin(in: OpenFolder(try stage.folder.open()), stage.history)
            if isReloaded { daemon?.adopt(configuration, RoutingRules(configuration)) }
            daemon = nil
            let filed = try stage.record("b")
            // Ids of one millisecond have no order in time.
            while RecordID(before: .now()).text <= filed.id.text {}
            try stage.proceed { !$0.isPending }
            #expect(try stage.handled().isEmpty, "reloaded: \(isReloaded)")
            try stage.begin().filed(try stage.record("c"))
            try stage.proceed { !$0.isPending }
            #expect(try stage.handled() == ["c"], "reloaded: \(isReloaded)")
        }
    }

    @Test("While it is not known which handlers are still to run, documents that have none can be put back")
    func undoable() throws {
        let stage = try Stage(earlier: ["a"])
        let handlers = try stage.begin()
        let (id, first) = (stage.earlier[0].id.text, "0000000000000000")
        #expect(handlers.handles(id, "P", isRecovered: false) && handlers.handles(id, nil, isRecovered: true))
        #expect(!handlers.handles(id, "without a handler", isRecovered: false))
        #expect(!handlers.handles(id, nil, isRecovered: false))
        #expect(!handlers.handles(first, "P", isRecovered: false), "it was filed before its type got the handler")
    }

    @Test("Where the history does not go back to what is handled, handlers that may not have run are reported")
    func lostHistory() throws {
        for (name, notices) in [(nil, 1), ("history.jsonl.1", 0), ("history-20260101T000000.jsonl", 0)] {
            let stage = try Stage(earlier: ["a"])
            if let name {
                stage.folder.rename("history.jsonl", to: name)
            } else {
                unlink(stage.folder.path + "/history.jsonl")
            }
            try stage.record("b")
            try stage.proceed { !$0.isPending }
            #expect(stage.notices.count == notices, "\(stage.notices)")
            #expect(stage.notices.allSatisfy { $0.contains("handlers of documents filed before may not have run") })
            #expect(try stage.handled() == (notices > 0 ? ["b"] : ["a", "b"]))
        }
        let cut = try Stage(earlier: ["a", "b"])
        try HandlerJournal(in: OpenFolder(try cut.folder.open())).mark(cut.history.mark)
        try cut.folder.write("history.jsonl")
        try cut.record("c")
        #expect(try cut.begin().isPending)
        #expect(cut.notices.count == 1)
    }

    @Test("Where nothing is left, the handlers of what is filed begin without a rest of filing")
    func nothingLeft() throws {
        let stage = try Stage(earlier: [])
        try stage.begin().filed(try stage.record("a"))
        try stage.proceed(isQuiet: false) { _ in try stage.handled() == ["a"] }
    }

    @Test("A search that fails is tried again, in order; after four failures others go first, and it is still tried")
    func failedSearch() throws {
        for failures in [1, 4] {
            let stage = try Stage(earlier: ["a"])
            // The search opens it, and it is no file.
            stage.folder.makeLink("history-29991231T235959.jsonl", to: "nowhere")
            try stage.begin().filed(try stage.record("b"))
            for number in 1...failures {
                try stage.proceed { _ in stage.notices.count == number }
                #expect(try stage.handled().isEmpty)
                if number < failures { stage.pass(.seconds(10)) }
            }
            #expect(stage.notices[0].hasSuffix("it is tried again in 1s"), "\(stage.notices)")
            if failures == 4 { try stage.proceed { _ in try stage.handled() == ["b"] } }
            #expect(try stage.begin().isPending)
            try stage.folder.open().removeFile(try #require(FileName("history-29991231T235959.jsonl")))
            stage.pass(.seconds(10))
            try stage.proceed { !$0.isPending }
            #expect(try stage.handled() == (failures == 4 ? ["b", "a"] : ["a", "b"]))
            #expect(stage.notices.count == failures)
        }
    }
}
