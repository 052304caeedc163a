import Glibc
import InboxTestSupport
import Testing

/// What a process holds: its open descriptors and its own memory.
private struct Holdings {
    let descriptors: Int
    /// RssAnon of proc(5), in bytes.
    let memory: Int

    init(of process: pid_t) throws {
        descriptors = try Disk.names(in: BytePath("/proc/\(process)/fd")).count
        let status = Disk.text(BytePath("/proc/\(process)/status"))
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kibibytes = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
        else { throw Failure("no RssAnon in \(status)") }
        memory = kibibytes * 1024
    }
}

/// `INBOX_LEAK_DOCUMENTS` sets how many documents: 10,000 else.
@Suite("Leaks")
struct LeakTests {
    /// What the allocator may keep beside the documents: its arenas and tables grow in steps, and stay.
    ///
    /// A leak of 64 bytes a document would pass it at 50,000 documents, one of 512 bytes at the default 10,000.
    static let band = 4 << 20
    static let count = setting("INBOX_LEAK_DOCUMENTS", default: 10_000)

    @Test("After thousands of documents the daemon holds as many descriptors and as much memory as before")
    func none() async throws {
        let (before, after) = try await holdings(filing: Self.count)
        print("leaks: \(before) before and \(after) after \(Self.count) documents")
        #expect(after.descriptors == before.descriptors)
        #expect(after.memory - before.memory < Self.band)
    }

    @Test("A descriptor and 4 KiB that are lost with each document are seen")
    func seen() async throws {
        let (before, after) = try await holdings(filing: 2_000, plan: "renameat2@/Inbox:*:LEAK")
        #expect(after.descriptors > before.descriptors + 1_000)
        #expect(after.memory - before.memory > Self.band)
    }

    private func holdings(filing count: Int, plan: String? = nil) async throws -> (before: Holdings, after: Holdings) {
        try await Gate.daemons.pass {
            let stage = try Stage(settings: ["Inbox.Settle=0"])
            defer { stage.close() }
            if let plan { stage.variables = ["INBOXD_FAULT=\(plan)"] }
            try await stage.start()
            // Once around first: tables and arenas reach the size that a batch needs.
            try await file(2_000, as: "warm", on: stage)
            let before = try await settled(stage)
            for part in 0..<(count / 1_000) { try await file(1_000, as: "\(part)", on: stage) }
            return (before, try await settled(stage))
        }
    }

    private func file(_ count: Int, as part: String, on stage: Stage) async throws {
        for index in 0..<count {
            let name = BytePath("\(part) \(index).txt")
            try Disk.put([UInt8](repeating: 65, count: 40), at: stage.root / "outside" / name)
            try Disk.move(stage.root / "outside" / name, to: stage.inbox / name)
        }
        try await eventually { try Disk.names(in: stage.inbox).isEmpty ? nil : "not all of \(part) is filed" }
        // Nobody measures how long a folder of a hundred thousand names takes.
        for index in 0..<count { try Disk.remove(stage.documents / BytePath("\(part) \(index).txt")) }
    }

    /// What it holds when everything that was filed is recorded, and the client of the status has gone.
    private func settled(_ stage: Stage) async throws -> Holdings {
        try await stage.expectCounters(["waiting": 0])
        guard let daemon = stage.daemon else { throw Failure("no daemon runs") }
        // The client's connection and the batch's last folders close a moment later: the least of some looks counts.
        var last = try Holdings(of: daemon.processID)
        for _ in 0..<25 {
            pause(.milliseconds(20))
            let now = try Holdings(of: daemon.processID)
            if now.descriptors < last.descriptors { last = now }
        }
        return last
    }
}
