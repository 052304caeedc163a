import Glibc
import InboxLinux
import InboxVarlink
import Testing

extension EventReport {
    /// An event that arrivals of some size make.
    static func arrived(_ number: Int, _ path: String = "/d/Inbox/a") -> EventReport {
        var report = EventReport(
            boot: "b00t", number: Int64(number), time: "2026-11-20T22:51:07.042Z", kind: .arrived)
        report.path = path
        report.size = 12
        return report
    }
}

@Suite("A client that follows")
struct FollowingTests {
    private static let subscribe = Call("io.inboxd.Inbox.Subscribe", more: true).bytes
    private static let status = Call("io.inboxd.Inbox.GetStatus").bytes

    private func numbers(_ replies: [Reply]) -> [Int64?] {
        replies.map { $0.parameters["event"]?["number"]?.integer }
    }

    @Test("It receives what happens when it happens, and never that it is over")
    func reported() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 1024)
        connection.receive(Self.subscribe)
        #expect(try conversation(&connection, service).isEmpty)
        #expect(connection.isFollowing && !connection.hasWork && !connection.isFinished)
        inbox.happened = [.arrived(1), .arrived(2)]
        #expect(!connection.hasWork, "nothing is done before somebody wakes it")
        connection.wake()
        let replies = try conversation(&connection, service)
        #expect(numbers(replies) == [1, 2])
        #expect(replies.allSatisfy { $0.continues && $0.error == nil })
        #expect(try replies[0].parameters["event"]?.decoded(as: EventReport.self) == .arrived(1))
        connection.wake()
        #expect(try conversation(&connection, service).isEmpty)
    }

    @Test("What it may not know is passed over in many turns, and what follows is reported all the same")
    func passedOver() throws {
        let inbox = FixedInbox()
        inbox.happened = (1...4096).map { .arrived($0) }
        inbox.hiddenCount = 4095
        let service = try inbox.service()
        var connection = Connection(longestMessage: 1024)
        connection.receive(Call("io.inboxd.Inbox.Subscribe", ["since": .integer(0)], more: true).bytes)
        let (turns, most, text) = firstWords(&connection, service) { inbox.reportedCount }
        #expect(turns > 60 && most <= 64 && text.contains("\"number\":4096"))
    }

    @Test("What it wants to know is passed on, and what makes no sense is refused")
    func parameters() throws {
        let inbox = FixedInbox()
        inbox.happened = (1...5).map { .arrived($0) }
        let since = Call("io.inboxd.Inbox.Subscribe", ["since": .integer(3), "boot": .string("b")], more: true)
        #expect(numbers(try replies(to: since.bytes, from: inbox)) == [4, 5])
        for (call, error) in [
            (Call("io.inboxd.Inbox.Subscribe"), "ExpectedMore"),
            (Call("io.inboxd.Inbox.Subscribe", ["since": .string("3")], more: true), "InvalidParameter"),
            (Call("io.inboxd.Inbox.Subscribe", ["boot": .string("unknown")], more: true), "InvalidParameter"),
        ] {
            #expect(try replies(to: call.bytes, from: inbox).map(\.error) == ["org.varlink.service." + error])
        }
    }

    @Test("What it asks meanwhile is not answered, and not taken in without bound")
    func pipelined() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 1024)
        connection.receive(Self.subscribe + Self.status)
        #expect(try conversation(&connection, service).isEmpty)
        var taken = 0
        while connection.wantsBytes, taken < 100_000 {
            connection.receive(Self.status)
            taken += Self.status.count
            _ = connection.bytesToSend(answeredBy: service)
        }
        #expect(taken < 10_000 && inbox.statusCount == 0)
        inbox.happened = [.arrived(1)]
        connection.wake()
        #expect(numbers(try conversation(&connection, service)) == [1])
    }

    @Test("While it does not read, no event is made for it beyond a bounded buffer")
    func slow() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 1024)
        connection.receive(Self.subscribe)
        _ = try conversation(&connection, service)
        inbox.happened = (1...10_000).map { .arrived($0) }
        var largest = 0
        for _ in 0..<500 {
            connection.wake()
            largest = max(largest, connection.bytesToSend(answeredBy: service).count)
        }
        #expect(largest < 20 * 1024)
        #expect(inbox.reportedCount < 200)
        #expect(numbers(try conversation(&connection, service)) == (1...10_000).map { Int64($0) })
    }

    @Test("What happens while it is behind is sent once it has caught up, without another event")
    func behind() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 1024)
        connection.receive(Self.subscribe)
        _ = try conversation(&connection, service)
        inbox.happened = (1...3).map { .arrived($0, String(repeating: "x", count: 6_000)) }
        connection.wake()
        // It has said all there is, in as many turns as that takes, and the socket takes nothing of it.
        var size = 0
        for _ in 0..<1_000 where size <= 16 * 1024 { size = connection.bytesToSend(answeredBy: service).count }
        #expect(size > 16 * 1024)
        _ = connection.bytesToSend(answeredBy: service)
        inbox.happened.append(.arrived(4))
        connection.wake()
        connection.sent(connection.bytesToSend(answeredBy: service).count)
        #expect(connection.hasWork)
        #expect(numbers(try conversation(&connection, service)) == [4])
    }

    @Test("In one turn it gets as much of a burst as its socket takes, and the rest as it reads")
    func burst() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        let name = BytePath("@inboxd-burst-\(getpid())-\(UInt64.random(in: 0 ... .max))")
        let address = try #require(SocketAddress(name))
        let listener = try UnixListener(at: address, mode: 0o600)
        let client = try UnixSocket.connect(to: address)
        guard let accepted = try listener.accept() else {
            Issue.record("nobody connected")
            return
        }
        let connection = ServerConnection(accepted)
        _ = try client.send(Self.subscribe[...])
        var splitter = FrameSplitter(longest: 1 << 20)
        var reported: [Int64] = []
        func read() throws {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while case .bytes(let count) = try client.receive(into: &buffer) { splitter.append(buffer[..<count]) }
            while case .message(let message)? = splitter.next() {
                reported.append(try #require(numbers([try Reply(parsing: message)]).first ?? nil))
            }
        }
        // A turn is short: on a busy machine another one finds that there is nothing more to say.
        func rest() throws {
            repeat {
                connection.serve(with: service)
                try read()
            } while connection.interest.contains(.writable)
        }
        // Returns how many of so many more events one turn sends, where so many follow.
        func turn(_ count: Int, among followers: Int = 1) throws -> Int {
            let before = reported.count
            let last = inbox.happened.count
            inbox.happened += (last + 1...last + count).map { .arrived($0) }
            connection.sendMore(with: service, among: followers)
            try read()
            return reported.count - before
        }
        try rest()
        #expect(connection.isFollowing && connection.interest == .readable)

        // On a busy machine some turns end early.
        var turns: [Int] = []
        repeat {
            turns.append(try turn(500))
            try rest()
        } while turns.last != 500 && turns.count < 50
        #expect(turns.last == 500, "\(turns)")
        // Where many follow, each turn of one is as short as that of another client.
        #expect((1..<500).contains(try turn(500, among: 16)))
        try rest()

        let before = inbox.reportedCount
        #expect(try turn(19_000) < 10_000)
        #expect(inbox.reportedCount - before < 10_000 && connection.interest.contains(.writable))
        try rest()
        #expect(reported == (1...inbox.happened.count).map { Int64($0) })
    }

    @Test("Once it is gone it is at its end, and its feed is let go of")
    func gone() throws {
        final class Held {}
        weak var held: Held?
        var service = try Service(.inboxd)
        service.add(try Interface(parsing: "interface a.b\nmethod C() -> ()"))
        service.handle("a.b.C") { [make = { Held() }] _ in
            let kept = make()
            held = kept
            return .feed { withExtendedLifetime(kept) { .notYet } }
        }
        var connection = Connection(longestMessage: 1024)
        connection.receive(Call("a.b.C", more: true).bytes)
        #expect(try conversation(&connection, service).isEmpty)
        #expect(connection.isFollowing && held != nil)
        connection.receiveEnd()
        _ = connection.bytesToSend(answeredBy: service)
        #expect(connection.isFollowing && !connection.isFinished, "it may read though it sends no more")
        connection.loseOutput()
        _ = connection.bytesToSend(answeredBy: service)
        #expect(!connection.isFollowing && connection.isFinished && held == nil)
    }
}
