import Glibc
import InboxTestSupport
import Testing

/// The owner of documents that go to another filesystem does what he can to them in a tight loop, as another user, against
/// a daemon with the unit's five capabilities.
@Suite(
    "Documents that their owner changes on their way",
    .enabled(if: Players.arePossible && OtherFilesystem.isThere, "it takes root, setpriv, perl and a second filesystem")
)
struct SourceRaceTests {
    @Test("No edit of a published copy is lost, however often the source is opened for writing")
    func edited() async throws {
        try await onStage { stage, made in
            let attacker = try Players.attack(
                stage,
                """
                use Fcntl;
                my ($made, $inbox, $documents) = @ARGV;
                my ($count, $opens, @waiting, @edited) = (0, 0);
                while (!ended(scalar @edited)) {
                    while (@waiting < 16) {
                        open(my $file, '>', "$made/new") or die;
                        print $file "document $count";
                        close $file;
                        open(my $source, '<', "$made/new") or die;
                        rename("$made/new", "$inbox/$count.txt") or die;
                        push @waiting, [$count++, $source];
                    }
                    @waiting = grep {
                        my ($number, $source) = @$_;
                        $opens++ if sysopen(my $writer, "/proc/self/fd/" . fileno($source), O_WRONLY | O_NONBLOCK);
                        my $isThere = sysopen(my $copy, "$documents/$number.txt", O_WRONLY | O_APPEND | O_NONBLOCK);
                        syswrite($copy, ", edited") == 8 && push @edited, $number if $isThere;
                        !$isThere;
                    } @waiting;
                    pause(100 * ($opens % 16));
                }
                print "$count $opens @edited\\n";
                """, made, stage.inbox, stage.documents)
            try await Task.sleep(for: Players.time)
            let said = try await Players.end(attacker, of: stage)
            guard said.count > 1 else { throw Failure("the attacker said \(said)") }
            let (count, opens, edited) = (said[0], said[1], Set(said[2...]))
            #expect(edited.count > Players.leastRaces)
            #expect(opens > edited.count)
            let wanted = (0..<count).map { edited.contains($0) ? "document \($0), edited" : "document \($0)" }
            // The counters alone do not say so: on a busy machine the daemon has yet to see the last documents.
            try await eventually {
                let found = try contents(of: stage.documents, beside: stage.inbox)
                return found.sorted() == wanted.sorted() ? nil : difference(found, wanted)
            }
            try await stage.expectCounters(["waiting": 0, "held": 0])
        }
    }

    /// The number of a package's last file: the removal of so many takes some time.
    private static let last = 199

    @Test("No folder is lost that is moved into a package while that is copied and its source removed")
    func movedIn() async throws {
        try await onStage { stage, made in
            let attacker = try Players.attack(
                stage,
                """
                use Fcntl;
                my ($made, $inbox, $documents) = @ARGV;
                my ($count, $moved) = (0, 0);
                while (!ended($moved)) {
                    my $name = "$count.rtfd";
                    mkdir("$made/new") or die;
                    for my $number (0..\(Self.last)) {
                        open(my $file, '>', "$made/new/$number.txt") or die;
                        print $file "document $count.$number";
                        close $file;
                    }
                    sysopen(my $folder, "$made/new", O_RDONLY | O_DIRECTORY) or die;
                    rename("$made/new", "$inbox/$name") or die;
                    pause(500) while !ended($moved) && -e "$inbox/$name";
                    # Every other time it begins when the copy has its name, and the source is about to be removed.
                    while (!ended($moved) && $count % 2 && !-e "$documents/$name" && !-e "$inbox/$name") {}
                    while (1) {
                        mkdir("$made/in") or die;
                        open(my $file, '>', "$made/in/f.txt") or die;
                        print $file "moved in $moved";
                        close $file;
                        if (!rename("$made/in", "/proc/self/fd/" . fileno($folder) . "/in $moved")) {
                            unlink("$made/in/f.txt") && rmdir("$made/in") or die;
                            last;
                        }
                        $moved++;
                        # Before the next one the daemon gets on: to a removal, or to a return.
                        last if ended($moved) || -e "$inbox/$name";
                        pause(200 * ($moved % 16));
                    }
                    $count++;
                }
                print "$count $moved\\n";
                """, made, stage.inbox, stage.documents)
            try await Task.sleep(for: Players.time)
            let said = try await Players.end(attacker, of: stage)
            guard said.count == 2 else { throw Failure("the attacker said \(said)") }
            let (count, moved) = (said[0], said[1])
            #expect(moved > Players.leastRaces)
            let wanted =
                (0..<moved).map { "moved in \($0)" }
                + (0..<count).flatMap { package in (0...Self.last).map { "document \(package).\($0)" } }
            try await eventually {
                let found = Set(try contents(of: stage.documents, beside: stage.inbox))
                let missing = wanted.filter { !found.contains($0) }
                return missing.isEmpty
                    ? nil : "\(missing.count) of \(wanted.count) are lost, such as \(missing.prefix(5))"
            }
            try await stage.expectCounters(["waiting": 0, "held": 0])
        }
    }

    private func onStage(_ body: (Stage, TestPath) async throws -> Void) async throws {
        let other = try OtherFilesystem()
        defer { try? Disk.removeTree(other.path) }
        try await Players.onStage(inboxOn: other) { stage in
            let made = other.path / "made"
            try Players.make(made, of: Players.attacker, 0o700)
            stage.variables = ["INBOXD_PACKAGE_QUIET=50"]
            try await stage.start()
            try await body(stage, made)
            try await eventually {
                let leaves = try Disk.leaves(of: stage.documents) + Disk.leaves(of: stage.inbox)
                let staged = leaves.filter { $0.bytes.starts(with: ".inboxd-".utf8) }
                return staged.isEmpty ? nil : "these stay staged: \(staged)"
            }
        }
    }

    private func contents(of folder: TestPath, beside inbox: TestPath) throws -> [String] {
        try Disk.leaves(of: folder, except: [inbox]).map { folder / $0 }.filter { Disk.kind($0) == .file }
            .map { Disk.text($0) }
    }

    private func difference(_ found: [String], _ wanted: [String]) -> String {
        let (missing, surplus) = (Set(wanted).subtracting(found), Set(found).subtracting(wanted))
        return "missing: \(missing.sorted().prefix(5)), not expected: \(surplus.sorted().prefix(5)), "
            + "\(found.count) instead of \(wanted.count)"
    }
}
