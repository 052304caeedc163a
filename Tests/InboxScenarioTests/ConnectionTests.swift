import Glibc
import InboxTestSupport
import Testing

@Suite("Connections of the control socket")
struct ConnectionTests {
    /// A connection on which nothing is said.
    private func connect(to path: TestPath) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        return number
    }

    @Test("A client too many is told so, the log says it once, and one that connects after another left is served")
    func full() async throws {
        try await onStage(settings: []) { stage in
            try await stage.start()
            let clients = try (0..<64).map { _ in try connect(to: stage.socket) }
            // The daemon has taken all of them when one more is turned away.
            try await eventually {
                let run = try await stage.control(["status"])
                return run.errors.contains("as many clients are connected as it serves") ? nil : "\(run)"
            }
            _ = try await stage.control(["list"])
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains("is turned away") }
            #expect(lines.count == 1 && lines.first?.contains("64 altogether") == true)
            for client in clients.prefix(8) { close(client) }
            try await eventually {
                let run = try await stage.control(["status"])
                return run.exit == .status(0) ? nil : run.errors
            }
            #expect(Disk.text(stage.daemonLog).contains("over: clients are no longer turned away"))
            for client in clients.dropFirst(8) { close(client) }
        }
    }

    @Test("A document is put back for a client that waits for no reply, and that has hung up")
    func unanswered() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            try stage.moveIn([65], as: "a.txt")
            try await stage.expectFiledRecords(1)
            let id = try #require(try stage.filedRecords().first?["id"]?.string)
            let client = try connect(to: stage.socket)
            let words = #"{"method":"io.inboxd.Inbox.Undo","parameters":{"id":"\#(id)"},"oneway":true}"#
            let call = Array(words.utf8) + [0]
            try #require(write(client, call, call.count) == call.count)
            close(client)
            try await stage.expectListed("a.txt", state: "held", reasons: ["undone"])
        }
    }

    @Test(
        "A client that connects when no more files can be opened is told so, and is served when some are closed",
        .enabled(if: access("/usr/bin/prlimit", X_OK) == 0, "needs prlimit(1)"))
    func descriptors() async throws {
        try await onStage(settings: []) { stage in
            try await stage.start()
            let daemon = try #require(stage.daemon)
            var clients = [try connect(to: stage.socket)]
            let open = Set(try Disk.names(in: TestPath("/proc/\(daemon.processID)/fd")).map { "\($0)" })
            let limit = try #require((3...).first { !open.contains("\($0)") }) + 3
            let limited = try Program(
                "/usr/bin/prlimit",
                ["--pid", TestPath("\(daemon.processID)"), TestPath("--nofile=\(limit):")],
                environment: stage.environment, output: stage.root / "log/prlimit", errors: stage.root / "log/prlimit")
            try #require(try await limited.ended() == .status(0))
            for _ in 0..<8 { clients.append(try connect(to: stage.socket)) }
            try await eventually {
                let run = try await stage.control(["status"])
                return run.errors.contains("too many files open to serve you") ? nil : "\(run)"
            }
            for client in clients { close(client) }
            try await eventually {
                let run = try await stage.control(["status"])
                return run.exit == .status(0) ? nil : run.errors
            }
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains("to serve clients") }
            #expect(
                lines.count == 2 && lines[0].contains("raise LimitNOFILE=") && lines[1].contains("over: "), "\(lines)")
        }
    }
}
