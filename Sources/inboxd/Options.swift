import InboxConfiguration
import InboxCore
import InboxDaemon
import InboxLinux

/// The options of the command line: section 3.1 of the contract.
struct Options {
    /// The task of the program.
    enum Task {
        case work
        case once
        case dryRun(json: Bool, paths: [BytePath])
        case check
        case printConfiguration
        case help
        case version
    }

    let task: Task
    let level: LogLevel
    let configuration: ConfigurationOptions

    init(_ words: some Sequence<[UInt8]>) throws(CommandFailure) {
        let arguments = try ArgumentParser.parse(Array(words), .daemon, of: "inboxd")
        if let operand = arguments.operands.first, !arguments.has("dry-run") {
            let text = EscapedBytes.printable(operand)
            throw .usage("unexpected argument \"\(text)\": try \"inboxd --help\"")
        }
        try Self.refuseMalformed(arguments)
        task = try Self.task(arguments)
        level = try Self.level(arguments)
        var configuration = ConfigurationOptions()
        configuration.file = arguments.value("config")
        configuration.documents = arguments.value("documents")
        configuration.inboxes = arguments.values("inbox")
        configuration.state = arguments.value("state")
        configuration.socket = arguments.value("socket")
        configuration.assignments = arguments.values("set")
        self.configuration = configuration
    }

    /// Refuses, as wrong usage, values that no configuration could make right; they are not mistakes in the
    /// configuration.
    private static func refuseMalformed(_ arguments: Arguments) throws(CommandFailure) {
        let isHome = { (path: [UInt8]) in path.elementsEqual("~".utf8) || path.starts(with: "~/".utf8) }
        for name in ["config", "documents", "inbox", "state", "socket"] {
            let paths = arguments.values(name)
            if paths.contains([]) { throw .usage("option \"--\(name)\" needs a path that is not empty") }
            // Taken as it is, it would make a folder called ~, and whoever removes that by its name removes the home.
            guard let path = paths.first(where: isHome) else { continue }
            let text = EscapedBytes.printable(path)
            throw .usage(
                "option \"--\(name)\" has \"\(text)\", whose ~ no shell has replaced: write \"--\(name) \(text)\", "
                    + "or the path in full")
        }
        for assignment in arguments.values("set") {
            do throws(ValueProblem) { _ = try ConfigurationOptions.section(ofAssignment: assignment) } catch {
                throw .usage("--set: \(error.text)")
            }
        }
    }

    private static func task(_ arguments: Arguments) throws(CommandFailure) -> Task {
        if arguments.has("help") { return .help }
        if arguments.has("version") { return .version }
        let given = ["once", "dry-run", "check", "print-config"].filter(arguments.has)
        if given.count > 1 { throw .usage("--\(given[0]) and --\(given[1]) cannot both be done") }
        if arguments.has("json"), given != ["dry-run"] { throw .usage("--json goes with --dry-run") }
        return switch given.first {
        case "once": .once
        case "dry-run": .dryRun(json: arguments.has("json"), paths: try arguments.operands.map(Self.path))
        case "check": .check
        case "print-config": .printConfiguration
        default: .work
        }
    }

    /// A path of the command line, absolute.
    private static func path(_ operand: [UInt8]) throws(CommandFailure) -> BytePath {
        let text = EscapedBytes.printable(operand)
        guard !operand.isEmpty, let path = BytePath(bytes: operand) else { throw .usage("\"\(text)\" is no path") }
        let base = Process.workingDirectory.flatMap(BytePath.init(bytes:)) ?? BytePath("/")
        guard let whole = TypedPath.withoutDots(base.appending(path)) else {
            throw .usage("\"\(text)\" has a \"..\" after a folder that is not there")
        }
        return whole
    }

    private static func level(_ arguments: Arguments) throws(CommandFailure) -> LogLevel {
        guard let name = try arguments.text("log-level") else { return .info }
        guard let level = LogLevel(name: name) else {
            let names = LogLevel.allCases.map(\.name)
            throw .usage(
                "unknown log level \"\(EscapedBytes.printable(name.utf8))\": "
                    + (nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
                        ?? "it is one of \(names.joined(separator: ", "))"))
        }
        return level
    }

    static var usage: String {
        let width = [Option].daemon.map(\.synopsis.count).max() ?? 0
        return "Usage: inboxd [OPTION…] [--dry-run PATH…]\n"
            + "Files what is dropped into an Inbox, once it is complete, into Documents. Never overwrites.\n\nOptions:\n"
            + [Option].daemon.map { option in
                let padding = String(repeating: " ", count: width - option.synopsis.count)
                return "  \(option.synopsis)\(padding)  \(option.help)\n"
            }.joined()
            + "\ninboxctl(1) asks the daemon for its status.\n"
    }
}
