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
        let state: OpenFolder
        let configuration: Configuration
        let history: History
        private(set) var journal: Journal
        /// The records of the earlier run.
        private(set) var earlier: [FiledRecord] = []
        private(set) var notices: [String] = []
        private(set) var offset = Duration.zero
        private var source = RecordID.Source()
        private var handlers: Handlers?

        /// - Parameter earlier: the names of the documents of the earlier run.
        init(earlier: [String]) throws {
            folder = try TemporaryFolder()
            state = OpenFolder(try folder.open())
            configuration = try Configuration.withHandler(in: folder, "RunRetries=0\n")
            history = try History(in: state, maxSize: 0)
            journal = try Journal(in: state)
            journal.adopt(handlerTypes: ["P"])
            for name in earlier { self.earlier.append(try record(name)) }
            try crash()
        }

        /// Makes a record of a document.
        func made(_ name: String) -> FiledRecord {
            FiledRecord(
                id: source.next(at: .now()), time: .now(), source: BytePath("/i/\(name)"),
                destination: configuration.documents.appending(name), type: "public.jpeg", mime: nil, size: 1,
                documentType: "P", evidence: "content", renamed: false, proof: .lease)
        }

        /// Records a document as filed, and returns its record.
        @discardableResult
        func record(_ name: String) throws -> FiledRecord {
            let record = made(name)
            try RecordLog(journal: journal, history: history).record([record], isDurable: false)
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
            try new.begin(in: state, history, journal)
            return new
        }

        /// Goes on until this holds, for five minutes at most; that it holds is expected.
        func proceed(until isDone: (Handlers) throws -> Bool = { !$0.isPending }) throws {
            let handlers = try begin()
            let isOver = try handlers.proceed(after: offset) { try isDone(handlers) }
            if !isOver { Issue.record("it does not come to that: \(notices), \(try handled())") }
        }

        /// The run ends as by a kill, and the next one reads the journal.
        func crash() throws {
            handlers = nil
            journal = try Journal(in: state)
        }

        /// Lets time pass.
        func pass(_ time: Duration) { offset += time }

        /// The names of the documents whose handlers have ended, in that order.
        func handled() throws -> [String] { try folder.handled().map(\.name) }
    }

    @Test("One that is to run again on request does so after a crash as well, and once its end is recorded no more")
    func again() throws {
        let stage = try Stage(earlier: ["a"])
        try stage.proceed()
        #expect(try stage.handled() == ["a"])
        #expect(try stage.folder.read("journal").isEmpty)
        let line = try #require(stage.earlier.first?.line)
        guard case .begun = try stage.begin().retry(recordedAs: Array(line.dropLast())) else {
            Issue.record("it does not begin")
            return
        }
        for _ in 0..<300_000 where !stage.journal.hasDue { usleep(1000) }
        // The record of its first end precedes the try, and is not the end of that.
        try stage.journal.noteTry(1, of: stage.earlier[0].id, at: stage.history.mark, isDurable: false)
        try stage.crash()
        try stage.proceed { _ in try stage.handled() == ["a", "a"] }
        try stage.proceed()
        try stage.crash()
        try stage.proceed()
        #expect(try stage.handled() == ["a", "a"])
    }

    @Test("They run before those of what is filed after the start, and say that they wait")
    func order() throws {
        let stage = try Stage(earlier: ["a", "b"])
        let handlers = try stage.begin()
        let first = try stage.record("first")
        handlers.filed(first)
        for record in stage.earlier + [first] {
            #expect(handlers.progress(of: record.id.text, "P", at: .now()) == "waits for its turn")
        }
        var later = 0
        try stage.proceed { handlers in
            later += 1
            if later < 5 { handlers.filed(try stage.record("later \(later)")) }
            return try stage.handled().count == 7
        }
        #expect(try stage.handled() == ["a", "b", "first"] + (1...4).map { "later \($0)" })
        try stage.proceed()
        #expect(try stage.handled().count == 7, "one ran again")
        #expect(handlers.progress(of: first.id.text, "P", at: .now()) == nil)
    }

    @Test("One whose end was recorded when the daemon was killed does not run again, and has one record")
    func endedAtKill() throws {
        let stage = try Stage(earlier: ["a", "b"])
        let ended = stage.earlier[0]
        try stage.journal.noteTry(1, of: ended.id, at: stage.history.mark, isDurable: false)
        let record = HandlerRecord(
            document: try #require(HandledDocument(recordedAs: ended.line)), program: BytePath("/bin/true"),
            ending: .exited(0),
            tries: 1,
            duration: .zero, time: .now())
        try stage.history.append(record.line, isDurable: false)
        try stage.crash()
        try stage.proceed()
        #expect(try stage.handled() == ["a", "b"])
        #expect(try stage.folder.read("journal").isEmpty)
    }

    @Test("The end of a handler that cannot be recorded is recorded later, and nothing runs twice or waits for ever")
    func unrecorded() throws {
        let stage = try Stage(earlier: [])
        let handlers = try stage.begin()
        handlers.filed(try stage.record("a"))
        stage.folder.rename("history.jsonl", to: "elsewhere")
        stage.folder.makeFolder("history.jsonl")
        try stage.proceed { _ in stage.notices.contains { $0.contains("cannot record") } }
        #expect(handlers.isPending && handlers.hasEnded && handlers.nextDeadline != .never)
        #expect(rmdir(stage.folder.path + "/history.jsonl") == 0)
        stage.folder.rename("elsewhere", to: "history.jsonl")
        stage.pass(.seconds(2))
        try stage.proceed()
        #expect(try stage.handled() == ["a"])
        #expect(stage.notices.count == 1)
    }

    @Test(
        "What is filed while a document type has no handler is not handled when it has one again, also after a restart")
    func withoutHandler() throws {
        for isRestarted in [true, false] {
            let stage = try Stage(earlier: ["a"])
            let others = try TemporaryFolder()
            let text = try stage.folder.read("conf").replacing("Run=/bin/true\n", with: "")
            try others.write("conf", text + "[DocumentType Q]\nContentTypes=com.adobe.pdf\nRun=/bin/true\n")
            let configuration = try Configuration.inFile("conf", of: others, state: stage.folder)
            try stage.begin().adopt(configuration, RoutingRules(configuration))
            try stage.begin().filed(try stage.record("b"))
            try stage.proceed()
            #expect(stage.notices == ["1 document of P has no handler any more"], "that of a")
            if isRestarted {
                try stage.crash()
            } else {
                try stage.begin().adopt(stage.configuration, RoutingRules(stage.configuration))
            }
            try stage.proceed()
            #expect(try stage.handled().isEmpty, "restarted: \(isRestarted)")
            try stage.begin().filed(try stage.record("c"))
            try stage.proceed()
            #expect(try stage.handled() == ["c"], "restarted: \(isRestarted)")
        }
    }

    @Test("A document whose handler is due is not to be put back, and others are")
    func undoable() throws {
        let stage = try Stage(earlier: ["a"])
        let handlers = try stage.begin()
        #expect(handlers.handles(stage.earlier[0].id.text, "P"))
        #expect(!handlers.handles("0000000000000000", "P"))
    }

    @Test(
        "Records are found whatever their file is named now; where they are gone, that their handlers do not run is said"
    )
    func lostHistory() throws {
        for name in ["history.jsonl.1", "history-20260101T000000.jsonl"] {
            let stage = try Stage(earlier: ["a"])
            stage.folder.rename("history.jsonl", to: name)
            try stage.begin().filed(try stage.record("b"))
            try stage.proceed()
            #expect(try stage.notices.isEmpty && stage.handled() == ["a", "b"])
        }
        for isCut in [true, false] {
            let stage = try Stage(earlier: ["a", "b"])
            if isCut { try stage.folder.write("history.jsonl") } else { unlink(stage.folder.path + "/history.jsonl") }
            try stage.begin().filed(try stage.record("c"))
            try stage.proceed()
            #expect(stage.notices.count == 1 && stage.notices[0].contains("the handlers of 2 documents do not run"))
            #expect(try stage.handled() == ["c"])
        }
    }

    #if DEBUG
        @Test("What cannot be read of the history is tried again, and runs in its order")
        func failedReading() async {
            await #expect(processExitsWith: .success) {
                let stage = try Stage(earlier: ["a"])
                FaultPlan.arm(
                    FaultPlan(at: .every, action: .fail(.inputOutput), only: .openat, part: "/history.jsonl"))
                try stage.begin().filed(try stage.record("b"))
                for number in 1...2 {
                    try stage.proceed { _ in stage.notices.count == number }
                    if number == 1 { stage.pass(.seconds(10)) }
                }
                #expect(stage.notices[0].hasSuffix("it is tried again in 1s"), "\(stage.notices)")
                FaultPlan.disarm()
                #expect(try stage.handled().isEmpty)
                stage.pass(.seconds(10))
                try stage.proceed()
                #expect(try stage.handled() == ["a", "b"])
                #expect(stage.notices.count == 2)
            }
        }
    #endif

    @Test("What a version before has left due is found in the history once, with its tries, and its file is removed")
    func earlierVersion() throws {
        let stage = try Stage(earlier: [])
        func append(_ record: FiledRecord) throws { try stage.history.append(record.line, isDurable: false) }
        func handled(_ record: FiledRecord) throws {
            let document = try #require(HandledDocument(recordedAs: record.line))
            let line = HandlerRecord(
                document: document, program: BytePath("/bin/true"), ending: .exited(0), tries: 1, duration: .zero,
                time: .now()
            ).line
            try stage.history.append(line, isDurable: false)
        }
        let (before, done, tried, due, again) = (
            stage.made("before"), stage.made("done"), stage.made("tried"), stage.made("due"), stage.made("again")
        )
        try append(before)
        try append(again)
        try handled(again)
        let mark = stage.history.mark
        for record in [done, tried, due] { try append(record) }
        try handled(done)
        try stage.folder.write(
            "handlers",
            """
            mark \(mark.file) \(mark.size)
            since 0000000000000001 P
            try \(tried.id.text) 1
            try \(due.id.text) 1
            try \(due.id.text) 0
            again \(again.id.text) \(String(decoding: again.line.dropLast(), as: UTF8.self))
            try torn
            """)
        let handlers = try stage.begin()
        #expect(handlers.handles(due.id.text, "P"))
        // What is filed meanwhile follows.
        handlers.filed(try stage.record("new"))
        try stage.proceed()
        #expect(try stage.handled() == ["again", "done", "tried", "due", "again", "new"])
        let tries = try stage.folder.read("history.jsonl").split(separator: "\n").filter { $0.contains("\"tries\":2") }
        #expect(tries.count == 1 && tries[0].contains(tried.id.text))
        #expect(access(stage.folder.path + "/handlers", F_OK) != 0)
        #expect(try stage.folder.read("journal").isEmpty)
        try stage.crash()
        try stage.proceed()
        #expect(try stage.handled().count == 6)
    }
}
