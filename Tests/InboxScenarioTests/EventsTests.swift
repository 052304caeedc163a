import Glibc
import InboxTestSupport
import Testing

@Suite("Following events")
struct EventsTests {
    @Test("What happens is reported at once, a line an event, until the daemon ends")
    func reported() async throws {
        try await onStage { stage in
            try await stage.start()
            let follower = try await Follower(stage, "f")
            let first = try #require(try follower.all().first)
            #expect(first["kind"]?.string == "following" && first["number"]?.integer == 0)
            try stage.moveIn(Array("hello".utf8), as: "a\nb.txt")
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            let filed = try #require(try follower.all().last)
            #expect(try follower.kinds(of: "a\nb.txt").filter { $0 != "waiting" } == ["arrived", "filed"])
            #expect(filed["destination"]?.string?.hasSuffix("/Documents/a\nb.txt") == true)
            #expect(filed["type"]?.string == "public.plain-text" && filed["size"]?.integer == 5)
            #expect(filed["id"]?.string == (try stage.filedRecords().first?["id"]?.string))

            #expect("nowhere".withCString { target in (stage.inbox / "l").withCString { symlink(target, $0) } } == 0)
            try Disk.put([65], at: stage.inbox / "x.part")
            try await follower.expect("held, ignored") { $0.contains { $0["kind"]?.string == "ignored" } }
            try Disk.remove(stage.inbox / "l")
            try await follower.expect("withdrawn") { $0.contains { $0["kind"]?.string == "withdrawn" } }
            #expect(try follower.kinds(of: "l") == ["arrived", "held", "withdrawn"])
            #expect(try follower.events(of: "l")[1]["reason"]?.string == "symlink")
            let ignored = try #require(try follower.events(of: "x.part").last)
            #expect(ignored["reason"]?.string == "pattern")
            #expect(ignored["detail"]?.string == "its name matches *.part of Ignore=")

            let all = try follower.all()
            #expect(Set(all.map { $0["boot"]?.string }).count == 1)
            #expect(all.dropFirst().map { $0["number"]?.integer } == (1..<all.count).map { $0 })
            #expect(try await stage.end(SIGTERM) == .status(0))
            #expect(try await follower.program.ended() == .status(1))
            #expect(follower.complaints == "inboxctl: the daemon has ended\n")
        }
    }

    @Test("What inboxctl delivers does not wait for inboxctl's own descriptor")
    func delivered() async throws {
        try await onStage(settings: ["Inbox.Settle=0"]) { stage in
            try await stage.start()
            let follower = try await Follower(stage, "f")
            let file = stage.root / "outside/a.txt"
            try Disk.put([65], at: file)
            for _ in 0..<10 { try await stage.runControl(["put", "--wait=1min", file]) }
            try await follower.expect("ten filings") { _ in try follower.count(of: "filed") == 10 }
            let waits = try follower.all().filter { $0["reason"]?.string == "writing" }
            #expect(waits.isEmpty, "\(waits)")
        }
    }

    @Test("The tries of a handler are reported, the one that fails and the one that has done its work")
    func handler() async throws {
        let script = "if [ -e done ]; then exit 0; fi; touch done; exit 3"
        let settings: [TestPath] = ["Inbox.Settle=0"]
        try await onStage(settings: settings) { stage in
            let configuration = stage.root / "inboxd.conf"
            try Disk.put(
                Array(
                    """
                    [DocumentType Text]
                    ContentTypes=public.plain-text
                    Run=/bin/sh -c "cd \(stage.root)/outside; \(script)"
                    RunRetries=1

                    """.utf8), at: configuration)
            try await stage.start(["--config", configuration])
            let follower = try await Follower(stage, "f")
            try stage.moveIn(Array("hello".utf8), as: "a.txt")
            try await follower.expect("both tries") { _ in try follower.count(of: "handler") == 2 }
            let news = try follower.all().filter { $0["kind"]?.string == "handler" }
            #expect(news.map { $0["outcome"]?.string } == ["retrying", "done"])
            #expect(news.map { $0["tries"]?.integer } == [1, 2])
            #expect(news[0]["detail"]?.string == "it ended with status 3; it is tried again in 1s")
            #expect(news.allSatisfy { $0["path"]?.string?.hasSuffix("/Documents/a.txt") == true })
            #expect(news[0]["id"]?.string == (try stage.filedRecords().first?["id"]?.string))
        }
    }

