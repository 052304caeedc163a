import Glibc
import InboxTestSupport
import Testing

/// Another member of the group exchanges roots in a tight loop, against a daemon with the unit's five capabilities.
@Suite("Roots exchanged by another user", .enabled(if: Players.arePossible, Comment(rawValue: Players.obstacle)))
struct RootSwapTests {
    /// Exchanges `Inbox` of a folder: for a link that leads out, or for another user's private folder. It says how often.
    private static let exchange = """
        chdir($ARGV[0]) or die;
        my ($n, $tries, $taken) = (0, 0, 0);
        while (!$stop) {
            if (rename("Inbox", "x")) {
                if ($n % 2) { symlink("../outside", "Inbox") } else { rename("private", "Inbox") }
                pause(300 * ($n % 7));
                if ($n % 2) { unlink("Inbox") } else { rename("Inbox", "private") }
                until (rename("x", "Inbox")) { rename("Inbox", "taken " . $taken++) }
                $n++;
            }
            $tries++;
            pause(200 * ($tries % 5));
        }
        print "$n\\n";
        """

    @Test("Nothing outside is moved or becomes readable, however often the Inbox is exchanged")
    func unsafe() async throws {
        try await onHostileStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            try Disk.put([1], at: stage.inbox / "before.txt")
            try await stage.expectCounters(["filed": 1])
            // From now on every member of the group may exchange the Inbox.
            chmod("\(stage.documents)", 0o2777)
            let exchanges = try await attack(stage)
            #expect(exchanges > Extent.times(1000, part: 20))
            try expectUntouched(stage)
            chmod("\(stage.documents)", 0o3770)
            try await stage.expectState("watching")
            try Disk.put([1], at: stage.inbox / "after.txt")
            try await eventually { Disk.exists(stage.documents / "after.txt") ? nil : "it is not filed" }
            try expectUntouched(stage)
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    @Test("With the mode that the unit gives Documents nobody can exchange the Inbox, and filing goes on")
    func sticky() async throws {
        try await onHostileStage { stage in
            try await stage.start()
            try await stage.expectState("watching")
            let exchanges = try await attack(stage)
            #expect(exchanges == 0)
            try expectUntouched(stage)
            try await stage.expectCounters(["waiting": 0])
            #expect(try await stage.counters()["filed"] ?? 0 > 0)
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    /// Documents, its Inbox, a stranger's folder beside it and one outside.
    private func onHostileStage(_ body: (Stage) async throws -> Void) async throws {
        try await Players.onStage { stage in
            for folder in [stage.documents / "private", stage.root / "outside"] { try Players.hide(folder) }
            try await body(stage)
        }
    }

    /// Exchanges the Inbox while documents are dropped into it; how often that came off.
    private func attack(_ stage: Stage) async throws -> Int {
        // Before the first exchange: later it may have no name for a moment.
        let inbox = try Disk.open(stage.inbox, O_RDONLY | O_DIRECTORY)
        defer { close(inbox) }
        let attacker = try Players.attack(stage, Self.exchange, stage.documents)
        let end = ContinuousClock.now + Players.time
        var round = 0
        while ContinuousClock.now < end {
            // Through a descriptor: the drop goes into the folder wherever it is.
            let name = TestPath("drop \(round).txt")
            let file = name.withCString { openat(inbox, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            try Disk.check("openat", name, file)
            defer { close(file) }
            try Disk.write(Array("\(round)".utf8), to: file, name)
            round += 1
            pause(.milliseconds(10))
            if round % 20 == 0 { #expect(try Players.harm(to: stage.root / "outside") == nil) }
        }
        return try await Players.end(attacker, of: stage).first ?? 0
    }

    /// Each secret is where it was, as it was, and its folder is closed; nowhere else is there one.
    private func expectUntouched(_ stage: Stage) throws {
        for folder in [stage.documents / "private", stage.root / "outside"] {
            #expect(try Players.harm(to: folder) == nil)
        }
        let others = try Disk.leaves(of: stage.documents, except: [stage.documents / "private"])
        #expect(others.allSatisfy { !"\($0)".contains("secret") }, "\(others)")
    }
}
