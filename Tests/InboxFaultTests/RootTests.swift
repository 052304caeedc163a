import Glibc
import InboxLinux
import InboxTestSupport
import Testing

/// Roots, and the state folder, that somebody moves or exchanges.
@Suite("Roots that are moved or exchanged")
struct RootTests {
    @Test("A folder above the Inbox that is renamed is noticed at once, and so is its return")
    func above() async throws {
        try await onStage { stage in
            let above = stage.root / "above"
            try Disk.makeFolders(above / "in")
            stage.settings += ["Inbox.Inbox=", TestPath("Inbox.Inbox=\(above / "in")")]
            try await stage.start()
            try await stage.expectState("watching")
            try Disk.move(above, to: stage.root / "elsewhere")
            try await stage.expectState("degraded")
            #expect(try await stage.status()["inboxes"]?.array?.first?["watching"]?.string == "missing")
            try Disk.put([1], at: stage.root / "elsewhere/in/a.txt")
            try Disk.move(stage.root / "elsewhere", to: above)
            try await stage.expectState("watching")
            try await stage.expectCounters(["filed": 1, "waiting": 0])
        }
    }

    @Test("A link above Documents that is made to lead elsewhere is noticed at once: nothing is filed there")
    func link() async throws {
        try await onStage { stage in
            let link = stage.root / "link"
            for name: TestPath in ["one/docs", "two/docs", "in"] { try Disk.makeFolders(stage.root / name) }
            try Disk.makeLink(link, to: "one")
            stage.settings += [TestPath("Inbox.Inbox=\(stage.root / "in")")]
            try await stage.start(["--documents", link / "docs", "--inbox", stage.root / "in"])
            try await stage.expectState("watching")
            try Disk.remove(link)
            try Disk.makeLink(link, to: "two")
            try await stage.expectState("degraded")
            try Disk.put([1], at: stage.root / "in/a.txt")
            try await eventually {
                try await stage.list().first?.reason == "retrying" ? nil : "it does not wait"
            }
            #expect(try Disk.names(in: stage.root / "two/docs").isEmpty)
            try Disk.remove(link)
            try Disk.makeLink(link, to: "one")
            try await stage.expectState("watching")
            try await stage.expectCounters(["filed": 1, "waiting": 0])
            #expect(Disk.exists(stage.root / "one/docs/a.txt"))
        }
    }

