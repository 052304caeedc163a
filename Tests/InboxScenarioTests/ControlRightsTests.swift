import Glibc
import InboxTestSupport
import Testing

/// What another user may do over the socket of a daemon that runs as root.
@Suite("Another user at the control socket")
struct ControlRightsTests {
    static let setpriv: String? = (["/usr/bin/setpriv", "/bin/setpriv"] as [String])
        .first { access($0, X_OK) == 0 }
    /// `nobody`, on every Linux.
    private static let other = "65534"

    /// Runs `inboxctl` as the other user, with the supplementary groups.
    func asOther(
        _ words: [TestPath], on stage: Stage, groups: String? = nil
    ) async throws -> Stage.Run {
        let program = stage.root / "inboxctl"
        if Disk.kind(program) == nil {
            try Disk.put(try Disk.read(stage.controlProgram), at: program)
            _ = program.withCString { chmod($0, 0o755) }
            for folder in [stage.root.parent, stage.root, stage.root / "outside"] {
                _ = folder.withCString { chmod($0, 0o755) }
            }
        }
        let identity = [
            "--reuid=\(Self.other)", "--regid=\(Self.other)", groups.map { "--groups=\($0)" } ?? "--clear-groups",
        ]
        return try await stage.run(
            TestPath(try #require(Self.setpriv)),
            identity.map { TestPath($0) } + [program, "--socket", stage.socket] + words)
    }

    @Test(
        "Reads, changes nothing, is logged with user and process, and may do what one of his groups may",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func changes() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Control.AllowGroups=4711", "Inbox.Settle=1h"]) {
            stage in
            try await stage.start()
            #expect(try await asOther(["status"], on: stage).exit == .status(0))
            for verb: TestPath in ["pause", "resume", "rescan", "reload", "retry"] {
                let run = try await asOther([verb], on: stage)
                #expect(run.exit == .status(1) && run.errors.contains("permission denied"), "\(verb): \(run.errors)")
            }
            let undo = try await asOther(["undo", "0123456789abcdef"], on: stage)
            #expect(undo.exit == .status(1) && undo.errors.contains("permission denied"), "\(undo.errors)")
            #expect(try await stage.status()["state"]?.string == "watching")
            for method in ["Pause", "Resume", "Rescan", "Reload", "Retry", "Undo"] {
                #expect(Disk.text(stage.daemonLog).contains("refused \(method) to the user nobody, process "))
            }
            #expect(try await asOther(["pause"], on: stage, groups: "4711").exit == .status(0))
            #expect(try await stage.status()["state"]?.string == "paused")
        }
    }

    @Test(
        "Delivers through the daemon where he may not write to the Inbox, and owns what he delivered",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func delivers() async throws {
        let settings: [TestPath] = [
            "Control.SocketMode=0666", "Control.PutAllowUsers=65534", "Inbox.Settle=0",
        ]
        try await onStage(settings: settings) { stage in
            try await stage.start()
            let file = stage.root / "outside/report.pdf"
            try Disk.put(Array("%PDF-1.4 one".utf8), at: file)
            let run = try await asOther(["put", "--wait=1min", "--annotate=source=scanner", file], on: stage)
            #expect(run.exit == .status(0) && run.output == "\(stage.documents)/report.pdf\n", "\(run.errors)")
            #expect(try Disk.read(stage.documents / "report.pdf") == Array("%PDF-1.4 one".utf8))
            var status = stat()
            #expect((stage.documents / "report.pdf").withCString { stat($0, &status) } == 0)
            #expect(status.st_uid == 65534)

            let folder = try await asOther(["put", stage.root / "outside"], on: stage)
            #expect(folder.exit == .status(1) && folder.errors.contains("not a regular file"))
            #expect(try Disk.leaves(of: stage.inbox).isEmpty)
        }
    }

    @Test(
        "Learns nothing from explain that is beyond reach or not readable, and no number of a folder that is private",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func explains() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=1h"]) { stage in
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            try Disk.put(Array("%PDF-1.4 one".utf8), at: stage.documents / "open.pdf")
            try Disk.put(Array("%PDF-1.4 two".utf8), at: stage.inbox / "open.pdf")
            try Disk.put(Array("%PDF-1.4 three".utf8), at: stage.inbox / "secret.pdf")
            try Disk.makeFolders(stage.documents / "private")
            try Disk.put(Array("%PDF-1.4 four".utf8), at: stage.documents / "private/there.pdf")
            try await stage.expectCounters(["waiting": 2])
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            mode(stage.inbox / "open.pdf", 0o644)
            mode(stage.inbox / "secret.pdf", 0o600)
            mode(stage.documents / "private", 0o700)
            mode(stage.inbox, 0o755)
            mode(stage.documents, 0o755)
            let listed = try await asOther(["explain", stage.inbox / "open.pdf"], on: stage)
            #expect(listed.output.contains("Documents/open-1.pdf"), "\(listed)")
            mode(stage.documents, 0o711)
            let unlisted = try await asOther(["explain", stage.inbox / "open.pdf"], on: stage)
            #expect(unlisted.output.contains("goes to: \(stage.documents)/open.pdf\n"), "\(unlisted)")
            let secret = try await asOther(["explain", stage.inbox / "secret.pdf"], on: stage)
            #expect(secret.exit == .status(1) && secret.errors.contains("Permission denied"), "\(secret)")
            var answers: [String] = []
            for name: TestPath in ["there.pdf", "nothing.pdf"] {
                let run = try await asOther(["explain", stage.documents / "private" / name], on: stage)
                #expect(run.exit == .status(1))
                answers.append(run.errors.replacing("there.pdf", with: "nothing.pdf"))
            }
            #expect(answers[0] == answers[1], "he can tell which of them exists")
            let own = try await stage.control(["explain", stage.documents / "private/there.pdf"])
            #expect(own.exit == .status(0))
        }
    }

