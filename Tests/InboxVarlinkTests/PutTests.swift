import Glibc
import InboxLinux
import Testing

@testable import InboxVarlink

@Suite("Delivering by descriptor")
struct PutTests {
    /// A file with these bytes that has no name any more.
    private func file(_ text: String) throws -> PassedFile {
        var name = Array("/tmp/inboxd-put-XXXXXX".utf8CString)
        let number = mkstemp(&name)
        try #require(number >= 0)
        unlink(name)
        try #require(write(number, text, text.utf8.count) == text.utf8.count)
        return PassedFile(owning: number, of: .max)
    }

    private func call(_ parameters: [String: JSONValue]) -> [UInt8] {
        Call("io.inboxd.Inbox.Put", parameters).bytes
    }

    @Test("The file arrives over a socket with the call that it belongs to, and those beyond the limit are closed")
    func overSocket() throws {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        for number in pair { _ = fcntl(number, F_SETFL, O_NONBLOCK) }
        let inbox = FixedInbox()
        inbox.delivered = .delivered(path: "/d/Inbox/a")
        let service = try inbox.service()
        let server = ServerConnection(UnixSocket(owning: FileDescriptor(owning: pair[0])))
        let client = UnixSocket(owning: FileDescriptor(owning: pair[1]))
        // A call before it without a file, in the same part of the stream.
        let status = Call("io.inboxd.Inbox.GetStatus").bytes
        #expect(try client.send(status[...]) == status.count)
        let put = call(["name": .string("a"), "fd": .integer(0)])
        let sent = try #require(try file("content").take())
        #expect(try client.send(put[...], with: sent.descriptor) == put.count)
        for _ in 0..<4 { server.serve(with: service) }
        let received = try #require(inbox.puts.first)
        let file = try #require(received.file.take())
        #expect(String(decoding: try file.descriptor.contents(limit: 100) ?? [], as: UTF8.self) == "content")
        #expect(file.descriptor.number != sent.descriptor.number)
    }

    @Test("Called with more it says how far it is whenever there is news, and in the last reply where the document is")
    func progress() throws {
        let inbox = FixedInbox()
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        let more = Call("io.inboxd.Inbox.Put", ["name": .string("a"), "fd": .integer(0)], more: true).bytes
        connection.receive(more, with: [try file("x")])
        connection.receive(Call("io.inboxd.Inbox.GetMetrics").bytes)
        #expect(try conversation(&connection, service).isEmpty)
        #expect(inbox.puts.map(\.reportsProgress) == [true])
        #expect(connection.isPending && !connection.hasWork)
        for count: Int64 in [1, 2] {
            inbox.copied.append(count)
            connection.wake()
            let answers = try conversation(&connection, service)
            #expect(answers.map(\.parameters) == [["copied": .integer(count)]])
            #expect(answers.map(\.continues) == [true])
        }
        inbox.delivered = .delivered(path: "/d/Inbox/a")
        connection.wake()
        let last = try conversation(&connection, service)
        #expect(last.first?.parameters == ["path": .string("/d/Inbox/a")])
        #expect(last.map(\.continues) == [false, false] && last.last?.parameters["metrics"] != nil)
        #expect(!connection.isPending)
    }

    @Test("Called without more it has one reply, whatever there is to say meanwhile")
    func silentProgress() throws {
        let inbox = FixedInbox()
        inbox.copied = [1, 2]
        inbox.delivered = .delivered(path: "/d/Inbox/a")
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(call(["name": .string("a"), "fd": .integer(0)]), with: [try file("x")])
        let answers = try conversation(&connection, inbox.service())
        #expect(answers.map(\.parameters) == [["path": .string("/d/Inbox/a")]])
        #expect(answers.map(\.continues) == [false])
        #expect(inbox.puts.map(\.reportsProgress) == [false])
    }

