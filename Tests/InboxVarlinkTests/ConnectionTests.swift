import Glibc
import InboxLinux
import InboxVarlink
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.SeededRandom

@Suite("A connection")
struct ConnectionTests {
    private static let status = Call("io.inboxd.Inbox.GetStatus").bytes
    private static let list = Call("io.inboxd.Inbox.ListArrivals", more: true).bytes
    private static let information = Call("org.varlink.service.GetInfo").bytes

    @Test("Calls that are sent at once are answered in order, a list without anything in between")
    func pipelining() throws {
        let inbox = FixedInbox([.waiting("/a"), .waiting("/b")])
        let answers = try replies(to: Self.status, Self.list, Self.information, Self.status, from: inbox)
        let marks = answers.map { reply in
            ["pid", "arrival", "vendor"].first { reply.parameters[$0] != nil } ?? "-"
        }
        #expect(marks == ["pid", "arrival", "arrival", "-", "vendor", "pid"])
    }

    @Test("A call without reply is done, and nothing is said, not even of an error")
    func oneway() throws {
        let inbox = FixedInbox()
        let answers = try replies(
            to: Call("io.inboxd.Inbox.GetStatus", oneway: true).bytes, Call("no.such.Method", oneway: true).bytes,
            Call("io.inboxd.Inbox.ListArrivals", oneway: true).bytes, Self.information, from: inbox)
        #expect(answers.count == 1)
        #expect(answers.first?.parameters["vendor"] != nil)
        #expect(inbox.statusCount == 1)
    }

    @Test("A call that takes time is done without reply too, before the next one, and after its client has hung up")
    func slow() throws {
        let inbox = FixedInbox()
        inbox.pausesOfUndo = 2
        let service = try inbox.service()
        func undo(_ id: String, oneway: Bool) -> [UInt8] {
            Call("io.inboxd.Inbox.Undo", ["id": .string(id)], oneway: oneway).bytes
        }
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(undo("a", oneway: true) + Self.information + undo("b", oneway: false))
        var answers = try conversation(&connection, service)
        #expect(answers.isEmpty && inbox.undone.isEmpty && connection.isPending)
        for _ in 0..<2 {
            connection.wake()
            answers += try conversation(&connection, service)
        }
        #expect(answers.count == 1 && answers.first?.parameters["vendor"] != nil)
        #expect(inbox.undone == ["a"] && connection.isPending && !connection.isDeserted)
        connection.receiveEnd()
        connection.loseOutput()
        #expect(connection.isDeserted && !connection.isFinished)
        for _ in 0..<2 {
            connection.wake()
            #expect(try conversation(&connection, service).isEmpty)
        }
        #expect(inbox.undone == ["a", "b"] && !connection.isDeserted && connection.isFinished)
    }

