import Glibc
import InboxTestSupport

/// Runs the cases of a ``ProgramSuite``, each with a daemon of its own.
struct ProgramRunner: Sendable {
    /// Where the suite's sources and servers are.
    private let folder: TestPath
    /// The ports of the servers, by their names.
    private var ports: [String: Int] = [:]
    /// The servers that are missing, or do not start for this user, by their names.
    private var missing: Set<String>

    /// Makes the sources, and starts the servers that cases need, which run as long as somebody has them.
    static func start(
        _ suite: ProgramSuite, for cases: [ProgramSuite.Case]
    ) async throws -> (runner: ProgramRunner, servers: [Program]) {
        let needed = suite.servers.filter { server in cases.contains { $0.talks(to: server.name) } }
        var runner = try ProgramRunner(
            folder: TestRun.current.makeFolder(), missing: Set(needed.filter { !isThere($0.program) }.map(\.name)))
        try Disk.makeFolder(runner.sources)
        for source in suite.sources { try await shell("cd \(runner.sources); " + source, in: runner.folder) }
        var programs: [Program] = []
        for server in needed where !runner.missing.contains(server.name) {
            let home = runner.folder / TestPath(server.name)
            try Disk.makeFolder(home)
            let port = try freePort()
            let words = [
                "port": "\(port)", "source": "\(runner.sources)", "work": "\(home)", "user": user,
                "suite": "\(ProgramSuite.folder)",
            ]
            // In a group of its own: smbd sends the signal that ends it to its whole group.
            let program = try Program(
                "/usr/bin/setsid", ["/bin/bash", "-ec", TestPath("cd \(home); " + filled(server.command, words))],
                environment: environment(home), output: home / "output", errors: home / "output")
            do {
                try await eventually(every: .milliseconds(20)) {
                    if let exit = program.exit { throw Failure("\(exit)") }
                    guard server.name != "ssh" || canLogIn else { throw Failure("\(user) has no shell to log in with") }
                    return answers(port) ? nil : "it does not answer"
                }
            } catch {
                print("Programs: no server \(server.name): \(error): \(Disk.text(home / "output"))")
                runner.missing.insert(server.name)
                continue
            }
            programs.append(program)
            runner.ports[server.name] = port
        }
        return (runner, programs)
    }

    private init(folder: TestPath, missing: Set<String>) { (self.folder, self.missing) = (folder, missing) }

    private var sources: TestPath { folder / "sources" }

    /// The programs that a case needs and that are not there.
    func missing(for entry: ProgramSuite.Case) -> [String] {
        entry.programs.filter { !Self.isThere($0) } + missing.filter { entry.talks(to: $0) }.sorted()
    }

    /// Plays a case.
    func play(_ entry: ProgramSuite.Case) async throws -> ProgramRow {
        let stage = try Stage()
        defer { stage.close() }
        var row = ProgramRow(line: entry.line, name: entry.name)
        let work = stage.root / "work"
        try Disk.makeFolder(work)
        try await stage.start()
        var words = [
            "source": "\(sources)", "inbox": "\(stage.inbox)", "documents": "\(stage.documents)", "work": "\(work)",
            "user": Self.user, "suite": "\(ProgramSuite.folder)",
        ]
        for (name, port) in ports {
            words[name] = "\(port)"
            words["\(name)-home"] = "\(folder / TestPath(name))"
        }
        do {
            try await Self.shell("cd \(work); " + Self.filled(entry.command, words), in: work)
            let end = ContinuousClock.now
            let wanted = try wanted(entry)
            // Some repositories are complete when nothing has changed in them for a minute.
            try await eventually(within: Deadline.usual * 3, every: .milliseconds(20)) {
                try await unfinished(wanted, stage)
            }
            row.delay = ContinuousClock.now - end
            row.isWhole = true
            let found = try Disk.leaves(of: stage.documents, except: [stage.inbox])
            let others = found.filter { path in
                !wanted.contains {
                    $0.path == path || ($0.source == nil && path.components.starts(with: $0.path.components))
                }
            }
            // Empty folders go later.
            let left = try Disk.leaves(of: stage.inbox).filter { $0.bytes.last != UInt8(ascii: "/") }
            row.isAlone = others.isEmpty && left.isEmpty
            let records = try stage.filedRecords()
            let sources = records.compactMap { $0["source"]?.string }
            row.isOnce = Set(sources).count == sources.count && records.allSatisfy { $0["renamed"]?.word != "true" }
            if !row.isAlone || !row.isOnce { row.words = "also \(others), left \(left)" }
            if let check = entry.check {
                row.isContentRight = false
                try await Self.shell("cd \(work); " + Self.filled(check, words), in: work)
                row.isContentRight = true
            }
        } catch {
            row.words += "\(error)"
        }
        if !row.isRight { row.words += "\n\(await stage.report())" }
        return row
    }

    /// A file that must be there, and the source that it must equal; nil where its content is the program's own.
    private typealias Wanted = (path: TestPath, source: TestPath?)

    private func wanted(_ entry: ProgramSuite.Case) throws -> [Wanted] {
        try entry.expected.flatMap { word -> [Wanted] in
            if word.hasSuffix("?") { return [(TestPath(String(word.dropLast())), nil)] }
            let parts = word.split(separator: "=").map { TestPath(String($0)) }
            let source = sources / parts[parts.count - 1]
            guard Disk.kind(source) == .folder else { return [(parts[0], source)] }
            return try Disk.leaves(of: source).map { (parts[0] / $0, source / $0) }
        }
    }

    private func unfinished(_ wanted: [Wanted], _ stage: Stage) async throws -> String? {
        for (path, source) in wanted {
            let place = stage.documents / path
            guard Disk.exists(place) else { return "\(path) is not there" }
            guard let source, Disk.kind(source) == .file else { continue }
            if try Disk.read(place) != Disk.read(source) { return "\(path) is not what was sent" }
        }
        let waiting = try await stage.counters()["waiting"] ?? 0
        return waiting == 0 ? nil : "\(waiting) still wait"
    }

    private static let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "nobody"

    /// The user has a shell, which sshd starts.
    private static var canLogIn: Bool {
        guard let shell = getpwuid(geteuid()).map({ String(cString: $0.pointee.pw_shell) }) else { return false }
        return !shell.hasSuffix("nologin") && !shell.hasSuffix("false")
    }

    private static func filled(_ text: String, _ words: [String: String]) -> String {
        words.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    private static func environment(_ home: TestPath) -> [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return ["HOME=\(home)", "TMPDIR=\(home)", "LC_ALL=C.UTF-8", "PATH=\(path):/usr/sbin:/sbin"]
    }

    private static func isThere(_ program: String) -> Bool {
        if program == "root" { return geteuid() == 0 }
        if program.contains("/") { return access(program, X_OK) == 0 }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return "\(path):/usr/sbin:/sbin".split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    private static func shell(_ command: String, in home: TestPath) async throws {
        let output = home / "output"
        let program = try Program(
            "/bin/bash", ["-ec", TestPath(command)], environment: environment(home), output: output, errors: output)
        let exit = try await program.ended()
        guard exit == .status(0) else { throw Failure("\(command): \(exit): \(Disk.text(output).suffix(1_000))") }
    }

    /// A port of loopback that nobody has.
    private static func freePort() throws -> Int {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var name = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) + getsockname(socket, $0, &size)
            }
        }
        guard code == 0 else { throw Failure("no port is free on loopback") }
        return Int(in_port_t(bigEndian: name.sin_port))
    }

    private static func answers(_ port: Int) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var name = loopback(port)
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return name
    }
}
