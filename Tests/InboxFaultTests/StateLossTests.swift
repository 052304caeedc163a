import InboxTestSupport
import Testing

/// A kill before any call that changes something, after which the state folder is lost with the journal in it.
@Suite("A state folder that is lost with a crash")
struct StateLossTests {
    private static let names = [
        "same filesystem", "folder", "no RENAME_NOREPLACE", "package", "across", "across without O_TMPFILE",
        "across, package", "across, link",
    ]

    @Test(
        "Nothing is lost, nothing is left over, and only what was published and not yet removed is filed twice",
        arguments: names)
    func lost(_ name: String) async throws {
        let row = try FaultRow.named(name)
        if row.isAcross, !FaultStage.hasOtherFilesystem { return }
        try await Sweep.play(try await Sweep.kills(of: row), row, "killed, and the state lost") { number in
            let stage = try FaultStage(row)
            guard try await stage.run("*:\(number):KILL").exit == .signal(9) else { return true }
            let wasPublished = row.documents.filter { Disk.exists(stage.stage.documents / $0.destination) }
            let isRemoved = try Self.sources(stage).isEmpty
            if Disk.exists(stage.stage.state) { try Disk.removeTree(stage.stage.state) }
            let next = try await stage.run()
            guard next.exit == .status(0) else { throw Failure("the next run: \(next.exit): \(next.errors)") }
            try Self.expectEach(stage, twice: isRemoved ? [] : wasPublished)
            return false
        }
    }

    /// What of the drops is in the Inbox or in a staging folder.
    private static func sources(_ stage: FaultStage) throws -> [TestPath] {
        let staged = try stage.staged().filter { $0.drop != nil }.map(\.leaf)
        return staged + stage.row.drops.map { stage.stage.inbox / $0.source }.filter(Disk.exists)
    }

    /// Each file is there once, or once or twice where its document may be; and besides only what was there before.
    private static func expectEach(_ stage: FaultStage, twice: Set<FaultRow.Document>) throws {
        var found: [[UInt8]: Int] = [:]
        for leaf in try stage.allLeaves() {
            guard leaf.bytes.last != UInt8(ascii: "/") else {
                if leaf.staging != nil { throw Failure("\(leaf) is left") }
                continue
            }
            guard leaf.components.first != "Inbox" else { throw Failure("\(leaf) is not filed") }
            found[try stage.content(of: leaf), default: 0] += 1
        }
        for path in stage.row.taken where found.removeValue(forKey: path.bytes) != 1 {
            throw Failure("\(path), which was there before, is not what it was")
        }
        for drop in stage.row.drops {
            let count = found.removeValue(forKey: drop.content) ?? 0
            guard count == 1 || (count == 2 && twice.contains(drop.document)) else {
                throw Failure("\(drop.source) is there \(count) times")
            }
        }
        guard found.isEmpty else { throw Failure("\(found.count) files are there that nobody dropped") }
    }
}