    @Test("A delivery that fails after it was on its way ends with the error, and the next call is answered")
    func failedProgress() throws {
        let inbox = FixedInbox()
        inbox.copied = [1]
        inbox.delivered = .refused(.notDelivered(reason: "the disk is full"))
        var connection = Connection(longestMessage: 64 * 1024)
        let more = Call("io.inboxd.Inbox.Put", ["name": .string("a"), "fd": .integer(0)], more: true).bytes
        connection.receive(more, with: [try file("x")])
        connection.receive(Call("io.inboxd.Inbox.GetMetrics").bytes)
        let answers = try conversation(&connection, inbox.service())
        #expect(answers.map(\.error) == [nil, "io.inboxd.Inbox.NotDelivered", nil])
        #expect(answers.map(\.continues) == [true, false, false])
    }

    @Test("A file that came with another call, or an index beyond those that came, is an invalid parameter")
    func otherCall() throws {
        let inbox = FixedInbox()
        inbox.delivered = .delivered(path: "/d/Inbox/a")
        let service = try inbox.service()
        var connection = Connection(longestMessage: 64 * 1024)
        let put = call(["name": .string("a"), "fd": .integer(0)])
        connection.receive(Call("io.inboxd.Inbox.GetMetrics").bytes, with: [try file("x")])
        connection.receive(put)
        connection.receive(call(["name": .string("a"), "fd": .integer(1)]), with: [try file("y")])
        connection.receive(put.dropLast(3))
        connection.receive(put.suffix(3), with: [try file("z")])
        let answers = try conversation(&connection, service)
        #expect(
            answers.map(\.error) == [
                nil, "org.varlink.service.InvalidParameter", "org.varlink.service.InvalidParameter", nil,
            ])
        #expect(answers[1].parameters == ["parameter": .string("fd")])
        #expect(inbox.puts.count == 1)
    }

    @Test("No client keeps more files open than the limit, and those of a refused connection are closed")
    func limit() throws {
        var connection = Connection(longestMessage: 64 * 1024)
        var weak: [() -> Bool] = []
        for _ in 0..<(Connection.mostFiles + 3) {
            let file = try file("x")
            weak.append { [weak file] in file != nil }
            connection.receive([UInt8(ascii: " ")], with: [file])
        }
        #expect(weak.count { $0() } == Connection.mostFiles)
        connection.receive(message("nonsense"))
        _ = try conversation(&connection, FixedInbox().service())
        #expect(!weak.contains { $0() })
    }

    @Test(
        "A name that is none and annotations out of form are invalid parameters",
        arguments: [
            ("name", ["name": .string("a/b")]), ("name", ["name": .string("..")]), ("name", ["name": .string("")]),
            ("name", ["name": .string("\\q")]), ("fd", ["fd": .integer(-1)]),
            ("annotations", ["annotations": .object(["a b": .string("c")])]),
            ("annotations", ["annotations": .object(["": .string("c")])]),
            ("annotations", ["annotations": .object(["a": .string(String(repeating: "x", count: 4097))])]),
        ] as [(String, [String: JSONValue])])
    func invalid(name: String, parameters: [String: JSONValue]) throws {
        let inbox = FixedInbox()
        var connection = Connection(longestMessage: 64 * 1024)
        let all: [String: JSONValue] = ["name": .string("a"), "fd": .integer(0)].merging(parameters) { $1 }
        connection.receive(call(all), with: [try file("x")])
        let answer = try #require(try conversation(&connection, inbox.service()).first)
        #expect(answer.error == "org.varlink.service.InvalidParameter")
        #expect(answer.parameters == ["parameter": .string(name)])
        #expect(inbox.puts.isEmpty)
    }

    @Test("What could not be delivered is an error with the reason")
    func refused() throws {
        let inbox = FixedInbox()
        inbox.delivered = .refused(.notDelivered(reason: "the disk is full"))
        var connection = Connection(longestMessage: 64 * 1024)
        connection.receive(
            call(["name": .string("caf\\xe9"), "fd": .integer(0), "annotations": .object(["K_1": .string("v")])]),
            with: [try file("x")])
        let answer = try #require(try conversation(&connection, inbox.service()).first)
        #expect(answer.error == "io.inboxd.Inbox.NotDelivered")
        #expect(inbox.puts.first.map { Array($0.name.bytes) } == Array("caf".utf8) + [0xE9])
        #expect(inbox.puts.first?.annotations == ["K_1": "v"])
    }
}
