import Glibc
import InboxTestSupport
import Testing

/// One of the machines that share a volume: a client of it, and a daemon that has no more than that in common with the
/// others.
struct GlusterMachine {
    let name: String
    let stage: Stage
    let mount: TestPath

    var documents: TestPath { mount / "Documents" }
    var inbox: TestPath { documents / "Inbox" }

    func start() async throws { try await stage.start(["--documents", documents]) }

    /// Drops so many documents, each with other words, into a folder of its own in the Inbox.
    func drop(_ count: Int, into folder: String) throws -> Program {
        let script = """
            mkdir -p "$1" && cd "$1" || exit 1
            number=0
            while [ "$number" -lt "$2" ]; do
                printf '%s' "$3 $number" >"$number.txt" || exit 1
                number=$((number + 1))
            done
            """
        return try run(
            script, [inbox / TestPath("\(name) \(folder)"), TestPath("\(count)"), TestPath("\(name) \(folder)")])
    }

    /// What ``drop(_:into:)`` drops.
    func contents(_ count: Int, of folder: String) -> [String] { (0..<count).map { "\(name) \(folder) \($0)" } }

    /// Writes a document in three parts with so many seconds between them, opening it anew for each.
    func writeSlowly(every seconds: String) throws -> Program {
        let script = """
            for part in 1 2 3; do
                [ "$part" = 1 ] || sleep "$2"
                printf '%s' "part $part of $3 every $2 s. " >>"$1" || exit 1
            done
            """
        return try run(
            script, [inbox / TestPath("\(name) every \(seconds) s.txt"), TestPath(seconds), TestPath(name)])
    }

    /// What ``writeSlowly(every:)`` writes.
    func slowContent(every seconds: String) -> String {
        (1...3).map { "part \($0) of \(name) every \(seconds) s. " }.joined()
    }

    /// A program, so that several can be at work at once: only one thread sees the mounts.
    private func run(_ script: String, _ arguments: [TestPath]) throws -> Program {
        try Tool.start("sh", ["-c", TestPath(script), "sh"] + arguments, log: stage.root / "log/writers")
    }
}

/// A test on two machines that share a new volume, each with a stage.
func onTwoMachines(
    settings: [TestPath], _ body: ([GlusterMachine], GlusterVolume) async throws -> Void
) async throws {
    try await onMounts(in: .volumes, settings: settings) { stage, mounts in
        let volume = try await GlusterVolume(in: stage.root, mounts)
        let other = try Stage(settings: settings)
        do {
            try await body(try machines(stage, other, volume), volume)
        } catch {
            // Before anything is closed: a daemon reports at once what it misses then.
            let reports = "\(await stage.report())\n--- the other machine:\n\(await other.report())"
            Issue.record("\(error)\nGlusterFS: \(volume.fault ?? "works")\n\(reports)")
        }
        other.close()
        try await volume.close()
    }
}

private func machines(_ stage: Stage, _ other: Stage, _ volume: GlusterVolume) throws -> [GlusterMachine] {
    let machines = [("a", stage), ("b", other)].map { name, owner in
        GlusterMachine(name: name, stage: owner, mount: stage.root / TestPath("mount-\(name)"))
    }
    for machine in machines { try volume.mount(at: machine.mount) }
    try Disk.makeFolders(machines[0].inbox)
    return machines
}

extension [GlusterMachine] {
    /// Waits until the Inbox has no files, and shows that every document of it is at one place, and that nothing else is left on
    /// the volume.
    func expectFiled(_ contents: [String]) async throws {
        let documents = self[0].documents
        var count = Int.max
        while count > 0 {
            // A busy machine may take long for all of them, though not for one.
            try await eventually(every: .milliseconds(200)) {
                // A folder that was empty when a daemon first saw it stays.
                let left = try Disk.leaves(of: documents / "Inbox").filter { $0.bytes.last != UInt8(ascii: "/") }
                guard let first = left.first else {
                    count = 0
                    return nil
                }
                if left.count == count { return "the Inbox holds \(count) names, such as \(first)" }
                count = left.count
                return nil
            }
        }
        for machine in self where machine.stage.daemon != nil {
            try await machine.stage.expectCounters(["waiting": 0, "held": 0])
        }
        try await self[0].stage.expectNothingStaged(beneath: documents)
        let texts = try filed().map { Disk.text(documents / $0) }
        guard texts.sorted() == contents.sorted() else {
            let twice = Dictionary(grouping: texts) { $0 }.filter { $0.value.count > 1 }.keys
            throw Failure(
                "missing: \(Set(contents).subtracting(texts).prefix(9)); others: "
                    + "\(Set(texts).subtracting(contents).prefix(9)); twice: \(twice.prefix(9))")
        }
    }

    /// Shows that one of the machines has one record of each document.
    func expectRecordedOnce() throws {
        // Each machine has another path for the same place.
        let recorded = try flatMap { machine in
            try machine.stage.filedRecords().map { record in
                let path = pathBytes(fromJSON: record["destination"]?.string ?? "")
                return TestPath(path.dropFirst(machine.documents.bytes.count + 1))
            }
        }
        let found = try filed()
        guard recorded.count == found.count, Set(recorded) == Set(found) else {
            let twice = Dictionary(grouping: recorded) { $0 }.filter { $0.value.count > 1 }.keys
            let lines = try twice.first.map { try recordLines(of: $0) } ?? []
            throw Failure(
                "\(recorded.count) records for \(found.count) documents; only documents: "
                    + "\(Set(found).subtracting(recorded)), only records: \(Set(recorded).subtracting(found)), "
                    + "\(twice.count) twice, such as \(lines)")
        }
    }

    /// The lines of the machines' histories with a destination that ends in this path.
    private func recordLines(of path: TestPath) throws -> [String] {
        flatMap { machine in
            Disk.text(machine.stage.state / "history.jsonl").split(separator: "\n").filter { $0.contains("/\(path)\"") }
                .map { "\(machine.name): \($0)" }
        }
    }

    private func filed() throws -> [TestPath] {
        try Disk.leaves(of: self[0].documents, except: [self[0].inbox])
    }

    /// How many documents the machines have recorded together.
    var recordCount: Int {
        reduce(0) { count, machine in
            count + Disk.text(machine.stage.state / "history.jsonl").utf8.count { $0 == UInt8(ascii: "\n") }
        }
    }

    /// Waits until so many documents are recorded, as long as more and more of them are.
    func expectRecords(atLeast count: Int) async throws {
        var last = -1
        while last < count {
            try await eventually(every: .milliseconds(10)) {
                let now = recordCount
                guard now > last else { return "\(now) documents are recorded, and not \(count)" }
                last = now
                return nil
            }
        }
    }
}
