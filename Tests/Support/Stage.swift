import Glibc

/// A folder of its own for one test: Documents with its Inbox, a state folder, a socket, and the daemon that works there.
package final class Stage {
    /// What a program that ran to its end left behind.
    package struct Run {
        package let name: String
        package let exit: Program.Exit
        package let output: String
        package let errors: String
    }

    package let root: TestPath
    /// Inside Documents, unless the test asked for another place.
    package let inbox: TestPath
    package let daemonProgram: TestPath
    package let controlProgram: TestPath
    /// `NAME=VALUE` for every program, beside the standard environment.
    package var variables: [String] = []
    /// `SECTION.KEY=VALUE` for every start.
    package var settings: [TestPath]
    package private(set) var daemon: Program?
    package private(set) var lastRun: Run?
    private let other: OtherFilesystem?
    private var runs = 0

    package var documents: TestPath { root / "Documents" }
    package var state: TestPath { root / "state" }
    package var socket: TestPath { root / "s" }
    package var daemonLog: TestPath { root / "log/daemon.err" }

    /// - Parameters:
    ///   - folder: where to make it; nil for `TMPDIR`.
    ///   - other: where on another filesystem the Inbox is to be; nil for inside Documents.
    ///   - programs: the folder of the programs; nil for those that were built with the tests.
    package init(
        settings: [TestPath] = [], below folder: TestPath? = nil, inboxOn other: OtherFilesystem? = nil,
        programs: TestPath? = nil
    ) throws {
        daemonProgram = try programs.map { $0 / "inboxd" } ?? BuiltPrograms.named("inboxd")
        controlProgram = try programs.map { $0 / "inboxctl" } ?? BuiltPrograms.named("inboxctl")
        self.settings = settings
        root = try TestRun.current.makeFolder(in: folder)
        self.other = other
        inbox = (other?.path ?? root / "Documents") / "Inbox"
        for folder: TestPath in ["Documents", "outside", "home", "run", "log"] { try Disk.makeFolders(root / folder) }
        try Disk.makeFolders(inbox)
    }

    /// Kills the daemon and removes its folders.
    package func close() {
        daemon = nil
        endHandlers()
        // What cannot be removed stays for whoever looks; the test's own verdict is not touched by it.
        for folder in [root, other?.path].compactMap({ $0 }) { try? Disk.removeTree(folder) }
    }

    /// Ends what handlers have left running of a daemon that was killed: nobody else does.
    private func endHandlers() {
        let settings = settings.map(\.description).joined() + Disk.text(root / "inboxd.conf")
        guard settings.contains("Run="), let processes = try? Disk.names(in: "/proc") else { return }
        let mark = Array("INBOX_SOURCE=\(root)/".utf8)
        for process in processes {
            guard let number = Int32(process.description),
                let environment = try? Disk.read("/proc" / process / "environ"),
                environment.split(separator: 0).contains(where: { $0.starts(with: mark) })
            else { continue }
            kill(number, SIGKILL)
        }
    }

    /// Nothing of the person who runs the tests gets in: no configuration, no running daemon.
    package var environment: [String] {
        var variables = [
            "HOME=\(root)/home", "XDG_CONFIG_HOME=\(root)/home/.config", "XDG_STATE_HOME=\(root)/home/.local/state",
            "XDG_RUNTIME_DIR=\(root)/run", "TZ=UTC", "LANG=C.UTF-8", "NO_COLOR=1",
        ]
        for name in ["PATH", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE"] {
            if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
        }
        let own = Set(self.variables.map { $0.prefix { $0 != "=" } })
        return variables.filter { !own.contains($0.prefix { $0 != "=" }) } + self.variables
    }

    package var standardArguments: [TestPath] {
        ["--documents", documents, "--state", state, "--socket", socket]
            + (other == nil ? [] : ["--inbox", inbox])
            + settings.flatMap { ["--set" as TestPath, $0] }
    }

    // MARK: Programs

    /// Starts the daemon and waits until it answers.
    package func start(_ arguments: [TestPath] = []) async throws {
        guard daemon?.exit != nil || daemon == nil else { throw Failure("the daemon runs already") }
        let started = try Program(
            daemonProgram, standardArguments + arguments, environment: environment, output: root / "log/daemon.out",
            errors: daemonLog)
        daemon = started
        try await eventually(every: .milliseconds(50)) {
            if let exit = started.exit { throw Failure("the daemon ended at once: \(exit)") }
            guard Disk.kind(socket) == .special else { return "no socket stands at \(socket)" }
            let run = try await control(["status", "--json"])
            return run.errors.isEmpty ? nil : "inboxctl status: \(run.exit): \(run.errors)"
        }
    }

    /// Sends a signal and waits for the end.
    package func end(_ signal: Int32) async throws -> Program.Exit {
        guard let running = daemon else { throw Failure("no daemon was started") }
        if let early = running.exit { throw Failure("the daemon had ended before: \(early)") }
        running.signal(signal)
        return try await ended()
    }

    /// Waits for the end of a daemon that somebody else has asked to end.
    package func ended() async throws -> Program.Exit {
        guard let running = daemon else { throw Failure("no daemon was started") }
        defer { daemon = nil }
        return try await running.ended()
    }

    /// Runs `inboxd` to its end, with the standard options and more.
    package func runDaemon(_ arguments: [TestPath]) async throws {
        lastRun = try await run(daemonProgram, standardArguments + arguments)
    }

    /// Runs `inboxd` to its end without the standard options: it has only its environment to go by.
    package func runDaemonAlone(_ arguments: [TestPath]) async throws {
        lastRun = try await run(daemonProgram, arguments)
    }

    package func runControl(_ arguments: [TestPath]) async throws {
        lastRun = try await control(arguments)
    }

    /// Runs `inboxctl` to its end, against this stage's socket.
    package func control(_ arguments: [TestPath]) async throws -> Run {
        try await run(controlProgram, ["--socket", socket] + arguments)
    }

    /// Runs any program to its end, its output kept.
    package func run(_ program: TestPath, _ arguments: [TestPath]) async throws -> Run {
        runs += 1
        let output = root / "log" / TestPath("run-\(runs).out")
        let errors = root / "log" / TestPath("run-\(runs).err")
        let started = try Program(program, arguments, environment: environment, output: output, errors: errors)
        let exit: Program.Exit
        do {
            exit = try await started.ended()
        } catch {
            throw Failure("\(program) \(arguments): \(error); it wrote: \(Disk.text(output)) \(Disk.text(errors))")
        }
        defer { for path in [output, errors] { try? Disk.remove(path) } }
        return Run(
            name: String(describing: program), exit: exit, output: Disk.text(output), errors: Disk.text(errors))
    }

    // MARK: Reports

    /// What a person needs who was not there: the tree, the daemon's words, what it lists.
    package func report() async -> String {
        var lines = ["--- files under \(root)"]
        let leaves = (try? Disk.leaves(of: root, except: [root / "log"])) ?? []
        lines += leaves.prefix(80).map { leaf in
            let size = Disk.kind(root / leaf) == .file ? ((try? Disk.read(root / leaf).count) ?? -1) : 0
            return "\(leaf) (\(size) bytes)"
        }
        if leaves.count > 80 { lines.append("… and \(leaves.count - 80) more") }
        lines.append("--- daemon: \(daemon.map { $0.exit.map(\.description) ?? "runs" } ?? "not running")")
        lines.append(tail(Disk.text(daemonLog)))
        if let lastRun {
            lines.append("--- last program run: \(lastRun.name): \(lastRun.exit)")
            lines.append(tail(lastRun.output + lastRun.errors))
        }
        for verb: TestPath in ["status", "list"] where daemon != nil {
            guard let run = try? await control([verb, "--json"]) else { continue }
            lines.append("--- inboxctl \(verb) --json: \(run.exit)\n\(tail(run.output + run.errors))")
        }
        return lines.joined(separator: "\n")
    }

    private func tail(_ text: String) -> String {
        text.utf8.count > 4000 ? "…" + String(text.suffix(4000)) : text
    }
}
