import Testing

@testable import InboxVarlink

/// The service as a client sees it that is not ours: the `varlink` package of PyPI, its command line and its library.
@Suite(
    "The Python client",
    .enabled("python3 has no package varlink (pip install varlink)") {
        try await python(["-c", "import varlink"]).exit == .status(0)
    })
struct PythonClientTests {
    private static let arrivals = [
        ArrivalReport.waiting("/d/Inbox/a"), .held("/d/Inbox/caf\\xe9\u{202E}"), .waiting("/d/Inbox/c"),
    ]

    /// Runs something against a service on a socket, whose address replaces `ADDRESS`.
    private func answered(_ arguments: [String]) async throws -> String {
        let server = try SocketServer {
            let inbox = FixedInbox(Self.arrivals)
            inbox.copied = [1_000, 2_000]
            inbox.delivered = .delivered(path: "/d/Inbox/a")
            return try inbox.service()
        }
        let address = "unix:" + server.path.displayText
        let run = try await python(arguments.map { $0.replacing("ADDRESS", with: address) })
        #expect(try server.stop())
        #expect(run.exit == .status(0), "\(run.text)")
        return run.text
    }

    @Test("info lists the service and its interfaces")
    func information() async throws {
        let text = try await answered(["-m", "varlink.cli", "info", "ADDRESS"])
        for part in ["inboxd", "org.varlink.service", "io.inboxd.Inbox"] { #expect(text.contains(part), "\(text)") }
    }

    @Test("help prints each interface with its comments, as it is defined")
    func introspection() async throws {
        let inbox = try await answered(["-m", "varlink.cli", "help", "ADDRESS/io.inboxd.Inbox"])
        #expect(inbox.contains(Interface.inboxDefinition.dropLast()))
        let standard = try await answered(["-m", "varlink.cli", "help", "ADDRESS/org.varlink.service"])
        #expect(standard.contains(Interface.standardDefinition.dropLast()))
    }

    @Test("call prints the reply, with every byte of a path in it")
    func call() async throws {
        let text = try await answered(["-m", "varlink.cli", "call", "ADDRESS/io.inboxd.Inbox.GetStatus"])
        let status = try JSONValue(parsing: text.utf8).decoded(as: StatusReport.self)
        #expect(status.documents == "/d/caf\\xe9")
        #expect(status.counters.bytesFiled == 9_007_199_254_740_993)
    }

    @Test("call with more prints every reply")
    func more() async throws {
        let text = try await answered(["-m", "varlink.cli", "call", "-m", "ADDRESS/io.inboxd.Inbox.ListArrivals"])
        for arrival in Self.arrivals {
            let path = arrival.path.replacing("\\", with: "\\\\").replacing("\u{202E}", with: "\\u202e")
            #expect(text.contains("\"\(path)\""), "\(text)")
        }
    }

    @Test("The library calls methods by name, iterates over replies and raises errors by theirs")
    func library() async throws {
        let script = """
            import sys, varlink
            with varlink.Client.new_with_address(sys.argv[1]) as client, client.open('io.inboxd.Inbox') as inbox:
                print(inbox.GetStatus()['state'])
                print([r['arrival']['state'] for r in inbox.ListArrivals(_more=True) if r.get('arrival')])
                print([r['arrival']['state'] for r in inbox.ListArrivals(state='held', _more=True) if r.get('arrival')])
                print(inbox.Explain('/d/x')['type'])
                print(inbox.Retry() is not None)
                for call in [lambda: inbox.Explain('/elsewhere'), lambda: inbox.ListArrivals()]:
                    try:
                        call()
                    except varlink.VarlinkError as error:
                        print(error.error(), error.parameters())
            """
        let lines = try await answered(["-c", script, "ADDRESS"]).split(separator: "\n")
        #expect(
            lines == [
                "watching", "['waiting', 'held', 'waiting']", "['held']", "com.adobe.pdf", "True",
                "io.inboxd.Inbox.UnreachablePath {'path': '/elsewhere', 'reason': 'elsewhere'}",
                "org.varlink.service.ExpectedMore {}",
            ])
    }

    @Test("The library iterates over the progress of a delivery, and gets the path alone without more")
    func progress() async throws {
        // The package sends no descriptors by itself.
        let script = """
            import socket, sys, varlink
            with varlink.Client.new_with_address(sys.argv[1]) as client, client.open('io.inboxd.Inbox') as inbox:
                file = open(sys.executable, 'rb')
                inbox._send_message = lambda out: socket.send_fds(inbox._connection, [out + b'\\0'], [file.fileno()])
                for reply in inbox.Put('a', None, None, None, 0, _more=True):
                    print({key: value for key, value in reply.items() if value is not None})
                print(inbox.Put('b', None, None, None, 0)['path'])
            """
        let lines = try await answered(["-c", script, "ADDRESS"]).split(separator: "\n")
        #expect(lines == ["{'copied': 1000}", "{'copied': 2000}", "{'path': '/d/Inbox/a'}", "/d/Inbox/a"])
    }
}

/// Runs python3.
private func python(_ arguments: [String]) async throws -> OutsideProgram.Run {
    try await OutsideProgram.run("python3", arguments, variables: ["PYTHONUTF8=1"])
}
