import Testing

@testable import InboxVarlink

@Suite("The service")
struct ServiceTests {
    private static let standard = "org.varlink.service."

    @Test("It describes itself and its interfaces")
    func information() throws {
        let reply = try #require(try replies(to: Call("org.varlink.service.GetInfo").bytes).first)
        #expect(reply.parameters["product"] == .string("inboxd"))
        #expect(reply.parameters["interfaces"] == .array([.string("org.varlink.service"), .string("io.inboxd.Inbox")]))
    }

    @Test(
        "A call that makes no sense gets the standard error",
        arguments: [
            ("io.inboxd.Nothing.GetStatus", "{}", "InterfaceNotFound", "{\"interface\":\"io.inboxd.Nothing\"}"),
            ("GetStatus", "{}", "InterfaceNotFound", "{\"interface\":\"\"}"),
            ("", "{}", "InterfaceNotFound", "{\"interface\":\"\"}"),
            ("io.inboxd.Inbox.", "{}", "MethodNotFound", "{\"method\":\"io.inboxd.Inbox.\"}"),
            ("io.inboxd.Inbox.Stauts", "{}", "MethodNotFound", "{\"method\":\"io.inboxd.Inbox.Stauts\"}"),
            ("io.inboxd.Inbox.GetStatus", "{\"verbose\":true}", "InvalidParameter", "{\"parameter\":\"verbose\"}"),
            ("io.inboxd.Inbox.ListArrivals", "{\"state\":1}", "InvalidParameter", "{\"parameter\":\"state\"}"),
            ("io.inboxd.Inbox.ListArrivals", "{}", "ExpectedMore", "{}"),
            ("org.varlink.service.GetInterfaceDescription", "{}", "InvalidParameter", "{\"parameter\":\"interface\"}"),
            (
                "org.varlink.service.GetInterfaceDescription", "{\"interface\":\"a.b\"}", "InterfaceNotFound",
                "{\"interface\":\"a.b\"}"
            ),
        ])
    func errors(method: String, parameters: String, error: String, reported: String) throws {
        let text = "{\"method\":\"\(method)\",\"parameters\":\(parameters)}"
        let answers = try replies(to: message(text), Call("io.inboxd.Inbox.GetStatus").bytes)
        #expect(answers.map(\.error) == [Self.standard + error, nil], "the connection goes on")
        #expect(JSONValue.object(answers[0].parameters).text == reported)
    }

    @Test("A state that no arrival can be in is an invalid parameter")
    func unknownState() throws {
        let call = Call("io.inboxd.Inbox.ListArrivals", ["state": .string("lost")], more: true)
        let reply = try #require(try replies(to: call.bytes).first)
        #expect(reply.error == Self.standard + "InvalidParameter")
        #expect(reply.parameters == ["parameter": .string("state")])
        #expect(!reply.continues)
    }

    @Test("A method that is defined but has no handler is not implemented")
    func notImplemented() throws {
        var service = try Service(.inboxd)
        service.add(try Interface(parsing: "interface a.b\nmethod C() -> ()"))
        guard case .failure(let error) = service.answer(Call("a.b.C")) else {
            Issue.record("it answered")
            return
        }
        #expect(error == .methodNotImplemented("a.b.C"))
    }

    @Test("Another protocol on the connection is not to be had")
    func upgrade() throws {
        let reply = try #require(try replies(to: Call("io.inboxd.Inbox.GetStatus", upgrade: true).bytes).first)
        #expect(reply.error == Self.standard + "InvalidParameter")
        #expect(reply.parameters == ["parameter": .string("upgrade")])
    }

    @Test("The list has one reply for each arrival and an empty one at its end")
    func list() throws {
        let inbox = FixedInbox([.waiting("/d/Inbox/a"), .held("/d/Inbox/b")])
        let all = try replies(to: Call("io.inboxd.Inbox.ListArrivals", more: true).bytes, from: inbox)
        #expect(all.map(\.continues) == [true, true, false])
        #expect(all.map { $0.parameters["arrival"]?["path"]?.string } == ["/d/Inbox/a", "/d/Inbox/b", nil])
        #expect(all[1].parameters["arrival"]?["next"] == .string("2026-11-20T22:51:08Z"))
        let held = Call("io.inboxd.Inbox.ListArrivals", ["state": .string("held")], more: true)
        #expect(try replies(to: held.bytes, from: inbox).count == 2)
        let none = Call("io.inboxd.Inbox.ListArrivals", ["state": .null], more: true)
        #expect(try replies(to: none.bytes, from: FixedInbox()).map(\.continues) == [false])
    }
}
