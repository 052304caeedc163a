import Glibc
import InboxTestSupport
import Testing

@Suite("Folders in an Inbox that the daemon may not read")
struct UnreadableFolderTests {
    /// The daemon's user has no capabilities here, and another one's folders are private; without root to play both, they are
    /// closed to their owner too.
    private func onStage(_ body: (Stage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            let isRoot = geteuid() == 0
            let identity = "--reuid=\(Players.daemon) --regid=\(Players.group) --clear-groups"
            let programs = try PreparedDaemon(isRoot ? "exec setpriv \(identity)" : "exec")
            let stage = try Stage(settings: ["Inbox.Settle=0"], programs: programs.folder)
            defer {
                for name in (try? Disk.names(in: stage.inbox)) ?? [] { chmod("\(stage.inbox / name)", 0o700) }
                stage.close()
            }
            if isRoot {
                chmod("\(stage.root)", 0o755)
                for folder in [stage.documents, stage.inbox] { try Players.make(folder, of: Players.daemon, 0o3770) }
                for name: TestPath in ["home", "run", "state"] {
                    try Players.make(stage.root / name, of: Players.daemon, 0o700)
                }
                chown("\(stage.root)", Players.daemon, Players.group)
            }
            do { try await body(stage) } catch { Issue.record("\(error)\n\(await stage.report())") }
            withExtendedLifetime(programs) {}
        }
    }

    /// Moves a private folder with a document in it into the Inbox.
    private func moveIn(_ name: TestPath, on stage: Stage) throws {
        let folder = stage.root / "outside" / name
        try Disk.makeFolder(folder)
        try Disk.put([1], at: folder / "letter.txt")
        if geteuid() == 0 {
            for path in [folder, folder / "letter.txt"] { chown("\(path)", Players.victim, Players.group) }
        }
        chmod("\(folder / "letter.txt")", 0o666)
        // Without the right to write to it, it could not be moved.
        chmod("\(folder)", geteuid() == 0 ? 0o700 : 0o300)
        try Disk.move(folder, to: stage.inbox / name)
    }

    private func lines(about words: String, in log: String) -> [Substring] {
        log.split(separator: "\n").filter { $0.contains(words) }
    }

    @Test(
        "What arrives while a folder above the Inbox is closed to the daemon is filed soon after its repair",
        .enabled(if: geteuid() == 0, "only root can put something into it meanwhile"))
    func closedAbove() async throws {
        try await onStage { stage in
            try Players.make(stage.inbox / "folder", of: Players.daemon, 0o755)
            try await stage.start()
            chmod("\(stage.documents)", 0)
            for name: TestPath in ["meanwhile.txt", "folder/meanwhile.txt"] {
                try Disk.put([1], at: stage.inbox / name)
                chown("\(stage.inbox / name)", Players.daemon, Players.group)
            }
            try await stage.expectProblem("cannot")
            chmod("\(stage.documents)", 0o3770)
            // The safety scan, which would find it too, is due after five minutes.
            try await stage.expectCounters(["filed": 2])
            try await stage.expectProblem(nil)
        }
    }

    @Test("Each is held and reported once, however often they are read, and is neither a problem nor an empty folder")
    func held() async throws {
        try await onStage { stage in
            try await stage.start()
            let follower = try await Follower(stage, "all")
            for number in 1...20 { try moveIn(TestPath("private\(number)"), on: stage) }
            try await stage.expectCounters(["seen": 20, "held": 20])
            for round in 1...5 {
                let rescans = try await stage.counters()["rescans"] ?? 0
                #expect(try await stage.control(["rescan"]).exit == .status(0))
                try await eventually {
                    try await stage.counters()["rescans"] ?? 0 > rescans ? nil : "nothing is read again"
                }
                try stage.moveIn([1], as: TestPath("\(round).txt"))
                try await stage.expectCounters(["filed": round, "held": 20])
            }
            let about = lines(about: "/private", in: Disk.text(stage.daemonLog))
            #expect(about.count == 20 && about.allSatisfy { $0.contains("Permission denied") }, "\(about)")
            try await follower.expect("all are filed") { $0.filter { $0["kind"]?.string == "filed" }.count == 5 }
            #expect(try follower.count(of: "held") == 20 && follower.count(of: "problem") == 0)
            #expect(try await stage.list().allSatisfy { $0.state == "held" && $0.reason == "permission" })
            let status = try await stage.status()
            #expect(status["state"]?.string == "watching" && status["problems"]?.array?.isEmpty == true, "\(status)")
            let run = try await stage.control(["explain", stage.inbox / "private7"])
            #expect(run.output.contains("Permission denied") && !run.output.contains("empty folder"), "\(run)")
        }
    }

