import Glibc
import InboxTestSupport
import Testing

/// Another member of the group exchanges what the daemon creates, in a tight loop, in folders that the group may write
/// and that are not sticky, against a daemon with the unit's five capabilities.
@Suite(
    "Created folders exchanged by another user", .enabled(if: Players.arePossible, Comment(rawValue: Players.obstacle)))
struct FolderSwapTests {
    @Test("No other folder is changed or gets a document, however often a folder that is created is exchanged for it")
    func made() async throws {
        try await Players.onStage { stage in
            let inbox = try openDocuments(stage)
            try await stage.start()
            let attacker = try Players.attack(
                stage,
                """
                chdir($ARGV[0]) or die;
                my $n = 0;
                while (!$stop) {
                    for my $name (map { "folder $_" } 0..7) {
                        next unless exchange($name, "private");
                        pause(100 * ($n % 4)) if $n % 4;
                        exchange($name, "private") or die;
                        rename($name, "gone " . $n++);
                    }
                }
                print "$n\\n";
                """, stage.documents)
            let dropped = try drop(until: ContinuousClock.now + Players.time) { round in
                let folder = inbox / TestPath("folder \(round % 8)")
                try Disk.makeFolders(folder)
                try Disk.put(Array("\(round)".utf8), at: folder / TestPath("\(round).txt"))
            }
            let exchanges = try await Players.end(attacker, of: stage).first ?? 0
            #expect(exchanges > Extent.times(200, part: 0))
            try await expectAllThere(dropped, stage, inbox)
        }
    }

    @Test(
        "Nothing is lost and no other folder is changed, however often a staging folder is exchanged for it",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
    func staging() async throws {
        let other = try OtherFilesystem()
        defer { try? Disk.removeTree(other.path) }
        try await Players.onStage(inboxOn: other) { stage in
            _ = try openDocuments(stage)
            try Players.make(stage.inbox, of: Players.daemon, 0o2770)
            let own = stage.inbox / "private"
            try Players.make(own, of: Players.attacker, 0o777)
            // An empty folder could go unnoticed with a staging folder: rmdir(2) knows names only.
            try Disk.put([], at: own / "kept.part")
            stage.variables = ["INBOXD_PACKAGE_QUIET=50"]
            try await stage.start()
            let attacker = try Players.attack(
                stage,
                """
                my $n = 0;
                while (!$stop) {
                    for my $folder (@ARGV) {
                        opendir(my $list, $folder) or die;
                        for my $name (grep { /^\\.inboxd-/ } readdir $list) {
                            next unless exchange("$folder/$name", "$folder/private");
                            pause(100 * ($n % 4)) if $n % 4;
                            $n++;
                            exchange("$folder/$name", "$folder/private")
                                or rename("$folder/$name", "$folder/private") or die;
                        }
                    }
                }
                print "$n\\n";
                """, stage.documents, stage.inbox)
            let dropped = try drop(until: ContinuousClock.now + Players.time) { round in
                // A file has no name before it is published; a package is made in a staging folder.
                let made = other.path / "made"
                if round % 10 == 0 {
                    try Disk.makeFolders(made)
                    try Disk.put(Array("\(round)".utf8), at: made / "TXT.rtf")
                    try Disk.move(made, to: stage.inbox / TestPath("\(round).rtfd"))
                } else {
                    try Disk.put(Array("\(round)".utf8), at: made)
                    try Disk.move(made, to: stage.inbox / TestPath("\(round).txt"))
                }
            }
            let exchanges = try await Players.end(attacker, of: stage).first ?? 0
            #expect(exchanges > Extent.times(200, part: 0))
            #expect(Disk.owner(own) == Players.attacker)
            #expect(try Disk.mode(own) == 0o777)
            #expect(try Disk.names(in: own) == ["kept.part"])
            try await expectAllThere(dropped, stage, stage.inbox)
        }
    }

    /// Documents that every member of the group may change, with the victim's folder in it, and an Inbox beside it: one
    /// inside would be on an unsafe path.
    private func openDocuments(_ stage: Stage) throws -> TestPath {
        try Players.make(stage.documents, of: 0, 0o2770)
        try Players.hide(stage.documents / "private")
        if !stage.inbox.bytes.starts(with: stage.documents.bytes) { return stage.inbox }
        try Disk.removeTree(stage.inbox)
        let inbox = stage.root / "in"
        try Players.make(inbox, of: Players.daemon, 0o3770)
        stage.settings += ["Inbox.Inbox=", TestPath("Inbox.Inbox=\(inbox)")]
        return inbox
    }

    /// Drops a document every 15 ms; how many.
    private func drop(until end: ContinuousClock.Instant, _ body: (Int) throws -> Void) throws -> Int {
        var round = 0
        while ContinuousClock.now < end {
            try body(round)
            round += 1
            pause(.milliseconds(15))
        }
        return round
    }

    /// The victim's folder is as it was, and each document is in Documents, or in the Inbox and held.
    private func expectAllThere(_ dropped: Int, _ stage: Stage, _ inbox: TestPath) async throws {
        #expect(try Players.harm(to: stage.documents / "private") == nil)
        // What was held while a name led to a private folder. A retry finds only what is decided.
        try await stage.expectCounters(["waiting": 0])
        try await stage.runControl(["retry"])
        try await stage.expectCounters(["waiting": 0, "held": 0])
        #expect(try Players.harm(to: stage.documents / "private") == nil)
        let hidden: Set<TestPath> = [stage.documents / "private"]
        let found = try Disk.leaves(of: stage.documents, except: hidden).map { stage.documents / $0 }
            .filter { Disk.kind($0) == .file }.compactMap { Int(Disk.text($0)) }
        let missing = Set(0..<dropped).subtracting(found)
        #expect(missing.isEmpty, "\(missing.count) of \(dropped) are lost, such as \(missing.prefix(5))")
        #expect(found.count == Set(found).count, "\(found.count - Set(found).count) were filed twice")
        #expect(try await stage.end(SIGTERM) == .status(0))
    }
}
