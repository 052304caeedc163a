import Glibc
import Synchronization

/// Leaves one line a suite of what a run of all tests says, and everything about tests that fail or are skipped: there
/// are thousands of tests and cases, each with a line at its begin and one at its end.
///
/// A run that is narrowed by `--filter` says everything, and so does every run with `INBOX_TESTS_OUTPUT=all`.
enum ShortOutput {
    /// What sed(1) does with each line.
    ///
    /// An argument may have several lines: they become one, which ends with what happened to the case.
    private static let script = """
        :line
        /^[^TS]*Test case passing /{
        / to .* (started\\.|passed after |failed after |recorded an issue|skipped)/!{
        N
        b line
        }
        }
        /Test run /b
        /^[^TS]*Test .*( started\\.|passed after [0-9.]+ seconds\\.)$/d
        /^[^TS]*Suite .* started\\.$/d
        """

    private static let filter = Mutex<pid_t?>(nil)

    static func begin() {
        let words = Set(CommandLine.arguments)
        let narrowed: Set = ["--filter", "--list-tests", "--verbose", "-v", "--very-verbose", "--quiet", "-q"]
        guard words.isDisjoint(with: narrowed), getenv("INBOX_TESTS_OUTPUT") == nil else { return }
        do { try install() } catch { print("all lines are shown: \(error)") }
    }

    private static func install() throws {
        var ends: [Int32] = [-1, -1]
        try Program.starting.withLock { _ in
            try Disk.check("pipe", "a pipe", pipe(&ends))
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        defer { for end in ends { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // Ctrl-C is for the tests: what they still say then is to be read.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let (words, environment) = (["sed", "-u", "-E", script], ["PATH=/usr/bin:/bin", "LC_ALL=C"])
        var argv = words.map { strdup($0) }
        var envp = environment.map { strdup($0) }
        defer { for pointer in argv + envp { free(pointer) } }
        argv.append(nil)
        envp.append(nil)
        var child: pid_t = 0
        let code = posix_spawnp(&child, "sed", &actions, &attributes, argv, envp)
        guard code == 0 else { throw DiskError(call: "posix_spawn", path: "sed", code: code) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(ends[1], descriptor) }
        filter.withLock { $0 = child }
        // Its last lines are to come before the end of this process.
        atexit { ShortOutput.end() }
    }

    private static func end() {
        fflush(nil)
        guard let child = filter.withLock({ $0 }) else { return }
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, descriptor) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
}
