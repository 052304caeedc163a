import Glibc
import InboxTestSupport

/// A fresh place for one row: what is there, the runs, and what has to hold afterwards.
final class FaultStage {
    let row: FaultRow
    let stage: Stage
    private var runs = 0

    /// In memory where that is possible: a sweep is thousands of syncs. An Inbox on another filesystem is then on the
    /// disk, where the removal of a source is the one thing that is synced.
    static var folder: TestPath? {
        Disk.kind("/dev/shm") == .folder && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil
    }

    /// Whether there is another filesystem for an Inbox to be on.
    static var hasOtherFilesystem: Bool { OtherFilesystem.place(than: folder) != nil }

    init(_ row: FaultRow, below folder: TestPath? = FaultStage.folder) throws {
        self.row = row
        stage = try Stage(
            settings: ["Inbox.Settle=0"] + row.settings, below: folder,
            inboxOn: row.isAcross ? try OtherFilesystem(than: folder) : nil)
        for path in row.taken { try put(path.bytes, at: stage.documents / path) }
        for drop in row.drops { try put(drop.content, at: stage.inbox / drop.source, isLink: drop.isLink) }
        if let instance = row.instance {
            try put(Array("\n\(instance)\n".utf8), at: stage.state / "instance")
        }
        if !row.history.isEmpty {
            try put(Array(row.history.map { $0 + "\n" }.joined().utf8), at: stage.state / "history.jsonl")
        }
    }

    deinit { stage.close() }

    private func put(_ bytes: [UInt8], at path: TestPath, isLink: Bool = false) throws {
        try Disk.makeFolders(path.parent)
        if isLink { try Disk.makeLink(path, to: TestPath(bytes)) } else { try Disk.put(bytes, at: path) }
    }

    /// What a run of `inboxd --once` did.
    struct Run {
        let exit: Program.Exit
        let trace: CallTrace
        let errors: String

        /// The last call that a plan struck.
        var struck: CallTrace.Call? { trace.calls.last { $0.result == .struck } }
    }

    /// Runs `inboxd --once` under one plan and the row's standing ones: where two strike the same call the one does, so
    /// that a standing plan never swallows what the test is about.
    ///
    /// - Parameter isOther: whether it is another daemon, with a state folder of its own.
    func run(_ plan: String? = nil, isOther: Bool = false) async throws -> Run {
        runs += 1
        let path = stage.root / TestPath("trace-\(runs)")
        let plans = [plan, row.standing].compactMap { $0 }
        // No MIME database: reading it is a hundred calls that have nothing to do with a document.
        // Nor the quiet time of packages, which is 5 s for each run.
        stage.variables = ["XDG_DATA_DIRS=\(stage.root)/home", "INBOXD_TRACE=\(path)", "INBOXD_PACKAGE_QUIET=0"]
        if !plans.isEmpty { stage.variables.append("INBOXD_FAULT=\(plans.joined(separator: ";"))") }
        let other = stage.root / "other"
        try await stage.runDaemon(["--once"] + (isOther ? ["--state", other, "--socket", other / "socket"] : []))
        guard let run = stage.lastRun else { throw Failure("inboxd did not run") }
        return Run(exit: run.exit, trace: try CallTrace(reading: path), errors: run.errors)
    }
}
