import Testing

@testable import InboxVarlink

@Suite("Retry")
struct RetryTests {
    private let all = message(#"{"method":"io.inboxd.Inbox.Retry"}"#)
    private let one = message(#"{"method":"io.inboxd.Inbox.Retry","parameters":{"path":"/d/a"}}"#)
    private let elsewhere = message(#"{"method":"io.inboxd.Inbox.Retry","parameters":{"path":"/e"}}"#)

    private let gone = message(#"{"method":"io.inboxd.Inbox.Retry","parameters":{"path":"/d/gone"}}"#)

    @Test("It is done for all or for one path, and a path that is elsewhere, or at which nothing is found, is refused")
    func done() throws {
        let inbox = FixedInbox()
        let answers = try replies(to: all, one, elsewhere, gone, from: inbox)
        let refusal = "io.inboxd.Inbox.UnreachablePath"
        #expect(answers.map(\.error) == [nil, nil, refusal, refusal])
        #expect(inbox.retried == [nil, "/d/a", "/d/gone"])
        #expect(answers[0].parameters == ["arrivals": .integer(3), "paused": .bool(false)])
    }

    @Test("Who may only read is denied it, and nothing is done")
    func denied() throws {
        let inbox = FixedInbox()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(all + one)
        inbox.permitted = []
        let answers = try conversation(&connection, inbox.service())
        #expect(answers.map(\.error) == Array(repeating: "org.varlink.service.PermissionDenied", count: 2))
        #expect(inbox.retried.isEmpty)
    }
}
