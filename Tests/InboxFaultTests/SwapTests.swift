import Glibc
import InboxTestSupport
import Testing

/// Another member of the group swaps a folder of his own for a link to somebody's private folder, in a tight loop. With
/// the unit's five capabilities the daemon could enter that folder.
@Suite(
    "Folders swapped for links by another user", .enabled(if: Players.arePossible, Comment(rawValue: Players.obstacle)))
struct SwapTests {
    @Test("A folder in the Inbox that becomes a link takes nothing from where that leads")
    func source() async throws {
        try await expectNoHarm { $0.inbox / "sub" }
    }

    @Test("A destination that becomes a link gets nothing written to where that leads")
    func destination() async throws {
        try await expectNoHarm { $0.documents / "sub" }
    }

    /// Swaps the folder while documents arrive in `Inbox/sub`: each is filed in the end, and once.
    private func expectNoHarm(_ swapped: (Stage) -> TestPath) async throws {
        try await Players.onStage { stage in
            let (made, outside) = (stage.root / "made", stage.root / "outside")
            try Players.make(made, of: Players.attacker, 0o770)
            try Players.hide(outside)
            for folder in [stage.inbox / "sub", stage.documents / "sub"] {
                try Players.make(folder, of: Players.attacker, 0o770)
            }
            try await stage.start()
            let attacker = try Players.attack(stage, Self.swap, swapped(stage), outside, made, stage.inbox / "sub")
            try await Task.sleep(for: Players.time)
            let said = try await Players.end(attacker, of: stage)
            guard said.count == 2 else { throw Failure("the attacker said \(said)") }
            let (swaps, dropped) = (said[0], said[1])
            #expect(swaps > Extent.times(200, part: 0) && dropped > Extent.times(200, part: 0))
            // What was held while the name was a link.
            try await stage.runControl(["retry"])
            try await stage.expectCounters(["waiting": 0, "held": 0])
            #expect(try Players.harm(to: outside) == nil)
            let found = try Disk.leaves(of: stage.documents, except: [stage.inbox]).map { stage.documents / $0 }
                .filter { Disk.kind($0) == .file }.compactMap { Int(Disk.text($0)) }
            #expect(found.sorted() == Array(0..<dropped), "\(found.count) files of \(dropped) documents")
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }

    /// Says how often it swapped, and how many documents it dropped: each has its number for its name and its content.
    private static let swap = """
        my ($folder, $outside, $made, $inbox) = @ARGV;
        my ($swaps, $dropped) = (0, 0);
        symlink($outside, "$made/link") or die;
        while (!$stop) {
            # The daemon removes an empty folder of the Inbox.
            mkdir($inbox);
            open(my $file, '>', "$made/new") or die;
            print $file $dropped;
            close $file;
            rename("$made/new", "$inbox/$dropped.txt") and $dropped++;
            exchange("$made/link", $folder) or next;
            pause(100 * ($swaps % 7)) if $swaps % 7;
            exchange("$made/link", $folder) or die "$!";
            $swaps++;
            pause(100 * ($swaps % 5)) if $swaps % 5;
        }
        print "$swaps $dropped\\n";
        """
}