    @Test("All calls of a client that hangs up are done, though each takes more time than a turn has")
    func deserted() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let server = ServerConnection(UnixSocket(owning: FileDescriptor(owning: pair[0])))
        var service = try FixedInbox().service()
        var done = 0
        service.handle("io.inboxd.Inbox.Undo") { _ in
            let end = ContinuousClock.now + .milliseconds(5)
            while ContinuousClock.now < end {}
            var isDone = false
            return .deed {
                defer { isDone = true }
                if isDone { done += 1 }
                return isDone ? .reply(["path": "a"]) : nil
            }
        }
        let calls = (0..<3).flatMap { Call("io.inboxd.Inbox.Undo", ["id": .string("\($0)")], oneway: true).bytes }
        try #require(write(pair[1], calls, calls.count) == calls.count)
        close(pair[1])
        // The loop serves whoever it waits for, and goes on with those that it does not wait for.
        for _ in 0..<30 where !server.isFinished {
            if server.isDeserted { server.sendMore(with: service) } else { server.serve(with: service, hungUp: true) }
        }
        #expect(done == 3 && server.isFinished)
    }

    @Test("A method with one reply has one also for a client that takes more")
    func moreOfOne() throws {
        let answers = try replies(to: Call("io.inboxd.Inbox.GetStatus", more: true).bytes)
        #expect(answers.map(\.continues) == [false])
    }

    @Test(
        "A malformed message is answered with InvalidParameter, and the connection ends",
        arguments: [
            ("", "message"), ("{", "message"), ("[]", "message"), ("null", "message"), ("{} {}", "message"),
            (String(repeating: "[", count: 1000), "message"), ("{}", "method"), ("{\"method\":1}", "method"),
            ("{\"method\":\"a.B\",\"parameters\":[]}", "parameters"), ("{\"method\":\"a.B\",\"more\":1}", "more"),
            ("{\"method\":\"a.B\",\"oneway\":\"yes\"}", "oneway"),
            ("{\"method\":\"a.B\",\"more\":true,\"oneway\":true}", "more"),
            ("{\"method\":\"a.B\",\"mehtod\":1}", "mehtod"),
            ("{\"method\":\"a.B\",\"oneway\":true,\"upgrade\":true}", "upgrade"),
        ])
    func malformed(text: String, member: String) throws {
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(message(text) + Self.status)
        let answers = try conversation(&connection, FixedInbox().service())
        #expect(answers.map(\.error) == ["org.varlink.service.InvalidParameter"])
        #expect(answers.first?.parameters == ["parameter": .string(member)])
        #expect(connection.isFinished)
        #expect(!connection.wantsBytes)
    }

    @Test("A vendor's member and null members are left alone")
    func extensions() throws {
        let text =
            "{\"method\":\"org.varlink.service.GetInfo\",\"parameters\":null,\"more\":null,\"com.example\":{\"a\":1}}"
        #expect(try replies(to: message(text)).map(\.error) == [nil])
    }

    @Test("A message over the limit is answered before its end has come, and the connection ends")
    func oversize() throws {
        var connection = Connection(longestMessage: 100)
        connection.receive(Array(repeating: UInt8(ascii: " "), count: 100))
        _ = connection.bytesToSend(answeredBy: try FixedInbox().service())
        #expect(connection.wantsBytes)
        connection.receive([UInt8(ascii: " ")])
        let answers = try conversation(&connection, FixedInbox().service())
        #expect(answers.map(\.error) == ["org.varlink.service.InvalidParameter"])
        #expect(connection.isFinished)
    }

    @Test("A reader that never reads costs a bounded buffer, however long the list is")
    func slowReader() throws {
        let inbox = FixedInbox()
        inbox.isEndless = true
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Self.list)
        var largest = 0
        for _ in 0..<1000 { largest = max(largest, connection.bytesToSend(answeredBy: service).count) }
        #expect(largest < 20 * 1024)
        #expect(inbox.arrivalCount < 500)
        let before = inbox.arrivalCount
        connection.sent(largest)
        _ = connection.bytesToSend(answeredBy: service)
        #expect(inbox.arrivalCount > before, "it goes on once the client reads")
    }

    @Test("What a caller may not know is passed over in many turns, and the list goes on by itself")
    func passedOver() throws {
        let inbox = FixedInbox([.waiting("/d/Inbox/own")])
        inbox.hiddenCount = 10_000
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Self.list)
        let (turns, most, text) = firstWords(&connection, service) { inbox.arrivalCount }
        #expect(turns > 150 && most <= 64 && text.contains("/d/Inbox/own"))
    }

    @Test("A sender that never reads is not listened to for long")
    func pushySender() throws {
        let service = try FixedInbox().service()
        var connection = Connection(longestMessage: 1000)
        var taken = 0
        while connection.wantsBytes, taken < 1_000_000 {
            connection.receive(Self.information)
            taken += Self.information.count
            _ = connection.bytesToSend(answeredBy: service)
        }
        #expect(taken < 100_000)
        #expect(connection.hasWork)
    }

    @Test("One turn answers a bounded number of calls, and says that there is more to do")
    func fairness() throws {
        let inbox = FixedInbox()
        var connection = Connection(longestMessage: 64 * 1024)
        let calls = Call("io.inboxd.Inbox.GetStatus", oneway: true).bytes
        connection.receive((0..<500).flatMap { _ in calls })
        _ = connection.bytesToSend(answeredBy: try inbox.service())
        #expect(inbox.statusCount < 500)
        #expect(connection.hasWork)
        _ = try conversation(&connection, inbox.service())
        #expect(inbox.statusCount == 500)
    }

    @Test("A client that only sends is answered after its end, then the connection is at its end")
    func halfClosed() throws {
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Self.status + Self.status + Array(" \r\n".utf8))
        connection.receiveEnd()
        #expect(!connection.isFinished)
        #expect(try conversation(&connection, FixedInbox().service()).map(\.error) == [nil, nil])
        #expect(connection.isFinished)
    }

    @Test("A message without its NUL is refused at the end of what the client sends, and not before")
    func unterminated() throws {
        let service = try FixedInbox().service()
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Self.status + Self.status.dropLast())
        #expect(try conversation(&connection, service).count == 1)
        connection.receiveEnd()
        let replies = try conversation(&connection, service)
        #expect(replies.map(\.error) == ["org.varlink.service.InvalidParameter"])
        #expect(replies.first?.parameters["parameter"]?.string == "message")
        #expect(connection.isFinished)
    }

    @Test("A client that hung up has its calls done, and no list made for it")
    func hungUp() throws {
        let inbox = FixedInbox()
        inbox.isEndless = true
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(Self.list)
        _ = connection.bytesToSend(answeredBy: try inbox.service())
        connection.loseOutput()
        connection.receive(Call("io.inboxd.Inbox.GetStatus", oneway: true).bytes + Self.list)
        connection.receiveEnd()
        let before = inbox.arrivalCount
        #expect(try conversation(&connection, inbox.service()).isEmpty)
        #expect(connection.isFinished)
        #expect(inbox.statusCount == 1)
        #expect(inbox.arrivalCount == before)
    }

    @Test("Random bytes in random parts never trap, and what is said in return is well-formed", arguments: 0..<50)
    func random(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let service = try FixedInbox([.waiting("/a")]).service()
        let pieces = [Self.status, Self.list, Self.information, [0], message("{"), Array("{\"method\":".utf8), [0xFF]]
        for _ in 0..<40 {
            var connection = Connection(longestMessage: Int.random(in: 0...300, using: &generator))
            for _ in 0..<8 {
                var part = pieces.randomElement(using: &generator) ?? []
                if Int.random(in: 0..<4, using: &generator) == 0, !part.isEmpty {
                    part[Int.random(in: 0..<part.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                connection.receive(part.prefix(Int.random(in: 0...part.count, using: &generator)))
                if Bool.random(using: &generator) { _ = try conversation(&connection, service) }
            }
            connection.receiveEnd()
            _ = try conversation(&connection, service)
            #expect(connection.isFinished, "seed \(seed)")
        }
    }
}
