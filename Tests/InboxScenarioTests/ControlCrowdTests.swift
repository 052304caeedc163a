import Glibc
import InboxTestSupport
import Testing

/// Other users who take what they can get of the control socket.
@Suite("A crowd at the control socket")
struct ControlCrowdTests {
    private static let isPossible =
        geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/perl", X_OK) == 0

    /// A program of this user that connects so often, sends this each time, reports that and then only counts those of
    /// its connections that are answered.
    private func crowd(_ user: Int, of count: Int, sending message: String, _ stage: Stage) async throws -> Program {
        let script = """
            use Socket;
            my @all;
            for (1 .. $ARGV[1]) {
                socket(my $one, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
                connect($one, sockaddr_un($ARGV[0])) or die "connect: $!";
                syswrite($one, $ARGV[2] . "\\0") if $ARGV[2];
                push @all, $one;
            }
            $| = 1;
            print "connected";
            while (@all) {
                my $waiting = "";
                vec($waiting, fileno($_), 1) = 1 for @all;
                select(my $answered = $waiting, undef, undef, undef);
                my @silent = grep { !vec($answered, fileno($_), 1) } @all;
                print " answered" x (@all - @silent);
                @all = @silent;
            }
            sleep 600;
            """
        let output = log(of: user, stage)
        let program = try Program(
            "/usr/bin/setpriv",
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/perl", "-e", script].map { TestPath($0) }
                + [stage.socket, TestPath("\(count)"), TestPath(message)],
            environment: stage.environment, output: output, errors: output)
        try await eventually {
            if let exit = program.exit { throw Failure("the crowd has left: \(exit): \(Disk.text(output))") }
            return Disk.text(output).hasPrefix("connected") ? nil : "\(user) is not connected yet"
        }
        return program
    }

    /// How many connections of this user's crowd have been answered.
    private func answered(_ user: Int, _ stage: Stage) -> Int {
        Disk.text(log(of: user, stage)).split(separator: " ").count { $0 == "answered" }
    }

    private func log(of user: Int, _ stage: Stage) -> TestPath { stage.root / "log" / TestPath("crowd-\(user)") }

    /// Hands over once each of these users has connected so often, and ends their programs.
    private func onCrowds(
        of count: Int, by users: [Int], sending message: String = "", _ settings: [TestPath],
        prepare: (Stage) throws -> Void = { _ in }, _ body: (Stage, [Program]) async throws -> Void
    ) async throws {
        try await onStage(settings: settings) { stage in
            try prepare(stage)
            try await stage.start()
            chmod("\(stage.root.parent)", 0o755)
            chmod("\(stage.root)", 0o755)
            var crowds: [Program] = []
            defer { for crowd in crowds { crowd.signal(SIGKILL) } }
            for user in users { crowds.append(try await crowd(user, of: count, sending: message, stage)) }
            try await body(stage, crowds)
        }
    }

    @Test(
        "Root is served although other users hold as many silent connections as they may",
        .enabled(if: isPossible, "needs root, setpriv(1) and perl(1)"))
    func silent() async throws {
        let settings: [TestPath] = ["Control.SocketMode=0666", "Inbox.Settle=0"]
        try await onCrowds(of: 40, by: [65533, 65534], settings) { stage, crowds in
            // Both have what they can get: whoever connects after them is served after them.
            try await eventually {
                Disk.text(stage.daemonLog).contains("is turned away") ? nil : "nobody has been turned away yet"
            }
            for verb: TestPath in ["status", "list", "rescan"] {
                let run = try await stage.control([verb])
                #expect(run.exit == .status(0), "\(verb): \(run.errors)")
            }
            try stage.moveIn([65], as: "a.txt")
            try await stage.expectCounters(["filed": 1])
            crowds[0].signal(SIGKILL)
            try await eventually {
                Disk.text(stage.daemonLog).contains("no longer turned away") ? nil : "they are turned away still"
            }
        }
    }

    @Test(
        "A user is served although four others hold every connection that there is for users",
        .enabled(if: isPossible, "needs root, setpriv(1) and perl(1)"))
    func colluding() async throws {
        let settings: [TestPath] = ["Control.SocketMode=0666"]
        try await onCrowds(of: 16, by: Array(65530...65533), settings) { stage, _ in
            for _ in 0..<20 {
                let run = try await stage.run(
                    "/usr/bin/setpriv",
                    ["--reuid=65534", "--regid=65534", "--clear-groups", stage.controlProgram]
                        + ["--socket=\(stage.socket)", "status"].map { TestPath($0) })
                #expect(run.exit == .status(0), "\(run.errors)")
            }
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains("connected") }
            #expect(lines.count == 1 && lines.first?.contains("who has the most") == true, "\(lines)")
        }
    }

    /// A history of documents with paths as long as can be, in which a search for what is not there takes its time.
    private func writeLongHistory(_ stage: Stage) throws {
        let path = "/d" + String(repeating: "/" + String(repeating: "a", count: 250), count: 16)
        let lines = (0..<300).map { number in
            "{\"id\":\"\(number)\",\"time\":\"2026-11-20T10:00:00Z\",\"event\":\"filed\",\"source\":\"\(path)\","
                + "\"destination\":\"\(path)\"}\n"
        }
        try Disk.makeFolders(stage.state)
        try Disk.put(Array(lines.joined().utf8), at: stage.state / "history.jsonl")
    }

    @Test(
        "The history is searched for others while a user has it searched for patterns that take long to compare",
        .enabled(if: isPossible, "needs root, setpriv(1) and perl(1)"))
    func searching() async throws {
        let pattern = "*" + String(repeating: "[a/]", count: 254) + "[b]"
        let message =
            "{\"method\":\"io.inboxd.Inbox.GetHistory\",\"more\":true,\"parameters\":{\"pattern\":\"\(pattern)\"}}"
        let settings: [TestPath] = ["Control.SocketMode=0666", "Inbox.Settle=0"]
        try await onCrowds(of: 12, by: [65533], sending: message, settings, prepare: writeLongHistory) { stage, _ in
            let history = try await stage.control(["history", "--limit=3"])
            #expect(history.exit == .status(0) && history.output.split(separator: "\n").count >= 3, "\(history.errors)")
            let past = try await stage.control(["explain", stage.documents / "nothing.txt"])
            #expect(past.exit == .status(1) && past.errors.contains("No such file"), "\(past.errors)")
            let undo = try await stage.control(["undo", "0123456789abcdef"])
            #expect(undo.errors.contains("no filed document"), "\(undo.errors)")
            // One after another, all of his searches would have come first.
            let early = answered(65533, stage)
            #expect(early < 12, "\(early)")
        }
    }
}
