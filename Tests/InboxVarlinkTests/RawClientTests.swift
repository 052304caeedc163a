import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.Failure

@testable import InboxVarlink

/// The service as someone sees it who types JSON into socat(1) or nc(1).
@Suite("Raw clients")
struct RawClientTests {
    /// A program that joins its input and output with a socket.
    enum Client: String, CaseIterable, CustomTestStringConvertible {
        case socat
        /// Of OpenBSD, which Debian packages as netcat-openbsd: the others know no Unix sockets.
        case nc

        /// The command, with the socket's path in `$1`. nc(1) ends by itself only where it is to end its sending.
        var command: String {
            switch self {
            case .socat: #"socat - "UNIX-CONNECT:$1""#
            case .nc: #"nc -U -N "$1""#
            }
        }

        var testDescription: String { rawValue }
    }

    private static func isInstalled(_ client: Client) async throws -> Bool {
        // nc(1) is several programs: only the one that is meant has both options.
        let check = client == .nc ? "nc -h 2>&1 | grep -q -e '-[a-zA-Z]*N'" : "command -v socat"
        return try await OutsideProgram.run("sh", ["-c", check]).exit == .status(0)
    }

    private static let arrivals = [
        ArrivalReport.waiting("/d/Inbox/a"), .held("/d/Inbox/caf\\xe9"), .waiting("/d/Inbox/c"),
    ]

    /// Writes text to a service, `printf` escapes replaced, and answers its replies.
    private func replies(to text: String, through client: Client) async throws -> [Reply] {
        let server = try SocketServer { try FixedInbox(Self.arrivals).service() }
        let script = #"printf "$2" | timeout 20 "# + client.command
        let path = server.path.displayText
        let run = try await OutsideProgram.run("sh", ["-c", script, "sh", path, text])
        #expect(try server.stop())
        #expect(run.exit == .status(0), "\(run.text)")
        guard run.text.utf8.last == 0 else { throw Failure("a reply does not end with NUL: \(run.text)") }
        return try run.text.utf8.dropLast().split(separator: 0).map { try Reply(parsing: Array($0)) }
    }

    @Test(
        "socat", .enabled("socat is not installed") { try await isInstalled(.socat) },
        arguments: Conversation.all)
    func socat(_ conversation: Conversation) async throws {
        conversation.check(try await replies(to: conversation.sent, through: .socat))
    }

    @Test(
        "nc",
        .enabled("nc is not installed, or not that of OpenBSD (netcat-openbsd)") {
            try await isInstalled(.nc)
        }, arguments: Conversation.all)
    func nc(_ conversation: Conversation) async throws {
        conversation.check(try await replies(to: conversation.sent, through: .nc))
    }

    /// What is typed, and what is to be replied.
    struct Conversation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        let check: @Sendable ([Reply]) -> Void

        static let all = [
            Conversation(
                testDescription: "who it is", sent: #"{"method":"org.varlink.service.GetInfo"}\0"#,
                check: { replies in
                    #expect(replies.map { $0.parameters["product"]?.string } == ["inboxd"])
                    #expect(replies.map(\.continues) == [false])
                }),
            Conversation(
                testDescription: "a list, and after it a line break, as echo writes one",
                sent: #"{"method":"io.inboxd.Inbox.ListArrivals","parameters":null,"more":true}\0\n"#,
                check: { replies in
                    let paths = replies.map { $0.parameters["arrival"]?["path"]?.string }
                    #expect(paths == arrivals.map(\.path) + [nil])
                    #expect(replies.map(\.continues) == [true, true, true, false])
                    #expect(replies.allSatisfy { $0.error == nil })
                }),
            Conversation(
                testDescription: "a call whose NUL was forgotten",
                sent: #"{"method":"org.varlink.service.GetInfo"}\n"#,
                check: { replies in
                    #expect(replies.map(\.error) == ["org.varlink.service.InvalidParameter"])
                    #expect(replies.map { $0.parameters["parameter"]?.string } == ["message"])
                }),
        ]
    }
}