    @Test("One that may be read is walked, one that is renamed stays the same arrival, and one that goes is withdrawn")
    func changed() async throws {
        try await onStage { stage in
            try await stage.start()
            for name: TestPath in ["opened", "renamed", "taken"] { try moveIn(name, on: stage) }
            try await stage.expectCounters(["seen": 3, "held": 3])
            chmod("\(stage.inbox / "opened")", 0o777)
            try await stage.expectFiledRecords(1)
            #expect(try Disk.read(stage.documents / "opened/letter.txt") == [1])
            try Disk.move(stage.inbox / "renamed", to: stage.inbox / "other")
            try await stage.expectListed("other", state: "held", reasons: ["permission"])
            #expect(try await stage.control(["retry", stage.inbox / "other"]).exit == .status(0))
            try Disk.move(stage.inbox / "taken", to: stage.root / "outside/taken")
            // The folder that was walked is no arrival, and what was in it is one.
            try await stage.expectCounters(["seen": 3, "filed": 1, "held": 1, "withdrawn": 1])
            try await stage.expectListed("other", state: "held", reasons: ["permission"])
        }
    }

    @Test("A package that may be read is filed once its mode says so")
    func package() async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_PACKAGE_QUIET=50"]
            try await stage.start()
            try moveIn("note.rtfd", on: stage)
            try await stage.expectCounters(["held": 1])
            chmod("\(stage.inbox / "note.rtfd")", 0o777)
            try await stage.expectFiledRecords(1)
        }
    }

    @Test(
        "An Inbox that may not be searched any more is a problem once something arrives, and is read when it may be again",
        .enabled(if: geteuid() == 0, "only root can put something into it meanwhile"))
    func inbox() async throws {
        try await onStage { stage in
            // Nothing but the events is there to tell it.
            stage.settings.append("Inbox.Poll=off")
            try await stage.start()
            chmod("\(stage.inbox)", 0o3440)
            try Disk.put([1], at: stage.inbox / "letter.txt")
            try await stage.expectProblem("cannot read the Inbox \(stage.inbox): Permission denied")
            #expect(Disk.exists(stage.inbox / "letter.txt"))
            chmod("\(stage.inbox)", 0o3770)
            try await stage.expectCounters(["filed": 1, "waiting": 0])
            #expect(try await stage.status()["state"]?.string == "watching")
        }
    }

    @Test("Thousands of them fill neither the log nor the status")
    func many() async throws {
        try await onStage { stage in
            let count = Extent.times(3_000, part: 1_200)
            for number in 1...count { try moveIn(TestPath("private\(number)"), on: stage) }
            try await stage.start()
            try await stage.expectCounters(["held": count])
            try stage.moveIn([1], as: "letter.txt")
            try await stage.expectFiledRecords(1)
            #expect(lines(about: "/private", in: Disk.text(stage.daemonLog)).count <= 1_000)
            #expect(try await stage.control(["status", "--json"]).output.utf8.count < 4_000)
        }
    }
}

@Suite("A folder in an Inbox that cannot be read for another reason")
struct BrokenFolderTests {
    @Test("It is no empty folder: explain says what is wrong, as the status does")
    func broken() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try Disk.makeFolders(stage.root / "outside/broken")
            try Disk.put([1], at: stage.root / "outside/broken/letter.txt")
            stage.variables = ["INBOXD_FAULT=getdents64@/Inbox/broken:*:\(EIO)"]
            try await stage.start()
            try Disk.move(stage.root / "outside/broken", to: stage.inbox / "broken")
            try await stage.expectProblem("cannot read the folder \(stage.inbox)/broken: Input/output error")
            #expect(try await stage.list().isEmpty)
            let run = try await stage.control(["explain", stage.inbox / "broken"])
            #expect(run.output.contains("Input/output error") && !run.output.contains("empty folder"), "\(run)")
        }
    }
}
