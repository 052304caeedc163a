import Glibc
import InboxLinux
import InboxVarlink
import Testing

@Suite("A client on a real socket")
struct ClientTests {
    @Test("Calls, lists and errors come through, one after the other")
    func conversation() throws {
        let server = try SocketServer { try FixedInbox([.waiting("/a"), .held("/b")]).service() }
        var client = try Client(path: server.path)
        let status = try client.call("io.inboxd.Inbox.GetStatus")
        #expect(try JSONValue.object(status).decoded(as: StatusReport.self) == FixedInbox().report)
        var paths: [String?] = []
        try client.call("io.inboxd.Inbox.ListArrivals") { reply in
            paths.append(reply["arrival"]?["path"]?.string)
            return true
        }
        #expect(paths == ["/a", "/b", nil])
        let explained = try client.call("io.inboxd.Inbox.Explain", ["path": .string("/d/a.pdf")])
        #expect(try JSONValue.object(explained).decoded(as: ExplanationReport.self).arrival == .waiting("/a"))
        let unreachable = ClientError.refused(
            "io.inboxd.Inbox.UnreachablePath", ["path": .string("/e"), "reason": .string("elsewhere")])
        do throws(ClientError) {
            _ = try client.call("io.inboxd.Inbox.Explain", ["path": .string("/e")])
            Issue.record("a path that is elsewhere was explained")
        } catch {
            #expect(error == unreachable)
        }
        let refusal = ClientError.refused(
            "org.varlink.service.MethodNotFound", ["method": .string("io.inboxd.Inbox.Nothing")])
        do throws(ClientError) {
            _ = try client.call("io.inboxd.Inbox.Nothing")
            Issue.record("an unknown method was answered")
        } catch {
            #expect(error == refusal)
        }
        _ = try client.call("org.varlink.service.GetInfo")
        #expect(try server.stop())
    }

    @Test("A long list comes through whole, past the socket's own buffer, while another client is served")
    func longList() throws {
        let listed = (0..<20_000).map { ArrivalReport.waiting("/d/Inbox/a long name for the sake of its bytes \($0)") }
        let server = try SocketServer { try FixedInbox(listed).service() }
        var client = try Client(path: server.path)
        var count = 0
        var wasServed = false
        try client.call("io.inboxd.Inbox.ListArrivals") { reply in
            if count == 100 {
                // The list is far from its end, and its connection is not read meanwhile.
                do throws(ClientError) {
                    var other = try Client(path: server.path)
                    _ = try other.call("io.inboxd.Inbox.GetStatus")
                    wasServed = true
                } catch {
                    Issue.record("\(error)")
                }
            }
            if reply["arrival"] != nil { count += 1 }
            return true
        }
        #expect(count == listed.count)
        #expect(wasServed)
        #expect(try server.stop())
    }

    @Test("A client that hangs up in the middle of a list harms nobody")
    func hangUp() throws {
        let server = try SocketServer {
            let inbox = FixedInbox()
            inbox.isEndless = true
            return try inbox.service()
        }
        for _ in 0..<50 {
            var client = try Client(path: server.path)
            try client.call("io.inboxd.Inbox.ListArrivals") { _ in false }
        }
        var client = try Client(path: server.path)
        _ = try client.call("io.inboxd.Inbox.GetStatus")
        #expect(try server.stop())
    }

    @Test(
        "A request over the limit gets its answer and then the end, however much is sent",
        arguments: [64 * 1024 + 1, 66_000, 1_000_000, 8_000_000])
    func oversize(length: Int) throws {
        let server = try SocketServer { try FixedInbox().service() }
        let socket = try UnixSocket.connect(to: server.address)
        var rest = [UInt8](repeating: UInt8(ascii: "x"), count: length)[...]
        while !rest.isEmpty {
            try #require(try socket.wait(toWrite: true, for: .seconds(120)))
            rest = rest.dropFirst(try socket.send(rest))
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        reading: while true {
            try #require(try socket.wait(for: .seconds(120)))
            switch try socket.receive(into: &buffer) {
            case .bytes(let count): answer += buffer[..<count]
            case .nothing: continue
            case .end: break reading
            }
        }
        #expect(
            answer
                == message(
                    "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"message\"}}"))
        #expect(try server.stop())
    }

    @Test("A client that goes on sending after it was refused is hung up on")
    func relentless() throws {
        let server = try SocketServer { try FixedInbox().service() }
        let socket = try UnixSocket.connect(to: server.address)
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
        var sent = 0
        do throws(SyscallError) {
            while sent < 100_000_000 {
                guard try socket.wait(toWrite: true, for: .seconds(120)) else { break }
                sent += try socket.send(part[...])
            }
        } catch {
            #expect(error.errno.rawValue == EPIPE || error.errno.rawValue == ECONNRESET)
        }
        #expect((16_000_000..<20_000_000).contains(sent))
        #expect(try server.stop())
    }

    @Test("Nobody at the path is reported with the reason")
    func nobody() {
        do throws(ClientError) {
            _ = try Client(path: BytePath("/tmp/inboxd-no-such-folder/socket"))
            Issue.record("it connected")
        } catch {
            #expect(error == .unreachable(SyscallError(.connect, .noEntry)))
        }
    }

    @Test("A service that is silent, hangs up or talks nonsense is an error, not a hang")
    func badServices() throws {
        func answer(to speak: (Int32) -> Void) -> ClientError? {
            var pair: [Int32] = [0, 0]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return nil }
            _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
            speak(pair[1])
            defer { close(pair[1]) }
            do throws(ClientError) {
                var client = Client(UnixSocket(owning: FileDescriptor(owning: pair[0])), timeout: .milliseconds(50))
                _ = try client.call("a.b.C")
                return nil
            } catch {
                return error
            }
        }
        #expect(answer { _ in } == .timedOut(.milliseconds(50)))
        #expect(answer { shutdown($0, Int32(SHUT_WR)) } == .closed)
        #expect(answer { write($0, "{]\0", 3) } == .malformedReply)
        #expect(answer { write($0, "{\"error\":\"a.b.D\"}\0", 18) } == .refused("a.b.D", [:]))
        #expect(answer { shutdown($0, Int32(SHUT_RDWR)) } == .failed(SyscallError(.sendmsg, Errno(rawValue: EPIPE))))
    }

    @Test("A reply that takes long is remarked once, and waited for until it comes or the service is gone")
    func slow() throws {
        for (words, error) in [("{\"parameters\":{\"a\":1}}\0", nil), ("", ClientError.closed)] {
            var pair: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            for number in pair { _ = fcntl(number, F_SETFL, O_NONBLOCK) }
            var client = Client(UnixSocket(owning: FileDescriptor(owning: pair[0])), timeout: .milliseconds(1))
            var remarks = 0
            var found: ClientError?
            do throws(ClientError) {
                let output = try client.call("a.b.C", [:], after: .milliseconds(5)) {
                    remarks += 1
                    // Only now the service answers, or hangs up.
                    if words.isEmpty {
                        shutdown(pair[1], Int32(SHUT_WR))
                    } else {
                        write(pair[1], words, words.utf8.count)
                    }
                }
                #expect(output["a"]?.integer == 1)
            } catch {
                found = error
            }
            close(pair[1])
            #expect(remarks == 1 && found == error)
        }
    }
}
