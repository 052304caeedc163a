import Glibc
import InboxTestSupport
import Testing

/// Disasters that take more than one strike.
@Suite("Stories of faults")
struct FaultStoryTests {
    @Test("A document that is written to between a crash and the recovery gets its record all the same")
    func writtenAfterTheCrash() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        let killed = try await stage.run("write@/history.jsonl:1:KILL")
        #expect(killed.exit == .signal(9))
        let path = stage.stage.documents / "letter.txt"
        try Disk.append(Array("More.\n".utf8), to: path)
        #expect(try await stage.run().exit == .status(0))
        let records = try stage.stage.filedRecords()
        #expect(records.count == 1, "\(records)")
        #expect(records.first?["destination"]?.string == path.description)
    }

    @Test("A document whose filesystem got another number at the next start gets its record all the same")
    func renumberedDevice() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        #expect(try await stage.run("write@/history.jsonl:1:KILL").exit == .signal(9))
        // What a machine that starts anew may do: volumes and loop devices are numbered as they come.
        let path = stage.stage.state / "journal"
        let journal = Disk.text(path)
        let start = try #require(journal.firstRange(of: "\"device\":")).upperBound
        try Disk.put(Array((journal[..<start] + "7" + journal[start...]).withoutSums.utf8), at: path)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A document of which the destination holds another name already is recovered under its own")
    func linkedBefore() async throws {
        let stage = try FaultStage(try FaultRow.named("no RENAME_NOREPLACE"))
        try Disk.link(stage.stage.inbox / "letter.txt", to: stage.stage.documents / "mine")
        #expect(try await stage.run("unlinkat@/letter.txt:1:KILL").exit == .signal(9))
        #expect(try await stage.run().exit == .status(0))
        #expect(Disk.kind(stage.stage.documents / "mine") == .file)
        try Disk.remove(stage.stage.documents / "mine")
        try stage.expectAllFiled()
    }

    @Test("A document that its owner has linked into the Inbox is not taken for one that was moved halfway")
    func linkedNotMoved() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        let (inbox, documents) = (stage.stage.inbox, stage.stage.documents)
        try Disk.link(inbox / "letter.txt", to: documents / "letter.txt")
        #expect(try await stage.run("renameat2:1:KILL").exit == .signal(9))
        #expect(Disk.kind(inbox / "letter.txt") == .file)
        #expect(try await stage.run().exit == .status(0))
        #expect(try Disk.inode(documents / "letter.txt") == Disk.inode(documents / "letter-1.txt"))
        #expect(try stage.stage.filedRecords().count == 1)
    }

    @Test("A journal that cannot be cleared makes no second record after a rotation and a crash")
    func unclearedJournal() async throws {
        let stage = try FaultStage(try FaultRow.named("rotation"))
        let run = try await stage.run("ftruncate@/journal:1:5")
        #expect(run.struck != nil)
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A history that fails after some bytes ends with whole lines, each once")
    func tornHistory() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        // The record is written, its sync fails, and it cannot be cut off at once.
        let run = try await stage.run("fdatasync@/history.jsonl:1:5;ftruncate@/history.jsonl:1:5")
        #expect(run.exit == .status(0), "\(run.errors)")
        try stage.expectAllFiled()
    }

    @Test("A history that failed after some bytes, and that somebody then cuts off to nothing, goes on without a gap")
    func cutOffHistory() async throws {
        try await Gate.daemons.pass {
            let row = FaultRow(
                name: "cut off", drops: [FaultRow.drop("letter.txt")],
                history: [#"{"id":"0000000000000001","time":"2026-01-01T00:00:00.000Z","event":"undone"}"#])
            let stage = try FaultStage(row)
            let history = stage.stage.state / "history.jsonl"
            let before = try Disk.read(history).count
            let path = stage.stage.root / "barrier"
            // Before each try it looks at the file, and waits there from when there is a barrier.
            stage.stage.variables = [
                "INBOXD_FAULT=fdatasync@/history.jsonl:1:5;ftruncate@/history.jsonl:1:5;"
                    + "statx@/history.jsonl:*:WAIT=\(path)"
            ]
            try Disk.move(stage.stage.inbox / "letter.txt", to: stage.stage.root / "letter.txt")
            try await stage.stage.start()
            let barrier = try Barrier(at: path)
            defer { barrier.open() }
            try Disk.move(stage.stage.root / "letter.txt", to: stage.stage.inbox / "letter.txt")
            try await eventually(every: .milliseconds(5)) {
                if try Disk.read(history).count > before { return nil }
                if try barrier.isReached() { barrier.open() }
                return "no record is written"
            }
            try await barrier.reached()
            try Disk.check("truncate", history, history.withCString { truncate($0, 0) })
            barrier.open()
            try await eventually(every: .milliseconds(5)) {
                if try barrier.isReached() { barrier.open() }
                return try Disk.read(history).last == UInt8(ascii: "\n") ? nil : "no record is written again"
            }
            stage.stage.daemon?.signal(SIGKILL)
            #expect(try await stage.stage.ended() == .signal(SIGKILL))
            let bytes = try Disk.read(history)
            #expect(bytes.first == UInt8(ascii: "{") && !bytes.contains(0), "\(Disk.text(history))")
            #expect(try stage.stage.filedRecords().count == 1)
            #expect(try await stage.run().exit == .status(0))
            #expect(try stage.stage.filedRecords().count == 1)
        }
    }

    @Test("What somebody adds to the history stays there, and a record that fails later takes no other with it")
    func addedHistory() async throws {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            stage.variables = ["INBOXD_FAULT=fdatasync@/history.jsonl:3:5"]
            try await stage.start()
            let history = stage.state / "history.jsonl"
            let note = #"{"id":"0000000000000001","time":"2026-01-01T00:00:00.000Z","event":"note"}"#
            for (number, name) in ["a", "b", "c"].enumerated() {
                let file = stage.root / TestPath(name)
                try Disk.put(Array(name.utf8), at: file)
                try Disk.move(file, to: stage.inbox / TestPath(name))
                try await stage.expectFiledRecords(number + 1)
                if number == 0 { try Disk.append(Array(note.utf8), to: history) }
            }
            #expect(try await stage.end(SIGTERM) == .status(0))
            let lines = Disk.text(history).split(separator: "\n")
            #expect(lines.count == 4 && lines[1] == note, "\(lines)")
        }
    }

    @Test("While the journal cannot be written nothing is filed, and nothing is said twice")
    func journalFull() async throws {
        let stage = try FaultStage(try FaultRow.named("batch"))
        let run = try await stage.run("write@/journal:*:28")
        #expect(run.exit == .status(75))
        for drop in stage.row.drops { #expect(Disk.kind(stage.stage.inbox / drop.source) == .file) }
        let complaints = run.errors.split(separator: "\n").filter { $0.contains("cannot write the journal, so") }
        #expect(complaints.count == 1, "\(run.errors)")
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("A daemon that cannot write its history ends when it is asked to, and the next start makes the record")
    func endsUnrecorded() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("same filesystem"))
            stage.stage.variables = ["INBOXD_FAULT=write@/history.jsonl:*:28"]
            try await stage.stage.start()
            try await eventually {
                Disk.exists(stage.stage.documents / "letter.txt") ? nil : "letter.txt has not moved"
            }
            #expect(try await stage.stage.status()["state"]?.string == "degraded")
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            #expect(try await stage.run().exit == .status(0))
            try stage.expectAllFiled()
        }
    }

    @Test("--once ends, with 75, where the history cannot be written at all, and the next run makes the record")
    func onceUnrecorded() async throws {
        let stage = try FaultStage(try FaultRow.named("same filesystem"))
        #expect(try await stage.run("write@/history.jsonl:*:28").exit == .status(75))
        #expect(try await stage.run().exit == .status(0))
        try stage.expectAllFiled()
    }

    @Test("Where somebody moves a document before it can be recorded, it is recorded as it was filed")
    func movedUnrecorded() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("same filesystem"))
            let document = stage.stage.documents / "letter.txt"
            stage.stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:28;write@/history.jsonl:2:28"]
            try await stage.stage.start()
            try await eventually { Disk.exists(document) ? nil : "letter.txt has not moved" }
            try Disk.move(document, to: stage.stage.root / "moved")
            try await stage.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0, "withdrawn": 0])
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            let records = try stage.stage.filedRecords()
            #expect(records.count == 1 && Disk.text(stage.stage.state / "journal") == "")
            #expect(Disk.text(stage.stage.state / "history.jsonl").contains("\"proof\":\"lease\""))
        }
    }

    @Test("A document that moved and could not be recorded is recorded in the next state folder, where its own is lost")
    func unrecordedInLostState() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("same filesystem"))
            let faults = (1...5).map { "write@/history.jsonl:\($0):28" }
            stage.stage.variables = ["INBOXD_FAULT=\(faults.joined(separator: ";"))"]
            try await stage.stage.start()
            try await eventually {
                Disk.exists(stage.stage.documents / "letter.txt") ? nil : "letter.txt has not moved"
            }
            let former = stage.stage.root / "former"
            try Disk.move(stage.stage.state, to: former)
            try await stage.stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0, "withdrawn": 0])
            #expect(try await stage.stage.end(SIGTERM) == .status(0))
            #expect(Disk.text(former / "history.jsonl") == "")
            #expect(try stage.stage.filedRecords().count == 1)
        }
    }

    @Test(
        "A source that returns while its name in the staging folder cannot be removed is filed once",
        arguments: [false, true])
    func halfReturned(isStateLost: Bool) async throws {
        let stage = try FaultStage(try FaultRow.named("no RENAME_NOREPLACE"))
        #expect(try await stage.run("linkat:1:KILL").exit == .signal(9))
        if isStateLost { try Disk.removeTree(stage.stage.state) }
        let failed = try await stage.run("unlinkat@/source-:*:28")
        #expect(failed.exit == .status(75), "\(failed.errors)")
        try stage.expectEachSomewhere()
        let next = try await stage.run()
        #expect(next.exit == .status(0), "\(next.errors)")
        try stage.expectEachOnce()
    }

    @Test("A file that one failed look missed is filed before the next safety scan")
    func missedLook() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("same filesystem"))
            stage.stage.variables = ["INBOXD_FAULT=statx@/Inbox/late:1:5"]
            try await stage.stage.start()
            try Disk.put([1], at: stage.stage.root / "late")
            try Disk.move(stage.stage.root / "late", to: stage.stage.inbox / "late")
            try await eventually { Disk.exists(stage.stage.documents / "late") ? nil : "late is not filed" }
        }
    }
}