    @Test("A client that returns goes on where it stopped, and learns in words when the daemon was restarted")
    func since() async throws {
        try await onStage { stage in
            try await stage.start()
            for index in 0..<3 { try stage.moveIn([65], as: TestPath("\(index).txt")) }
            try await stage.expectCounters(["filed": 3])
            let whole = try await Follower(stage, "whole", ["--since", "0"])
            try await whole.expect("three filings") { _ in try whole.count(of: "filed") == 3 }
            let events = try whole.all()
            let boot = TestPath(try #require(events[0]["boot"]?.string))
            let part = try await Follower(stage, "part", ["--since", "4", "--boot", boot])
            try await part.expect("the rest") { $0.count == events.count - 4 }
            #expect(Array(try part.all().dropFirst()) == Array(events.dropFirst(5)))
            let ahead = try await stage.control(["events", "--since", "100", "--boot", boot])
            #expect(ahead.exit == .status(1) && ahead.errors.contains("has not happened yet"))

            #expect(try await stage.end(SIGTERM) == .status(0))
            try await stage.start()
            try stage.moveIn([65], as: "later.txt")
            try await stage.expectCounters(["filed": 1])
            let later = try await Follower(stage, "later", ["--since", "4", "--boot", boot])
            try await later.expect("a gap and all of this run") { _ in try later.count(of: "filed") == 1 }
            let reported = try later.all().filter { $0["kind"]?.string != "waiting" }
            #expect(reported.map { $0["kind"]?.string } == ["following", "gap", "arrived", "filed"])
            #expect(reported[1]["detail"]?.string?.contains("restarted") == true)
            #expect(reported[1]["boot"]?.string != boot.description)
        }
    }

    @Test("A follower that does not read loses events and learns how many; the others lose nothing")
    func slow() async throws {
        let count = 5_000
        let settings: [TestPath] = ["Inbox.Settle=0", "Inbox.Durability=relaxed"]
        try await onStage(settings: settings) { stage in
            try await stage.start()
            let slow = try await Follower(stage, "slow")
            slow.program.signal(SIGSTOP)
            let quick = try await Follower(stage, "quick")
            for index in 0..<count {
                try stage.moveIn([65], as: TestPath("\(index).txt"))
                // No more at once than the ring holds, so that one that reads keeps up with it.
                if index % 500 == 499 {
                    try await eventually(every: .milliseconds(1)) {
                        let filed = try quick.count(of: "filed")
                        return filed == index + 1 ? nil : "\(filed) of \(index + 1) filings"
                    }
                }
            }
            let numbers = try quick.all().map { $0["number"]?.integer }
            #expect(numbers == (0..<numbers.count).map { $0 })
            let last = numbers.count - 1
            try await stage.expectCounters(["filed": count])

            slow.program.signal(SIGCONT)
            try await slow.expect("the last event") { $0.last?["number"]?.integer == last }
            let reported = try slow.all()
            let gaps = reported.filter { $0["kind"]?.string == "gap" }
            let lost = gaps.reduce(0) { $0 + ($1["lost"]?.integer ?? 0) }
            #expect(!gaps.isEmpty && lost > 500)
            #expect(reported.count - 1 - gaps.count + lost == last, "each event was reported or counted as lost")
            // What is kept for a client is what its socket takes and no more.
            #expect(try ProcessFacts.field("RssAnon", of: try stage.processID) < 16 * 1024)
        }
    }

    @Test("It ends quietly when nobody reads its output any more, even if nothing happens")
    func head() async throws {
        try await onStage { stage in
            try await stage.start()
            let script = TestPath(
                "'\(stage.controlProgram)' --socket '\(stage.socket)' events | head -n 1; echo ${PIPESTATUS[0]}")
            let run = try await stage.run("/bin/bash", ["-c", script])
            let lines = run.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("TIME") == true)
            #expect(lines.last == "0" && run.errors.isEmpty, "\(run.output)\(run.errors)")
        }
    }

