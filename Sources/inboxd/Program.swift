import InboxConfiguration
import InboxCore
import InboxDaemon
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// From the command line to the daemon and its exit status.
struct Program {
    let options: Options
    let output: StandardOutput

    /// Does what the command line asks for.
    static func run(_ words: some Sequence<[UInt8]>) throws(CommandFailure) -> ExitStatus {
        let options = try Options(words)
        let output: StandardOutput
        do throws(SyscallError) { output = try StandardOutput() } catch {
            throw .failed("cannot use standard output: \(error.errno)")
        }
        return try Program(options: options, output: output).run()
    }

    private func run() throws(CommandFailure) -> ExitStatus {
        switch options.task {
        case .help: try write(Options.usage)
        case .version: try write("inboxd \(ServiceInformation.inboxd.version)\n")
        case .check: return try check()
        case .printConfiguration: try write(try configuration().text)
        case .dryRun(let json, let paths): try dryRun(json: json, paths)
        case .once: return try work(once: true)
        case .work: return try work(once: false)
        }
        return .done
    }

    private func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(SyscallError) { try output.write(bytes) } catch {
            throw .failed("cannot write to standard output: \(error.errno)")
        }
    }

    private func load() -> LoadedConfiguration {
        ConfigurationLoader.load(options.configuration, environment: .ofThisProcess(), files: .disk)
    }

    private func configuration() throws(CommandFailure) -> Configuration {
        let loaded = load()
        guard let configuration = loaded.configuration else {
            let lines = loaded.problems.map(\.description)
            throw CommandFailure(status: .configuration, message: lines.joined(separator: "\ninboxd: "))
        }
        return configuration
    }

    private func check() throws(CommandFailure) -> ExitStatus {
        let loaded = load()
        // The machine's configuration is that of another user, whose rights nobody else can try.
        let isOwn = Process.user != 0 && !loaded.files.contains { $0.isInside(BytePath("/etc")) }
        let check = loaded.configuration.map { FolderCheck(configuration: $0, reportsRights: isOwn) }
        let found = loaded.notingAbsences(after: check.map { $0.problems + $0.pathProblems } ?? [])
        try write(found.report(isVerbose: options.level == .debug))
        return found.problems.isEmpty ? .done : .configuration
    }

    private func dryRun(json: Bool, _ paths: [BytePath]) throws(CommandFailure) {
        let configuration = try configuration()
        let detector: Detector
        do throws(UTTypeDeclarationError) {
            detector = try configuration.ownTypes.declare(places: .ofThisProcess)
        } catch {
            throw CommandFailure(error)
        }
        let report: DryRun.Report
        do throws(StartFailure) {
            report =
                try paths.isEmpty
                ? DryRun.run(configuration, detector: detector)
                : DryRun.run(configuration, detector: detector, paths: paths)
        } catch {
            throw CommandFailure(error, configuration)
        }
        if let obstacle = report.obstacle { StandardError.complain("inboxd: \(obstacle)\n") }
        for line in report.lines { try write(json ? line.json : Array(line.text.utf8)) }
    }

    private func work(once: Bool) throws(CommandFailure) -> ExitStatus {
        Process.keepOthersOut()
        let log: Log
        do throws(SyscallError) { log = try Log(level: options.level) } catch {
            throw .failed("cannot write to standard error: \(error.errno)")
        }
        do throws(CommandFailure) { return try work(once: once, log) } catch {
            // The journal would take what is on standard error for a line like any other.
            guard log.report(failedStart: error.message) else { throw error }
            return error.status
        }
    }

    private func work(once: Bool, _ log: Log) throws(CommandFailure) -> ExitStatus {
        let loaded = load()
        guard let configuration = loaded.configuration else { _ = try self.configuration(); return .configuration }
        for notice in loaded.notices { log.note("\(notice.origin): \(notice.text)") }
        let left: Remainder
        do throws(DaemonError) {
            let source = ConfigurationSource(
                load: load, check: { FolderCheck(configuration: $0, mounts: $1).problems },
                checkDestinations: { FolderCheck(configuration: $0, mounts: $1).destinationProblems },
                checkOverlaps: { FolderCheck(configuration: $0, mounts: $1).overlaps })
            left = try Daemon(configuration, once: once, log: log, source: source).run()
        } catch {
            throw CommandFailure(error, configuration)
        }
        guard once, !left.arrivals.isEmpty || !left.problems.isEmpty || left.hasHandlers else { return .done }
        for arrival in left.arrivals {
            let words = arrival.detail.map { ": \($0)" } ?? ""
            log.report("left \(arrival.path) (\(arrival.state.reason ?? "ignored"))\(words)")
        }
        if left.hasHandlers { log.report("left handlers that have not ended: they run again at the next start") }
        return .unfinished
    }
}
