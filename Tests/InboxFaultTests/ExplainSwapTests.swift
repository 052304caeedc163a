import Glibc
import InboxTestSupport
import Testing

/// Another member of the group asks what is in a folder of his own, and exchanges it for a private one meanwhile.
@Suite(
    "Questions about folders exchanged by another user",
    .enabled(if: Players.arePossible, Comment(rawValue: Players.obstacle)))
struct ExplainSwapTests {
    @Test("Explain reveals nothing of a private folder, however often another one is exchanged for it")
    func explain() async throws {
        try await Players.onStage(settings: ["Inbox.Settle=0", "Control.SocketMode=0660"]) { stage in
            // Not in Documents itself, which is watched: each exchange would be an event.
            let shared = stage.documents / "shared"
            let (own, hidden) = (shared / "own", shared / "private")
            try await stage.start()
            try Players.make(shared, of: Players.daemon, 0o2770)
            try Players.make(own, of: Players.attacker, 0o755)
            try Players.make(hidden, of: Players.victim, 0o700)
            // The content decides: an answer that names an image discloses the victim's file.
            for (folder, content) in [(own, Array("a text\n".utf8)), (hidden, [0x89] + Array("PNG\r\n\u{1A}\n".utf8))] {
                try Disk.put(content, at: folder / "file")
            }
            chmod("\(own / "file")", 0o644)
            chown("\(hidden / "file")", Players.victim, Players.group)
            chmod("\(hidden / "file")", 0o600)
            let attacker = try Players.attack(
                stage,
                """
                use IO::Socket::UNIX;
                chdir($ARGV[0]) or die;
                my $child = fork();
                while (!$child && !$stop) { exchange("own", "private") for 1..2 }
                exit 0 unless $child;
                my $daemon = IO::Socket::UNIX->new(Peer => $ARGV[1]) or die "$!";
                my ($texts, $images) = (0, 0);
                local $/ = "\\0";
                while (!$stop) {
                    print $daemon qq({"method":"io.inboxd.Inbox.Explain","parameters":{"path":"$ARGV[0]/own/file"}}\\0);
                    $daemon->flush;
                    my $answer = <$daemon>;
                    die unless defined $answer;
                    $texts++ if $answer =~ /public\\.plain-text/;
                    $images++ if $answer =~ /public\\.png/;
                }
                kill "TERM", $child;
                waitpid $child, 0;
                print "$texts $images\\n";
                """, shared, stage.socket)
            pause(Players.time)
            let reported = try await Players.end(attacker, of: stage)
            try #require(reported.count == 2)
            #expect(reported[0] > Extent.times(20, part: 0))
            #expect(reported[1] == 0)
            #expect(try await stage.end(SIGTERM) == .status(0))
        }
    }
}
