import Glibc
import InboxTestSupport
import Testing

/// A test on a stage of its own, through the gate, with a report where it fails.
func onStage(settings: [TestPath] = ["Inbox.Settle=0"], _ body: (Stage) async throws -> Void) async throws {
    try await Gate.daemons.pass {
        let stage = try Stage(settings: settings)
        defer { stage.close() }
        do {
            try await body(stage)
        } catch {
            Issue.record("\(error)\n\(await stage.report())")
        }
    }
}

/// A thousand documents (some hundred without `INBOX_TESTS=full`) whose every byte is known again: content follows from
/// the number.
struct Thousand {
    static let count = Extent.times(1000, part: 200)
    /// A filing may need a sync, and the disk may be slow and shared.
    static let limit: Duration = .seconds(240)

    /// Spread over folders of several depths.
    static func name(_ index: Int) -> TestPath {
        let folders: [TestPath] = ["", "letters", "letters/2024", "scans/a/b/c", "photos"]
        return folders[index % folders.count] / TestPath("document \(index).bin")
    }

    /// Some bytes to some 40 KB, never the same twice.
    static func content(_ index: Int) -> [UInt8] {
        var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let size = index % 50 == 0 ? 40_000 : 1 + index % 700
        var bytes = Array("\(index):".utf8)
        while bytes.count < size {
            // xorshift64: a fixed sequence for each document.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { bytes += $0 }
        }
        return bytes
    }

    static var bytes: Int { (0..<count).reduce(0) { $0 + content($1).count } }

    /// Makes all of them beneath a folder.
    static func make(in folder: TestPath) throws {
        for index in 0..<count {
            try Disk.makeFolders((folder / name(index)).parent)
            try Disk.put(content(index), at: folder / name(index))
        }
    }

    /// Waits until all are filed beneath `place` of Documents; then every byte, every name, every number has to fit.
    static func expectFiled(on stage: Stage, beneath place: TestPath = "") async throws {
        try await stage.expectCounters(
            [
                "seen": count, "filed": count, "waiting": 0, "held": 0, "ignored": 0, "withdrawn": 0,
                "bytesFiled": bytes,
            ],
            within: limit)
        let folder = stage.documents / place
        try stage.expectNames(beneath: folder, Set((0..<count).map(name)))
        let different = try (0..<count).filter { try Disk.read(folder / name($0)) != content($0) }
        guard different.isEmpty else { throw Failure("these differ from what was dropped: \(different.prefix(20))") }
        let left = try Disk.leaves(of: stage.inbox).filter { $0.bytes.last != UInt8(ascii: "/") }
        guard left.isEmpty else { throw Failure("these are left in the Inbox: \(left.prefix(20))") }
        try await stage.expectFiledRecords(count)
    }
}

/// Numbers from /proc about a running program.
enum ProcessFacts {
    /// A field of /proc/PID/status in its own unit, such as `VmHWM` in KiB.
    static func field(_ name: String, of process: pid_t) throws -> Int {
        let text = Disk.text(TestPath("/proc/\(process)/status"))
        return try value(name, in: text, process)
    }

    /// How often all threads together went to sleep by themselves: each wake-up of an idle program adds one.
    static func voluntarySwitches(of process: pid_t) throws -> Int {
        let tasks = TestPath("/proc/\(process)/task")
        return try Disk.names(in: tasks).reduce(0) { sum, thread in
            sum + (try value("voluntary_ctxt_switches", in: Disk.text(tasks / thread / "status"), process))
        }
    }

    /// The processor time used so far, in clock ticks (usually 10 ms each): utime and stime of proc(5).
    static func processorTicks(of process: pid_t) throws -> Int {
        // The second field is the program's name in parentheses, which may hold blanks.
        let fields =
            Disk.text(TestPath("/proc/\(process)/stat")).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw Failure("/proc/\(process)/stat has no times")
        }
        return user + system
    }

    private static func value(_ name: String, in text: String, _ process: pid_t) throws -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            if let number = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first.flatMap({
                Int($0)
            }) {
                return number
            }
        }
        throw Failure("/proc/\(process)/status has no \(name)")
    }
}

extension Stage {
    /// Exactly these files beneath a folder, the Inbox left out; of many only the first differences are shown.
    func expectNames(beneath folder: TestPath, _ expected: Set<TestPath>) throws {
        let actual = Set(try Disk.leaves(of: folder, except: [inbox]))
        guard actual != expected else { return }
        let missing = expected.subtracting(actual).map(\.description).sorted()
        let surplus = actual.subtracting(expected).map(\.description).sorted()
        throw Failure(
            "beneath \(folder) \(missing.count) are missing: \(missing.prefix(20)), "
                + "\(surplus.count) are too many: \(surplus.prefix(20))")
    }

    /// The process of the daemon that runs.
    var processID: pid_t {
        get throws {
            guard let daemon, daemon.exit == nil else { throw Failure("the daemon does not run") }
            return daemon.processID
        }
    }
}
