import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// Handlers of documents that are not where they were filed.
@Suite("Handlers of documents that are missing")
struct HandlerPlaceTests {
    /// A state folder, Documents with documents in it, and the handlers of a daemon.
    final class Stage {
        let folder: TemporaryFolder
        let roots = Roots()
        let log: RecordLog
        private(set) var notices: [String] = []
        private(set) var offset = Duration.zero
        private var source = RecordID.Source()
        private(set) var handlers: Handlers

        init() throws {
            folder = try TemporaryFolder()
            folder.makeFolder("d")
            let state = OpenFolder(try folder.open())
            log = RecordLog(journal: try Journal(in: state), history: try History(in: state, maxSize: 0))
            var report: (String) -> Void = { _ in }
            handlers = try Handlers(in: try FairPool(), on: roots) { happening in
                if case .notice(let text) = happening { report(text) }
            }
            report = { [unowned self] in notices.append($0) }
            let configuration = try Configuration.withHandler(in: folder, "RunRetries=0\n")
            handlers.adopt(configuration, RoutingRules(configuration))
            _ = try roots.open(configuration.documents, as: .documents)
            try handlers.begin(in: state, log.history, log.journal)
        }

        /// Files a document, and returns its id.
        @discardableResult
        func file(_ name: String) throws -> String {
            try folder.write("d/" + name, name)
            let status = try folder.status("d/" + name)
            let record = FiledRecord(
                id: source.next(at: .now()), time: .now(), source: BytePath("/i/\(name)"),
                destination: folder.bytePath("d/" + name), type: "public.jpeg", mime: nil, size: 1, documentType: "P",
                evidence: "content", renamed: false, proof: .lease, identity: status.identity)
            try log.record([record], isDurable: false)
            handlers.filed(record)
            return record.id.text
        }

        /// Puts a configuration in force that has other Documents, as a reload does.
        func reload() throws {
            let other = try TemporaryFolder()
            let configuration = try Configuration.withHandler(in: other, "RunRetries=0\n")
            handlers.adopt(configuration, RoutingRules(configuration))
            roots.acceptAll()
        }

        /// Goes on until this holds, for five minutes at most; that it holds is expected.
        func proceed(until isDone: () throws -> Bool) throws {
            let isOver = try handlers.proceed(after: offset, until: isDone)
            if !isOver { Issue.record("it does not come to that: \(notices), \(try outcomes())") }
        }

        func pass(_ time: Duration) { offset += time }

        /// The outcomes of the handlers that have ended.
        func outcomes() throws -> [String] {
            try folder.handled().map { "\($0.name) \($0.outcome)" }.sorted()
        }
    }

    @Test("While another folder is in place of Documents they wait, which is reported once, and run when it is back")
    func strange() throws {
        let stage = try Stage()
        let ids = try ["a", "b", "c"].map(stage.file)
        stage.folder.rename("d", to: "former")
        stage.folder.makeFolder("d")
        try stage.proceed { stage.handlers.isIdle }
        #expect(stage.notices.count == 1, "\(stage.notices)")
        #expect(stage.notices.first?.contains("is another folder than before") == true)
        for id in ids {
            let words = stage.handlers.progress(of: id, "P", at: .now())
            #expect(words?.contains("put the first one back") == true, "\(words ?? "nil")")
        }
        let journal = try stage.folder.read("journal")
        for _ in 1...3 {
            stage.pass(.seconds(11))
            try stage.proceed { stage.handlers.isIdle }
        }
        #expect(try stage.outcomes().isEmpty && stage.handlers.isPending && stage.notices.count == 1)
        try stage.proceed { stage.handlers.nextDeadline != .never }
        #expect(try stage.folder.read("journal") == journal, "no try has begun")
        #expect(rmdir(stage.folder.path + "/d") == 0)
        stage.folder.rename("former", to: "d")
        stage.pass(.seconds(11))
        try stage.proceed { !stage.handlers.isPending }
        #expect(try stage.outcomes() == ["a done", "b done", "c done"])
    }

    @Test("One that was removed, or whose Documents were removed, is gone")
    func gone() throws {
        let stage = try Stage()
        try stage.file("a")
        unlink(stage.folder.path + "/d/a")
        try stage.proceed { !stage.handlers.isPending }
        try stage.file("b")
        unlink(stage.folder.path + "/d/b")
        #expect(rmdir(stage.folder.path + "/d") == 0)
        try stage.proceed { !stage.handlers.isPending }
        #expect(try stage.outcomes() == ["a gone", "b gone"])
    }

    @Test(
        "One in a folder that is not configured any more is handled, and has failed where it is not there")
    func formerRoot() throws {
        let stage = try Stage()
        for name in ["a", "b"] { try stage.file(name) }
        unlink(stage.folder.path + "/d/b")
        try stage.reload()
        try stage.proceed { !stage.handlers.isPending }
        #expect(try stage.outcomes() == ["a done", "b failed"])
        let words = "lies in none of the configuration's destinations any more"
        #expect(try stage.folder.read("history.jsonl").contains(words))
    }
}