    @Test("An Inbox that became a link while no daemon ran is left alone, wherever the link leads")
    func linkedMeanwhile() async throws {
        try await onStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            #expect(try await stage.end(SIGTERM) == .status(0))
            try Disk.put([1], at: stage.root / "outside/a.txt")
            try Disk.move(stage.inbox, to: stage.documents / "x")
            try Disk.makeLink(stage.inbox, to: "../outside")
            try await stage.start()
            try await stage.expectState("degraded")
            #expect(Disk.text(stage.daemonLog).contains("is a symbolic link"))
            try await stage.expectCounters(["seen": 0, "filed": 0])
            #expect(Disk.exists(stage.root / "outside/a.txt"))
        }
    }

    @Test(
        "A Documents that was exchanged while no daemon ran gets neither an Inbox nor a document until it is accepted")
    func exchangedMeanwhile() async throws {
        try await onStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            #expect(try await stage.end(SIGTERM) == .status(0))
            try Disk.move(stage.documents, to: stage.root / "former")
            try Disk.makeFolder(stage.documents)
            try await stage.start()
            try await stage.expectState("degraded")
            // Longer than a missing Inbox is waited for.
            pause(.milliseconds(2500))
            #expect(try Disk.names(in: stage.documents).isEmpty)
            let run = try await stage.control(["retry"])
            #expect(run.exit == .status(0))
            try await stage.expectState("watching")
            #expect(Disk.kind(stage.inbox) == .folder)
        }
    }

    @Test("A state folder that is moved away is noticed, and another one is made before anything is filed")
    func state() async throws {
        try await onStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectCounters(["filed": 1])
            try Disk.move(stage.state, to: stage.root / "moved")
            try await eventually { Disk.exists(stage.state / "lock") ? nil : "no state folder is made" }
            try Disk.put([2], at: stage.inbox / "b.txt")
            try await stage.expectCounters(["filed": 2])
            try await stage.expectState("watching")
            #expect(Disk.text(stage.state / "history.jsonl").contains("b.txt"))
            #expect(Disk.text(stage.state / "places").contains("Documents"))
            #expect(!Disk.text(stage.root / "moved/history.jsonl").contains("b.txt"))
            #expect(Disk.text(stage.daemonLog).contains("somebody has moved or removed it"))
            guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
            try await stage.runDaemon(["--socket", stage.root / "another"])
            #expect(stage.lastRun?.exit == .status(75))
            #expect(stage.lastRun?.errors.contains("\(daemon.processID)") == true, "it names the first one")
            #expect(!Disk.exists(stage.root / "another"))
        }
    }

    @Test("A state folder that is removed with all that is in it is noticed, and made anew")
    func removedState() async throws {
        try await onStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            try Disk.removeTree(stage.state)
            try await eventually { Disk.exists(stage.state / "history.jsonl") ? nil : "no state folder is made" }
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectCounters(["filed": 1])
            #expect(Disk.text(stage.state / "history.jsonl").contains("a.txt"))
        }
    }

    @Test(
        "A lock or a journal that somebody removes or exchanges is noticed, and made anew before anything is filed",
        arguments: ["lock", "journal"], [false, true])
    func stateFile(name: String, isExchanged: Bool) async throws {
        try await onStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            let file = stage.state / TestPath(name)
            let former = try FileStatus(path: BytePath("\(file)")).identity.file
            if isExchanged {
                try Disk.put([], at: stage.root / "another")
                try Disk.move(stage.root / "another", to: file)
            } else {
                try Disk.remove(file)
            }
            try await eventually {
                Disk.text(stage.daemonLog).contains("somebody has moved or removed \(file)")
                    ? nil : "it is not reported"
            }
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectCounters(["filed": 1])
            try await stage.expectState("watching")
            #expect(try FileStatus(path: BytePath("\(file)")).identity.file != former)
        }
    }

    @Test(
        "A state folder that is lost while copies are under way is reported at once, and all are filed with the next one",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"),
        arguments: [false, true])
    func stateBesideCopies(comesBack: Bool) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage()
            let (stage, moved) = (across.stage, across.stage.root / "moved")
            try await across.start()
            try await across.beginCopy(of: "first.bin")
            try across.moveIn(AcrossStage.large(), as: "second.bin")
            try await stage.expectListed("second.bin", state: "waiting", reasons: ["copying"])
            try Disk.move(stage.state, to: moved)
            try await stage.expectProblem("somebody has moved or removed it")
            if comesBack {
                try Disk.move(moved, to: stage.state)
                // With it the roots and the state folder are inspected, which are as they were.
                #expect(try await stage.control(["reload"]).exit == .status(0))
            }
            across.barrier.open()
            try across.moveIn([1], as: "third.txt")
            try await stage.expectCounters(["filed": 3, "waiting": 0])
            try await stage.expectProblem(nil)
            let large = AcrossStage.large()
            try await across.expect(["first.bin": large, "second.bin": large, "third.txt": [1]], records: 3)
        }
    }

    @Test("A file of the roots that cannot be replaced is reported once, and keeps nothing from being filed")
    func places() async throws {
        try await onStage { stage in
            try Disk.makeFolders(stage.state / "places")
            try await stage.start()
            try await stage.expectState("degraded")
            for number in 1...3 {
                try Disk.put([1], at: stage.inbox / TestPath("\(number).txt"))
                try await stage.expectCounters(["filed": number, "waiting": 0])
            }
            let lines = Disk.text(stage.daemonLog).split(separator: "\n").count { $0.contains("cannot write places") }
            #expect(lines == 1)
        }
    }

    @Test("A history that somebody moves, removes or cuts off is reported once each time, the first two at once")
    func lostHistory() async throws {
        try await onStage { stage in
            let history = stage.state / "history.jsonl"
            let reports = { (what: String) in
                Disk.text(stage.daemonLog).split(separator: "\n").count {
                    $0.contains("somebody has \(what) \(history)")
                }
            }
            try await stage.start()
            try Disk.put([1], at: stage.inbox / "a.txt")
            try await stage.expectCounters(["filed": 1])
            try Disk.move(history, to: stage.state / "elsewhere")
            try await eventually { reports("moved or removed") == 1 ? nil : "it is not reported" }
            try Disk.put([1], at: stage.inbox / "b.txt")
            try await stage.expectCounters(["filed": 2])
            #expect(Disk.text(history).contains("b.txt") && !Disk.text(history).contains("a.txt"))
            #expect(Disk.text(stage.state / "elsewhere").contains("a.txt"))
            try Disk.remove(history)
            try await eventually { reports("moved or removed") == 2 ? nil : "it is not reported again" }
            try Disk.put([1], at: stage.inbox / "c.txt")
            try await stage.expectCounters(["filed": 3])
            #expect(history.withCString { truncate($0, 0) } == 0)
            try Disk.put([1], at: stage.inbox / "d.txt")
            try await stage.expectCounters(["filed": 4])
            try await eventually { reports("cut off") == 1 ? nil : "that it was cut off is not reported" }
            #expect(reports("moved or removed") == 2)
            let text = Disk.text(history)
            #expect(text.contains("d.txt") && !text.contains("c.txt") && text.utf8.first == UInt8(ascii: "{"))
            try await stage.expectState("watching")
        }
    }
}

extension Stage {
    /// Waits until the daemon says that it is in this state, well before any scan for safety.
    func expectState(_ wanted: String) async throws {
        try await eventually(every: .milliseconds(50)) {
            let status = try await status()
            let state = status["state"]?.string ?? ""
            return state == wanted ? nil : "it is \(state): \(status["problems"] ?? .null)"
        }
    }
}
