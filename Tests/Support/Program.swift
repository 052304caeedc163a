import Glibc
import Synchronization

/// A program that a test started, with its output in files so that nobody has to drain a pipe.
package final class Program {
    /// How a program ended.
    package enum Exit: Equatable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)

        package init(waitStatus: Int32) {
            // The macros of wait(2) are missing from the Glibc module: low seven bits are the signal.
            let signal = waitStatus & 0x7F
            self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
        }

        package var description: String {
            switch self {
            case .status(let status): "exit status \(status)"
            case .signal(let signal): "signal \(signal)"
            }
        }
    }

    /// Held while a program is started, and while a file is written that nobody may seem to be writing afterwards: until
    /// it has become the program, a child has every descriptor that was open here.
    package static let starting = Mutex(())

    /// Waits until no child is left that has a file open which was closed here a moment ago, and so seems to be writing it,
    /// or to hold its lock or its lease. The testing library, too, starts children (for tests of an exit), and does not take
    /// ``starting`` for that.
    package static func waitForStarts() {
        starting.withLock { _ in }
        let end = ContinuousClock.now + Deadline.usual
        while UnfinishedStart.isUnderWay, ContinuousClock.now < end { pause(.milliseconds(1)) }
    }

    package let processID: pid_t
    private let end: ProgramEnd

    package init(
        _ executable: TestPath, _ arguments: [TestPath], environment: [String], output: TestPath, errors: TestPath
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, path) in [(Int32(1), output), (2, errors)] {
            _ = path.withCString {
                posix_spawn_file_actions_addopen(&actions, descriptor, $0, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            }
        }

        // The test runner's own mask and handlers are not the program's business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var argv = ([executable] + arguments).map { path in path.withCString { strdup($0) } }
        let mark = "\(TestRun.variable)=\(TestRun.current.identifier)"
        var envp = (environment + [mark]).map { strdup($0) }
        defer { for pointer in argv + envp { free(pointer) } }
        argv.append(nil)
        envp.append(nil)
        var child: pid_t = 0
        let code = Program.starting.withLock { _ in
            executable.withCString { posix_spawnp(&child, $0, &actions, &attributes, argv, envp) }
        }
        guard code == 0 else { throw DiskError(call: "posix_spawn", path: executable, code: code) }
        processID = child
        end = ProgramEnd(of: child)
    }

    /// How it ended, or nil while it runs.
    package var exit: Exit? { end.exit }

    /// Whether it has ended, although a thread of it may still have to wait in the kernel: its first thread is gone.
    package var hasExited: Bool {
        if exit != nil { return true }
        let status = Disk.text(TestPath("/proc/\(processID)/stat"))
        return status.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    package func ended(within limit: Duration = Deadline.usual * 3) async throws -> Exit {
        try await eventually(within: limit, every: .milliseconds(5)) { exit == nil ? "it still runs" : nil }
        return exit ?? .status(0)
    }

    /// Sends a signal, unless it has ended: its number could be another's by then.
    package func signal(_ number: Int32) { end.signal(number) }

    /// Sends a signal and waits until the program has read it: its threads have it blocked, and signalfd(2) has returned it.
    package func signalAndWait(_ number: Int32) async throws {
        signal(number)
        try await eventually(every: .milliseconds(2)) {
            let status = Disk.text(TestPath("/proc/\(processID)/status"))
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("ShdPnd:") }) else {
                throw Failure("no ShdPnd in \(status)")
            }
            return line.dropFirst("ShdPnd:".count).allSatisfy { $0 == "0" || $0.isWhitespace } ? nil : "\(line)"
        }
    }

    deinit {
        guard exit == nil else { return }
        signal(SIGKILL)
        // One that waits in the kernel for a server that is stopped ends when that goes on, which may be the next thing
        // that a test does.
        let latest = ContinuousClock.now + .seconds(10)
        while exit == nil, ContinuousClock.now < latest { pause(.milliseconds(2)) }
    }
}
