import InboxTestSupport
import Testing

/// What a file of a package costs that goes to another filesystem, counted and not timed.
@Suite("What a file of a copied package costs", .enabled(if: FaultStage.hasOtherFilesystem, "needs two filesystems"))
struct PackageCostTests {
    /// The calls of a debug build that are counted, and the most of each that a file may take: the proof before the claim,
    /// the copy, the proof after it, and the removal. Surveys of the Inbox, whose number is a matter of time, may run on the
    /// same threads, and take one statx each: so these are not counted.
    static let most = ["open": 3, "fcntl(F_SETLEASE)": 5]

    /// So many files more than the fewest, over which the difference is divided: what a package costs drops out. Both
    /// packages stay open in whole where a process may have 1,024 files open, and no limit can be raised.
    private static let more = 80
    private static let fewest = 20

    @Test("It takes no more opens and leases than are recorded")
    func calls() async throws {
        // On a busy machine surveys get threads that are counted, which adds calls and takes none away.
        var each: [String: Double] = [:]
        for _ in 0..<5 where Self.most.contains(where: { each[$0.key, default: .infinity] > Double($0.value) + 0.1 }) {
            let few = try await Self.calls(Self.fewest)
            let many = try await Self.calls(Self.fewest + Self.more)
            for name in Self.most.keys {
                let calls = Double(many[name, default: 0] - few[name, default: 0]) / Double(Self.more)
                // What a busy run with few files adds would be taken from this one.
                if calls > 0 { each[name] = min(each[name] ?? .infinity, calls) }
            }
        }
        for (name, most) in Self.most {
            let calls = try #require(each[name])
            #expect(calls <= Double(most) + 0.1, "\(calls) \(name) for each file")
        }
    }

    @Test("One that is larger than the files that stay open is filed with few descriptors")
    func few() async throws {
        let calls = try await Self.calls(1_500, descriptors: 1024)
        #expect(calls["open", default: 0] > 3 * 1_500)
    }

    /// The calls of one run that files a package of so many files.
    private static func calls(_ count: Int, descriptors: Int? = nil) async throws -> [String: Int] {
        try await Gate.daemons.pass {
            let stage = try Stage(
                settings: ["Inbox.Settle=0"], below: FaultStage.folder,
                inboxOn: try OtherFilesystem(than: FaultStage.folder))
            defer { stage.close() }
            try Disk.makeFolder(stage.inbox / "report.rtfd")
            for number in 0..<count {
                try Disk.put(Array("\(number)".utf8), at: stage.inbox / "report.rtfd" / TestPath("\(number)"))
            }
            let path = stage.root / "trace"
            stage.variables = ["INBOXD_TRACE=\(path)", "INBOXD_PACKAGE_QUIET=0"]
            if let descriptors {
                let limited = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
                _ = try await stage.run(
                    "/bin/sh", ["-c", TestPath(limited), stage.daemonProgram] + stage.standardArguments + ["--once"])
            } else {
                try await stage.runDaemon(["--once"])
            }
            let records = try stage.filedRecords().count
            guard records == 1 else { throw Failure("\(records) packages are recorded") }
            let calls = try CallTrace(reading: path).calls
            // How often it is surveyed is a matter of time, and nobody who surveys asks for a lease.
            let threads = Set(calls.filter { $0.name == "fcntl(F_SETLEASE)" }.map(\.thread))
            return Dictionary(grouping: calls.filter { threads.contains($0.thread) }, by: \.kind).mapValues(\.count)
        }
    }
}

extension CallTrace.Call {
    /// Its name, one for both calls that open by a name.
    fileprivate var kind: String { name == "openat2" || name == "openat" ? "open" : name }
}