    @Test("Neither a follower nor one that has gone makes an idle daemon wake up, and no connection is left")
    func idle() async throws {
        try await onStage { stage in
            try await stage.start()
            let process = try stage.processID
            let descriptors = TestPath("/proc/\(process)/fd")
            let before = try Disk.names(in: descriptors).count
            for round in 0..<2 {
                var follower: Follower? = try await Follower(stage, TestPath("f\(round)"))
                try stage.moveIn([65], as: TestPath("\(round).txt"))
                try await follower?.expect("the filing") { $0.last?["kind"]?.string == "filed" }
                try await stage.expectCounters(["filed": round + 1])
                // The answer to the last question may still be on its way out: begin once a second has been quiet.
                var switches = -1
                try await eventually(every: .seconds(1)) {
                    let now = try ProcessFacts.voluntarySwitches(of: process)
                    defer { switches = now }
                    return now == switches ? nil : "it woke up within a second"
                }
                pause(.seconds(2))
                #expect(try ProcessFacts.voluntarySwitches(of: process) - switches <= 1)
                // Killed, so that it cannot say goodbye.
                follower?.program.signal(SIGKILL)
                follower = nil
            }
            try await eventually {
                let now = try Disk.names(in: descriptors).count
                return now <= before ? nil : "\(now) descriptors instead of \(before)"
            }
            let ticks = try ProcessFacts.processorTicks(of: process)
            pause(.seconds(1))
            #expect(try ProcessFacts.processorTicks(of: process) - ticks <= 5)
        }
    }

    @Test(
        "How far a copy has come is shown by the list, the status and the events, and its filing afterwards",
        .enabled(if: OtherFilesystem.isThere, "there is no other filesystem here"))
    func copy() async throws {
        let other = try OtherFilesystem()
        defer { try? Disk.removeTree(other.path) }
        try await onStage { stage in
            try Disk.makeFolder(other.path / "Inbox")
            let barrier = try Barrier(at: stage.root / "barrier")
            stage.variables = ["INBOXD_FAULT=copy_file_range:*:18;pwrite@/Documents/:4:WAIT=\(barrier.path)"]
            try await stage.start(["--inbox", other.path / "Inbox"])
            let follower = try await Follower(stage, "f")
            try Disk.put([UInt8](repeating: 7, count: 8 << 20), at: stage.root / "outside/big.bin")
            let run = try await stage.run(
                "/bin/mv", [stage.root / "outside/big.bin", other.path / "Inbox/big.bin"])
            #expect(run.exit == .status(0))
            try await barrier.reached()
            try await follower.expect("3 MiB of 8") { $0.last?["copied"]?.integer == 3 << 20 }
            let listed = try await stage.control(["list", "--json"])
            let arrival = try #require(try JSONValue.parseLines(listed.output).first)
            #expect(arrival["reason"]?.string == "copying")
            #expect(arrival["copied"]?.integer == 3 << 20 && arrival["size"]?.integer == 8 << 20)
            let words = try await stage.control(["status"])
            #expect(words.output.contains("3145728 of 8388608 bytes (37 %)"), "\(words.output)")
            barrier.open()
            try await follower.expect("the filing") { $0.last?["kind"]?.string == "filed" }
            let events = try follower.events(of: "big.bin")
            let copied = events.filter { $0["kind"]?.string == "copying" }.map { $0["copied"]?.integer ?? -1 }
            #expect(copied.first == 0 && copied == copied.sorted() && copied.contains(3 << 20))
            #expect(events.allSatisfy { $0["kind"]?.string != "copying" || $0["size"]?.integer == 8 << 20 })
            #expect(try Disk.read(stage.documents / "big.bin") == [UInt8](repeating: 7, count: 8 << 20))
        }
    }
}
