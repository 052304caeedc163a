import Glibc
import InboxTestSupport
import Testing

/// The users of one machine: the daemon's, with the five capabilities of the unit; another member of its group, who
/// exchanges things in a tight loop; and one whose files are nobody else's.
enum Players {
    static let (daemon, attacker, victim, group): (uid_t, uid_t, uid_t, gid_t) = (4000, 4001, 4002, 4100)

    static var arePossible: Bool {
        geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/perl", X_OK) == 0
    }

    /// Why they are not.
    static let obstacle = "only root, with setpriv and perl, can play several users"

    /// How long each race lasts.
    static let time = Duration.seconds(Extent.times(20, part: 1))

    /// So many times the attacker has to do what he does, with more time for that on a busy machine.
    static let leastRaces = Extent.times(100, part: 0)

    /// That time, in seconds.
    private static let moreTime = 300

    /// Each race keeps a processor busy. Many of them at once starve their own daemons, and take longer for it.
    private static let gate = Gate(places: 2)

    /// A test on a stage whose daemon has the rights of the unit.
    /// - Parameter other: where the Inbox is; nil for inside Documents.
    static func onStage(
        settings: [TestPath] = ["Inbox.Settle=0"], inboxOn other: OtherFilesystem? = nil,
        _ body: (Stage) async throws -> Void
    ) async throws {
        try await gate.pass {
            let programs = try Stage()
            defer { programs.close() }
            try makePrograms(in: programs.root)
            let stage = try Stage(settings: settings, inboxOn: other, programs: programs.root)
            defer { stage.close() }
            for path in [programs.root, stage.root] + (other.map { [$0.path] } ?? []) { chmod("\(path)", 0o755) }
            try make(stage.documents, of: daemon, 0o3770)
            try make(stage.inbox, of: daemon, 0o3770)
            for name: TestPath in ["home", "run", "state"] { try make(stage.root / name, of: daemon, 0o700) }
            chown("\(stage.root)", daemon, group)
            do { try await body(stage) } catch { Issue.record("\(error)\n\(await stage.report())") }
        }
    }

    /// A folder of this user and mode.
    static func make(_ folder: TestPath, of user: uid_t, _ mode: mode_t) throws {
        try Disk.makeFolders(folder)
        try Disk.check("chown", folder, chown("\(folder)", user, group))
        try Disk.check("chmod", folder, chmod("\(folder)", mode))
    }

    /// A folder that only the victim may enter, with some files of his.
    static func hide(_ folder: TestPath) throws {
        try make(folder, of: victim, 0o700)
        for name in secrets {
            try Disk.put(Array("secret".utf8), at: folder / name)
            chown("\(folder / name)", victim, group)
            chmod("\(folder / name)", 0o600)
        }
    }

    private static let secrets: [TestPath] = (0..<5).map { TestPath("secret \($0).txt") }

    /// Why the victim's folder is not as it was; nil where it is.
    static func harm(to folder: TestPath) throws -> String? {
        var reported = stat()
        guard stat("\(folder)", &reported) == 0 else { return "\(folder) is gone" }
        guard reported.st_uid == victim, reported.st_mode & 0o7777 == 0o700 else {
            return "\(folder) has another owner or mode"
        }
        let names = try Disk.names(in: folder)
        guard names == secrets else { return "\(folder) holds \(names)" }
        for path in secrets.map({ folder / $0 }) {
            guard stat("\(path)", &reported) == 0, reported.st_uid == victim, reported.st_mode & 0o7777 == 0o600,
                Disk.text(path) == "secret"
            else { return "\(path) was changed" }
        }
        return nil
    }

    /// Starts the attacker's program, in Perl: it runs until it gets a signal, then prints its results.
    static func attack(_ stage: Stage, _ script: String, _ arguments: TestPath...) throws -> Program {
        try Program(
            "/usr/bin/setpriv",
            ["--reuid=\(attacker)", "--regid=\(group)", "--clear-groups", "/usr/bin/perl", "-e"].map { TestPath($0) }
                + [TestPath(head + script)] + arguments,
            environment: stage.environment, output: stage.root / "log/attack", errors: stage.root / "log/attack.err")
    }

    /// What the attacker has said; he ends by that.
    static func end(_ attacker: Program, of stage: Stage) async throws -> [Int] {
        attacker.signal(SIGTERM)
        guard try await attacker.ended(within: .seconds(moreTime) + Deadline.usual) == .status(0) else {
            throw Failure("the attacker failed: \(Disk.text(stage.root / "log/attack.err"))")
        }
        return Disk.text(stage.root / "log/attack").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }

    /// The number of renameat2(2), syscalls(2).
    #if arch(arm64)
        private static let exchangeCall = 276
    #else
        private static let exchangeCall = 316
    #endif

    /// `exchange(A, B)` is renameat2(2) with RENAME_EXCHANGE; `$stop` is true when it is time to end, and `ended(N)` when
    /// what is to race has done so often enough too, or has had `moreTime` for that.
    private static let head = """
        use strict;
        our $stop = 0;
        $SIG{TERM} = sub { $stop = time };
        sub ended { return $stop && ($_[0] > \(leastRaces) || time > $stop + \(moreTime)) }
        sub exchange { my ($one, $other) = @_; return syscall(\(exchangeCall), -100, $one, -100, $other, 2) == 0 }
        sub pause { select(undef, undef, undef, $_[0] / 1000000) }

        """

    /// The daemon's program, started as another user with the capabilities of the unit.
    private static func makePrograms(in folder: TestPath) throws {
        let capabilities = "+lease,+dac_override,+fowner,+chown,+fsetid"
        let script = """
            #!/bin/sh
            exec setpriv --reuid=\(daemon) --regid=\(group) --clear-groups --inh-caps=-all,\(capabilities) \\
                --ambient-caps=-all,\(capabilities) --bounding-set=-all,\(capabilities) \\
                \(try BuiltPrograms.named("inboxd")) "$@"
            """
        try Disk.put(Array(script.utf8), at: folder / "inboxd")
        chmod("\(folder / "inboxd")", 0o755)
        try Disk.makeLink(folder / "inboxctl", to: BuiltPrograms.named("inboxctl"))
    }
}
