/// Where one daemon works: Documents with its Inbox, and what it keeps.
struct DaemonStage {
    let root: String
    let documents: String
    let inbox: String
    private let settings: [String]
    private let programs: Programs

    /// Makes the folders, in one that is empty.
    ///
    /// - Parameters:
    ///   - inbox: where the Inbox is; nil for inside Documents.
    ///   - makesInbox: whether it is made here, and does not come later by a rename.
    ///   - configuration: the text of the configuration's file, so that none of this machine's is read.
    init(
        in root: String, inbox: String? = nil, makesInbox: Bool = true, settings: [String] = [],
        configuration: String = "", _ programs: Programs
    ) throws {
        self.root = root
        self.programs = programs
        self.settings = ["Inbox.Settle=0", "Inbox.Durability=relaxed"] + settings
        documents = root + "/Documents"
        self.inbox = inbox ?? documents + "/Inbox"
        try makeFolder(documents)
        if makesInbox { try makeFolder(self.inbox) }
        try Documents.write(Array(configuration.utf8), times: 1, to: root + "/configuration")
    }

    var socket: String { root + "/socket" }
    private var log: String { root + "/log" }

    /// The command line.
    private var words: [String] {
        [
            programs.inboxd, "--config", root + "/configuration", "--documents", documents, "--inbox", inbox, "--state",
            root + "/state", "--socket", socket,
        ] + settings.flatMap { ["--set", $0] }
    }

    /// Starts the daemon; its log goes into a file, as a service's goes into the journal.
    ///
    /// - Parameter tracer: a command that starts the daemon, if it is not started by itself.
    func start(under tracer: [String] = []) throws -> Child {
        try Child(tracer + words, output: .nowhere, errors: .file(log))
    }

    /// Files what is there, in a process from its start to its end.
    func once() throws -> Child.Ending {
        do {
            return try Child.run(words + ["--once"], errors: .file(log))
        } catch {
            let last = text(of: log)?.split(separator: "\n").last ?? ""
            throw BenchmarkFailure("\(error): \(last)")
        }
    }
}