    @Test(
        "Learns nothing from explain through a link to where he cannot go, inside Documents or outside",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func links() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=1h"]) { stage in
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            chmod("\(stage.documents)", 0o755)
            for (place, hidden) in [stage.documents / "private", stage.root / "outside/private"].enumerated() {
                try Disk.makeFolders(hidden)
                try Disk.put(Array("%PDF-1.4 one".utf8), at: hidden / "there.bin")
                chmod("\(hidden / "there.bin")", 0o644)
                chmod("\(hidden)", 0o700)
                let way = stage.documents / TestPath("way-\(place)")
                try Disk.makeLink(way, to: hidden)
                for name: TestPath in ["there.bin", "nothing.bin"] {
                    try Disk.makeLink(stage.documents / TestPath("\(place)-\(name)"), to: hidden / name)
                }
                for prefix in ["\(way)/", "\(stage.documents)/\(place)-"] {
                    var answers: [String] = []
                    for name in ["there.bin", "nothing.bin"] {
                        let run = try await asOther(["explain", TestPath(prefix + name)], on: stage)
                        #expect(!run.output.contains("pdf"), "\(run.output)")
                        let answer = "\(run.exit) \(run.output + run.errors)"
                        answers.append(answer.replacing("there.bin", with: "nothing.bin"))
                    }
                    #expect(answers[0] == answers[1], "he can tell which of them exists")
                }
            }
            let link = stage.documents / "way-0/there.bin"
            let own = try await stage.control(["explain", stage.documents / "private/there.bin"])
            #expect(own.output.contains("com.adobe.pdf"), "\(own): the test would show nothing of \(link)")
        }
    }

    @Test(
        "Sees in lists, in the history and of old paths only what he could find out himself",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func lists() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0", "Inbox.FolderSettle=1h"]) { stage in
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            for name: TestPath in ["open.pdf", "secret.pdf", "gone.pdf"] {
                try Disk.put(Array("%PDF-1.4 \(name)".utf8), at: stage.root / "outside" / name)
                mode(stage.root / "outside" / name, name == "secret.pdf" ? 0o600 : 0o644)
                try Disk.move(stage.root / "outside" / name, to: stage.inbox / name)
            }
            try await stage.expectFiledRecords(3)
            try Disk.remove(stage.documents / "gone.pdf")
            mode(stage.inbox, 0o755)
            mode(stage.documents, 0o711)
            func names(_ run: Stage.Run) -> [String] {
                ["open", "secret", "gone"].filter { run.output.contains("/\($0).pdf") }
            }
            #expect(names(try await stage.control(["history"])).count == 3)
            #expect(names(try await asOther(["history"], on: stage)) == ["open"])
            mode(stage.documents, 0o755)
            #expect(names(try await asOther(["history"], on: stage)) == ["open", "gone"])
            let open = try await asOther(["explain", stage.inbox / "open.pdf"], on: stage)
            #expect(open.exit == .status(0) && open.output.contains("went to: \(stage.documents)/open.pdf"), "\(open)")
            var answers: [String] = []
            for name: TestPath in ["secret.pdf", "nothing.pdf"] {
                let run = try await asOther(["explain", stage.inbox / name], on: stage)
                #expect(run.exit == .status(1))
                answers.append(run.errors.replacing("secret.pdf", with: "nothing.pdf"))
            }
            #expect(answers[0] == answers[1], "he can tell which of them was there")

            try Disk.makeFolders(stage.inbox / "private")
            #expect(symlink("x", (stage.inbox / "private/hidden").description) == 0)
            #expect(symlink("x", (stage.inbox / "shown").description) == 0)
            try await stage.expectCounters(["held": 2])
            mode(stage.inbox / "private", 0o711)
            #expect(try await stage.control(["list", "--json"]).output.split(separator: "\n").count == 2)
            let listed = try await asOther(["list", "--json"], on: stage)
            #expect(listed.output.contains("/shown\"") && !listed.output.contains("hidden"), "\(listed)")

            try Disk.makeFolder(stage.root / "outside/sub")
            try Disk.put([65], at: stage.root / "outside/sub/inner.txt")
            try Disk.move(stage.root / "outside/sub", to: stage.inbox / "sub")
            try await stage.expectFiledRecords(4)
            mode(stage.documents / "sub", 0o755)
            try Disk.removeTree(stage.inbox / "sub")
            let past = try await asOther(["explain", stage.inbox / "sub/inner.txt"], on: stage)
            #expect(past.output.contains("went to: \(stage.documents)/sub/inner.txt"), "\(past)")
        }
    }

    @Test(
        "Is not told which process of another user writes; that user and root are told, with its name escaped",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func writers() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0"]) { stage in
            try stage.moveIn(Array("%PDF-1.4 half".utf8), as: "slow.pdf")
            // The name of a process is that of its program.
            let program = stage.root / "\u{1B}[31mcp\n"
            try Disk.makeLink(program, to: "/bin/sleep")
            let writer = try Program(
                program, ["1000"], environment: stage.environment, output: stage.inbox / "slow.pdf",
                errors: stage.root / "errors")
            defer { writer.signal(SIGKILL) }
            try await stage.start()
            try await stage.expectListed("slow.pdf", state: "waiting", reasons: ["writing"])
            let known = "a process has it open for writing: \\x1b[31mcp\\x0a (\(writer.processID))\n"
            let unknown = "a process has it open for writing\n"
            for verb: [TestPath] in [["list"], ["explain", stage.inbox / "slow.pdf"]] {
                // A search is abandoned after a second, which may be too soon on a busy machine.
                try await eventually {
                    let own = try await stage.control(verb)
                    return own.exit == .status(0) && own.output.contains(known) ? nil : "\(own)"
                }
                let other = try await asOther(verb, on: stage)
                #expect(other.exit == .status(0) && other.output.contains(unknown), "\(other)")
            }
            try await eventually {
                let objects = try JSONValue.parseLines(try await stage.control(["list", "--json"]).output)
                let writers = objects.first?["writers"]?.array ?? []
                let isTold =
                    writers.map { $0["pid"]?.integer } == [Int(writer.processID)]
                    && writers.map { $0["name"]?.string } == ["\u{1B}[31mcp\n"]
                return isTold ? nil : "\(objects)"
            }
        }
    }

    /// Follows the events as the other user.
    func follow(_ stage: Stage, _ name: TestPath) async throws -> (Program, () throws -> [JSONValue]) {
        _ = try await asOther(["status"], on: stage)
        let output = stage.root / "log" / name
        let follower = try Program(
            TestPath(try #require(Self.setpriv)),
            ["--reuid=65534", "--regid=65534", "--clear-groups"]
                + [stage.root / "inboxctl", "--socket", stage.socket, "events", "--json"],
            environment: stage.environment, output: output, errors: stage.root / "log/f.err")
        try await eventually { Disk.text(output).isEmpty ? "it does not follow yet" : nil }
        return (follower, { try JSONValue.parseLines(Disk.text(output)) })
    }

    @Test(
        "Follows only the events of what he could see himself, and misses none because of the others",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func events() async throws {
        let settings: [TestPath] = ["Control.SocketMode=0666", "Inbox.Settle=0"]
        try await onStage(settings: settings) { stage in
            try await stage.start()
            func mode(_ path: TestPath, _ mode: mode_t) { _ = path.withCString { chmod($0, mode) } }
            mode(stage.documents, 0o700)
            let (follower, events) = try await follow(stage, "other.events")
            defer { follower.signal(SIGKILL) }
            let own = try await Follower(stage, "own")
            try stage.moveIn([65], as: "secret.txt")
            try Disk.put([66], at: stage.documents / "private.txt")
            try await own.expect("both") { events in
                Set(events.map { $0["kind"]?.string }).isSuperset(of: ["arrived", "filed", "contentAdded"])
            }
            // An answer that is asked for now comes after both followers have been served.
            _ = try await stage.status()
            // The Inbox alone may be seen from here on: Documents may be entered, but not listed.
            mode(stage.documents, 0o711)
            mode(stage.inbox, 0o755)
            let document = stage.root / "outside/open.txt"
            try Disk.put([67], at: document)
            mode(document, 0o600)
            try Disk.move(document, to: stage.inbox / "open.txt")
            try await own.expect("the second filing") { _ in try own.count(of: "filed") == 2 }
            _ = try await stage.status()
            mode(stage.documents, 0o755)
            try stage.moveIn([68], as: "last.txt")
            func seen(_ name: String) throws -> [JSONValue] {
                try events().filter { $0["path"]?.string?.hasSuffix("/\(name)") == true }
            }
            try await eventually { try seen("last.txt").last?["kind"]?.string == "filed" ? nil : "\(try events())" }
            #expect(try seen("secret.txt").isEmpty && seen("private.txt").isEmpty)
            let filed = try #require(try seen("open.txt").last)
            #expect(filed["kind"]?.string == "filed" && filed["destination"] == nil && filed["type"] == nil)
            #expect(try seen("last.txt").last?["destination"]?.string?.hasSuffix("/Documents/last.txt") == true)
            #expect(try events().allSatisfy { $0["kind"]?.string != "gap" })
            let theirs = try events()
            try await own.expect("what the other one got") { whole in
                theirs.allSatisfy { event in whole.contains { $0["number"] == event["number"] } }
            }
        }
    }

    @Test(
        "Learns where the document went that he delivered through the daemon, though he may see no folder",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func waits() async throws {
        let settings: [TestPath] = [
            "Control.SocketMode=0666", "Control.PutAllowUsers=65534", "Inbox.Settle=0", "Inbox.Durability=relaxed",
        ]
        try await onStage(settings: settings) { stage in
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            _ = stage.documents.withCString { chmod($0, 0o700) }
            let file = stage.root / "outside/report.txt"
            try Disk.put(Array("hello".utf8), at: file)
            let run = try await asOther(["put", "--wait=1min", file], on: stage)
            #expect(run.exit == .status(0) && run.output == "\(stage.documents)/report.txt\n", "\(run)")
        }
    }

    @Test(
        "A user without permission to deliver is told so, and nothing is delivered",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func refused() async throws {
        try await onStage(settings: ["Control.SocketMode=0666", "Inbox.Settle=0"]) { stage in
            try await stage.start()
            try Disk.put([65], at: stage.root / "outside/a.txt")
            let run = try await asOther(["put", stage.root / "outside/a.txt"], on: stage)
            #expect(run.exit == .status(1) && run.errors.contains("you may not write to the Inbox"))
            #expect(Disk.text(stage.daemonLog).contains("refused Put to the user nobody, process "))
            #expect(try await stage.counters()["seen"] == 0)
        }
    }

    @Test(
        "Cannot take the connections that are kept for root, and learns why he is turned away",
        .enabled(if: geteuid() == 0 && setpriv != nil, "needs root and setpriv(1)"))
    func connections() async throws {
        try await onStage(settings: ["Control.SocketMode=0666"]) { stage in
            try await stage.start()
            _ = try await asOther(["status"], on: stage)
            // As many connections as one user may have.
            var followers: [Program] = []
            defer { for follower in followers { follower.signal(SIGKILL) } }
            for number in 0..<16 {
                let output = stage.root / TestPath("log/\(number).out")
                followers.append(
                    try Program(
                        TestPath(try #require(Self.setpriv)),
                        ["--reuid=65534", "--regid=65534", "--clear-groups"]
                            + [stage.root / "inboxctl", "--socket", stage.socket, "events", "--json"],
                        environment: stage.environment, output: output, errors: stage.root / "log/f.err"))
                try await eventually { Disk.text(output).isEmpty ? "it does not follow yet" : nil }
            }
            let second = try await asOther(["status"], on: stage)
            #expect(second.exit == .status(1))
            #expect(second.errors.contains("as many clients are connected as it serves"), "\(second.errors)")
            _ = try await asOther(["status"], on: stage)
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").filter { $0.contains("is turned away") }
            #expect(lines.count == 1 && lines[0].contains("the user nobody, process "))
            #expect(try await stage.control(["status"]).exit == .status(0))
            followers[0].signal(SIGKILL)
            _ = try await followers[0].ended()
            try await eventually {
                try await asOther(["status"], on: stage).exit == .status(0) ? nil : "he is still turned away"
            }
        }
    }
}
