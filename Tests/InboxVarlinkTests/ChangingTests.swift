import InboxLinux
import Testing

@testable import InboxVarlink

@Suite("Methods that change something")
struct ChangingTests {
    private static let changing = ["Pause", "Resume", "Rescan", "Reload", "Retry"]

    @Test("Who has no right is refused each of them, and nothing is done", arguments: changing + ["Put", "Undo"])
    func refused(method: String) throws {
        let inbox = FixedInbox()
        inbox.permitted = []
        let parameters = ["Put": Self.putParameters, "Undo": ",\"parameters\":{\"id\":\"a\"}"][method] ?? ""
        let text = "{\"method\":\"io.inboxd.Inbox.\(method)\"\(parameters)}"
        let answers = try replies(to: message(text), from: inbox)
        #expect(answers.map(\.error) == ["org.varlink.service.PermissionDenied"])
        #expect(inbox.refused == ["\(method) \(method == "Put" ? "put" : "change") \(UInt32.max)"])
        #expect(!inbox.isPaused && inbox.retried.isEmpty && inbox.puts.isEmpty && inbox.undone.isEmpty)
    }

    private static let putParameters = ",\"parameters\":{\"name\":\"a\",\"fd\":0}"

    @Test("Each answers with what it did, in the form of the definition", arguments: changing)
    func answers(method: String) throws {
        let inbox = FixedInbox()
        inbox.scan = RescanReport(folders: 1, arrivals: 2, complete: true)
        let interface = try Interface(parsing: Interface.inboxDefinition)
        let answer = try #require(try replies(to: Call("io.inboxd.Inbox.\(method)").bytes, from: inbox).first)
        #expect(answer.error == nil && !answer.parameters.isEmpty)
        let output = try #require(interface.methods[method]).output
        #expect(interface.misfit(among: answer.parameters, of: output) == nil)
    }

    @Test("A broken configuration is an error with every problem")
    func brokenConfiguration() throws {
        let inbox = FixedInbox()
        let answers = try replies(
            to: Call("io.inboxd.Inbox.Pause").bytes, Call("io.inboxd.Inbox.Reload").bytes, from: inbox)
        #expect(answers[1].error == "io.inboxd.Inbox.BrokenConfiguration")
        #expect(answers[1].parameters["problems"] == .array([.string("conf:1: what is this?")]))
    }

    @Test("An answer that takes time keeps the calls after it waiting, and comes when it is there")
    func later() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Call("io.inboxd.Inbox.Rescan").bytes + Call("io.inboxd.Inbox.GetMetrics").bytes)
        #expect(try conversation(&connection, service).isEmpty)
        #expect(connection.isPending && !connection.isFinished)
        connection.wake()
        #expect(try conversation(&connection, service).isEmpty)
        inbox.scan = RescanReport(folders: 1, arrivals: 2, complete: true)
        connection.receiveEnd()
        connection.wake()
        let answers = try conversation(&connection, service)
        #expect(
            answers.map { $0.parameters["arrivals"] ?? $0.parameters["metrics"] } == [.integer(2), .string("# EOF\n")])
        #expect(connection.isFinished)
    }

    @Test("A client that leaves while its answer takes time is at its end at once")
    func leaves() throws {
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Call("io.inboxd.Inbox.Rescan").bytes)
        let service = try FixedInbox().service()
        _ = try conversation(&connection, service)
        connection.receiveEnd()
        #expect(!connection.isFinished)
        connection.loseOutput()
        _ = try conversation(&connection, service)
        #expect(connection.isFinished)
    }

    @Test("The history has one reply for each record, made when it is there, and an empty one at its end")
    func history() throws {
        let inbox = FixedInbox()
        inbox.records = (1...3).map { .object(["id": .string("\($0)"), "size": .integer(1 << 53 + 1)]) }
        inbox.pausesBetweenRecords = 2
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Call("io.inboxd.Inbox.GetHistory", more: true).bytes)
        var answers: [Reply] = []
        var turns = 0
        while answers.last?.continues != false, turns < 100 {
            turns += 1
            connection.wake()
            answers += try conversation(&connection, service)
        }
        #expect(answers.map(\.continues) == [true, true, true, false])
        #expect(answers.map { $0.parameters["record"]?["id"]?.string } == ["1", "2", "3", nil])
        #expect(answers[0].parameters["record"]?["size"] == .integer(1 << 53 + 1))
        #expect(turns > 3, "nothing is waited for")
    }

    @Test(
        "A time or a limit that makes no sense is an invalid parameter",
        arguments: [
            ("since", "\"yesterday\""), ("until", "\"2026\""), ("limit", "-1"), ("pattern", "\"\\\\q\""),
            ("pattern", "\"" + String(repeating: "é", count: 512) + "*\""),
        ])
    func invalidQuery(name: String, value: String) throws {
        let call = "{\"method\":\"io.inboxd.Inbox.GetHistory\",\"more\":true,\"parameters\":{\"\(name)\":\(value)}}"
        let answer = try #require(try replies(to: message(call)).first)
        #expect(answer.error == "org.varlink.service.InvalidParameter")
        #expect(answer.parameters == ["parameter": .string(name)])
    }

    @Test("A pattern may have as many bytes as the definition says")
    func longPattern() throws {
        let parameters = ["pattern": JSONValue.string(String(repeating: "é", count: 512))]
        let call = Call("io.inboxd.Inbox.GetHistory", parameters, more: true)
        #expect(try replies(to: call.bytes).map(\.error) == [nil])
        #expect(Interface.inboxDefinition.contains("at most \(HistoryCall.longestPattern) bytes"))
    }
}
