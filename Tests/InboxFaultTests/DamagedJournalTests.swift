import InboxTestSupport
import Testing

@Suite("A journal that was damaged while its daemon was dead")
struct DamagedJournalTests {
    private static let rows = ["same filesystem", "across", "across, batch", "across, package"]
    /// Between the name and the record, and between the record and the end of the source.
    private static let kills = ["write@/history.jsonl:1:KILL", "fdatasync@/history.jsonl:1:KILL", "unlinkat:1:KILL"]

    @Test(
        "Whatever was changed in it, no document is filed twice",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: rows)
    func twins(_ name: String) async throws {
        try await Gate.daemons.pass {
            let row = try FaultRow.named(name)
            var random = Extent.generator(for: "damaged journal, \(name)")
            var killed = 0
            for number in 0..<Extent.times(125, part: 12) {
                let stage = try FaultStage(row)
                let run = try await stage.run(Self.kills[number % Self.kills.count])
                guard run.exit == .signal(9) else { continue }
                killed += 1
                let damaged = Self.damaged(try Disk.read(stage.journal), &random)
                try Disk.put(damaged, at: stage.journal)
                let next = try await stage.run()
                let words = "\(number), seed \(Extent.seed): \(String(decoding: damaged, as: UTF8.self))"
                #expect(next.exit == .status(0), "\(words): \(next.errors)")
                do { try stage.expectEachOnce() } catch { Issue.record("\(words): \(error)") }
            }
            #expect(killed > 0)
        }
    }

    @Test(
        "A line that says something else than what was written is reported, and its document found by the notes",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"))
    func reported() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("across"))
            #expect(try await stage.run("write@/history.jsonl:1:KILL").exit == .signal(9))
            let journal = Disk.text(stage.journal)
            let damaged = journal.replacing(#""copy":[""#, with: #""copy":["1"#)
            #expect(journal != damaged)
            try Disk.put(Array(damaged.utf8), at: stage.journal)
            let next = try await stage.run()
            #expect(next.exit == .status(0))
            let words = "a line of the journal cannot be read any more, of \(stage.stage.inbox)/letter.txt"
            #expect(next.errors.contains(words), "\(next.errors)")
            try stage.expectAllFiled()
        }
    }

    @Test("The journal of an earlier version, whose lines have no sums, is recovered from")
    func unsummed() async throws {
        try await Gate.daemons.pass {
            let stage = try FaultStage(try FaultRow.named("batch"))
            #expect(try await stage.run("write@/history.jsonl:1:KILL").exit == .signal(9))
            let lines = Disk.text(stage.journal).split(separator: "\n").map { line in
                line.firstRange(of: #","sum":"#).map { line[..<$0.lowerBound] + "}\n" } ?? ""
            }
            #expect(lines.count > 1 && !lines.contains(""))
            try Disk.put(Array(lines.joined().utf8), at: stage.journal)
            let next = try await stage.run()
            #expect(next.exit == .status(0) && !next.errors.contains("journal"), "\(next.errors)")
            try stage.expectAllFiled()
        }
    }

    /// The same with a byte or a stretch of it changed, as a failing disk or a careless person does that.
    private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        guard !bytes.isEmpty else { return random.bytes(upTo: 40) }
        var bytes = bytes
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[start] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
        case 2: bytes.removeSubrange(start..<end)
        case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 4: bytes.replaceSubrange(start..<end, with: random.bytes(upTo: 200))
        default: bytes.removeSubrange(start...)
        }
        return bytes
    }
}
