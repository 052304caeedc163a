import Glibc
import InboxLinux
import Synchronization

/// A program that the benchmark started.
final class Child {
    /// The program's status at its end, and its running time.
    struct Ending {
        let status: Int32
        /// Nanoseconds from the start of the process to its end.
        let elapsed: Double
    }

    /// Where its output goes.
    enum Output {
        case nowhere
        case file(String)
        case pipe
    }

    private static let running = Mutex<Set<pid_t>>([])

    let process: pid_t
    private let words: [String]
    private let started: Instant
    private var pipe: Int32 = -1
    private var ending: Ending?

    /// - Parameters:
    ///   - words: the program, by its path or found in `PATH`, and its arguments.
    ///   - errors: where standard error goes.
    ///   - more: variables of its environment, in the place of the usual ones of their names.
    init(
        _ words: [String], output: Output = .nowhere, errors: Output = .nowhere, environment more: [String] = []
    ) throws {
        self.words = words
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var writing: Int32 = -1
        for (number, target) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            switch target {
            case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
            case .file(let path):
                posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            case .pipe:
                var ends: [Int32] = [-1, -1]
                try check("pipe", words[0], Glibc.pipe(&ends))
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                (pipe, writing) = (ends[0], ends[1])
                posix_spawn_file_actions_adddup2(&actions, writing, number)
            }
        }
        defer { if writing >= 0 { close(writing) } }
        // What this program blocks or ignores is not the other's business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, so that what it starts ends with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) }
        // Of two with one name a shell takes the last, and others the first.
        let names = Set(more.map { $0.prefix { $0 != "=" } })
        let usual = Self.environment().filter { !names.contains($0.prefix { $0 != "=" }) }
        var variables = (more + usual).map { strdup($0) }
        defer { for pointer in arguments + variables { free(pointer) } }
        arguments.append(nil)
        variables.append(nil)
        var number: pid_t = 0
        started = .now()
        let code = Self.running.withLock { running in
            let code = posix_spawnp(&number, words[0], &actions, &attributes, arguments, variables)
            if code == 0 { running.insert(number) }
            return code
        }
        process = number
        guard code == 0 else {
            ending = Ending(status: 127, elapsed: 0)
            throw BenchmarkFailure("cannot start \(words[0]): \(String(cString: strerror(code)))")
        }
    }

    deinit {
        if ending == nil {
            kill(-process, SIGKILL)
            _ = reap()
        }
        if pipe >= 0 { close(pipe) }
    }

    /// Ends all of them, for a signal that ends this program too.
    static func killAll() {
        running.withLock { for process in $0 { kill(-process, SIGKILL) } }
    }

    /// Runs a program to its end, which has to be a good one.
    @discardableResult
    static func run(
        _ words: [String], output: Output = .nowhere, errors: Output = .nowhere, environment: [String] = [],
        statuses: Set<Int32> = [0]
    ) throws -> Ending {
        let child = try Child(words, output: output, errors: errors, environment: environment)
        return try child.end(statuses: statuses)
    }

    /// Waits for its end, which has to be a good one.
    @discardableResult
    func end(statuses: Set<Int32> = [0]) throws -> Ending {
        let ending = ending ?? reap()
        self.ending = ending
        guard statuses.contains(ending.status) else {
            throw BenchmarkFailure("\(words.joined(separator: " ")) ended with status \(ending.status)")
        }
        return ending
    }

    /// Asks it to end, and waits until it has.
    ///
    /// - Parameter asked: the process that is asked; nil for all of its group.
    func stop(by asked: pid_t? = nil) throws {
        kill(asked ?? -process, SIGTERM)
        try end(statuses: [0, 128 + SIGTERM])
    }

    /// The program has ended already.
    var hasEnded: Bool {
        if ending != nil { return true }
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// The next line that it writes, without its end; nil where it writes no more.
    func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(pipe, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let elapsed = Instant.now() - started
        _ = Self.running.withLock { $0.remove(process) }
        // The macros of wait(2) are missing from the Glibc module: the low seven bits are the signal.
        let signal = status & 0x7F
        return Ending(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, elapsed: Double(elapsed.wholeNanoseconds))
    }

    /// Returns the variables that every program needs; no other variable of the user gets in, and nobody can make
    /// that home.
    private static func environment() -> [String] {
        ["PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYENV_ROOT", "TMPDIR"].compactMap { name in
            variable(name).map { "\(name)=\($0)" }
        } + ["LC_ALL=C.UTF-8", "TZ=UTC", "HOME=/proc/nonexistent", "PYTHONDONTWRITEBYTECODE=1"]
    }
}
