import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// Random work in a real Inbox, with events that report it, misreport it or leave it out.
@Suite struct IntakeRandomTests {
    private static let names = [
        "a", "b", "c.pdf", "c.pdf.part", ".hidden", "p.rtfd", "d", "e", "caf\u{E9}", "a\nb", "x.tmp",
    ]
    private static let masks: [InotifyMask] = [
        .created, .movedTo, .movedFrom, .deleted, .closedAfterWriting, .attributes, .modified, .selfDeleted,
        .selfMoved, .unmounted, .ignored, .overflow, [.created, .isFolder], [.movedFrom, .isFolder],
        [.movedTo, .isFolder], [.deleted, .isFolder], [.attributes, .isFolder], InotifyMask(rawValue: .max),
        InotifyMask(rawValue: 0),
    ]

    private final class Player {
        let stage: IntakeStage
        var random: SeededRandom
        var inFlight: [ArrivalID] = []

        init(_ stage: IntakeStage, seed: UInt64) {
            self.stage = stage
            random = SeededRandom(seed: seed)
        }

        func pick<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }

        /// A path in the Inbox, at most two folders deep.
        func path() -> String {
            let depth = pick([0, 0, 1, 2])
            let folders = (0..<depth).map { _ in pick(["d", "e", "p.rtfd"]) }
            return "inbox/" + (folders + [pick(IntakeRandomTests.names)]).joined(separator: "/")
        }

        func absolute(_ path: String) -> String { stage.folder.path + "/" + path }

        /// Does something to the folder; what does not work is not done.
        func act() {
            let (one, other) = (absolute(path()), absolute(path()))
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                let number = open(one, O_WRONLY | O_CLOEXEC | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o644)
                if number >= 0 {
                    if Bool.random(using: &random) { write(number, "x", 1) }
                    close(number)
                }
            case 3: mkdir(one, 0o755)
            case 4: unlink(one)
            case 5: rmdir(one)
            case 6, 7: rename(one, Bool.random(using: &random) ? other : absolute("outside/\(pick(["a", "b", "d"]))"))
            case 8: link(one, other)
            default:
                if Bool.random(using: &random) {
                    symlink("a", one)
                } else {
                    rename(absolute("outside/\(pick(["a", "b", "d"]))"), one)
                }
            }
        }

        func reportEvents() {
            let watches = Array(stage.intake.parts.tree.watches).sorted() + [-1, 0, 5_000]
            let isNamed = Int.random(in: 0..<8, using: &random) > 0
            let event = InotifyEvent(
                watch: pick(watches), mask: pick(IntakeRandomTests.masks),
                cookie: UInt32.random(in: 0...3, using: &random),
                name: isNamed ? FileName(pick(IntakeRandomTests.names + ["never"])) : nil)
            stage.intake.note(event, at: stage.moment)
        }

        func file() {
            inFlight += stage.ready(most: 3)
            guard !inFlight.isEmpty, Bool.random(using: &random) else { return }
            let id = inFlight.remove(at: Int.random(in: 0..<inFlight.count, using: &random))
            let now = stage.moment
            let outcome: FilingOutcome = pick([
                .changed, .writer, .retry("no space"), .hold(.permission, nil), .unprovable,
                .unsettled(until: now.now + .milliseconds(5)),
            ])
            stage.intake.resolve(id, outcome, at: now)
        }
    }

    /// What the Inbox holds by the disk alone: arrivals and walked folders.
    private static func truth(
        _ folder: borrowing Directory, _ path: String, _ ignoring: Ignoring
    ) throws -> (arrivals: Set<String>, folders: Int) {
        var arrivals: Set<String> = []
        var folders = 1
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            let inner = path + entry.name.escapedText
            let isFolder = try folder.status(of: entry.name).kind == .directory
            let isPackage = entry.name.bytes.suffix(5).elementsEqual(".rtfd".utf8)
            guard isFolder, !isPackage, !ignoring.ignores(entry.name, isInside: !path.isEmpty) else {
                arrivals.insert(inner)
                continue
            }
            let below = try truth(try folder.folder(entry.name), inner + "/", ignoring)
            arrivals.formUnion(below.arrivals)
            folders += below.folders
        }
        return (arrivals, folders)
    }

    @Test(
        "Whatever is reported, the sums hold at every step, and a scan finds the truth",
        arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) throws {
        let stage = try IntakeStage()
        let player = Player(stage, seed: seed)
        for step in 0..<3_400 {
            for _ in 0..<Int.random(in: 0...2, using: &player.random) { player.act() }
            player.reportEvents()
            try #require(stage.intake.isConsistent, "seed \(seed), step \(step)")
            if step % 7 == 0 { stage.advance(.milliseconds(Int.random(in: 0...900, using: &player.random))) }
            if step % 3 == 0 { player.file() }
            try #require(stage.intake.isConsistent, "seed \(seed), step \(step)")
        }
        #expect(stage.intake.accounting.seen > 100, "seed \(seed)")
        for id in player.inFlight { stage.intake.resolve(id, .changed, at: stage.moment) }
        for _ in 0..<8 {
            stage.intake.requestFullScan(at: stage.moment)
            stage.advance(.seconds(2))
            for id in stage.ready(most: .max) {
                stage.intake.resolve(id, .hold(.permission, nil), at: stage.moment)
            }
        }
        let inbox = try Directory.open(path: stage.folder.bytePath("inbox"))
        let truth = try Self.truth(inbox, "", Ignoring(InboxSettings()))
        let wrong = Set(stage.arrivals.keys).symmetricDifference(truth.arrivals)
        #expect(wrong.isEmpty, "seed \(seed): \(stage.arrivals.filter { wrong.contains($0.key) })")
        let doubled = stage.arrivals.filter { $0.value.contains(" and ") }
        #expect(doubled.isEmpty, "seed \(seed)")
        #expect(stage.intake.parts.tree.keys.count == truth.folders, "seed \(seed)")
        #expect(stage.intake.inboxes.first?.folderCount == truth.folders, "seed \(seed)")
        #expect(stage.intake.isConsistent)
    }

    @Test("Events of things that never were change nothing and trap nothing")
    func hostile() throws {
        let stage = try IntakeStage()
        for watch in [Int32.min, -2, -1, 0, 1, .max] + Array(stage.intake.parts.tree.watches) {
            for mask in Self.masks {
                for name in ["never", "..."] + Self.names {
                    let event = InotifyEvent(watch: watch, mask: mask, cookie: .max, name: FileName(name))
                    stage.intake.note(event, at: stage.moment)
                }
                stage.intake.note(InotifyEvent(watch: watch, mask: mask, cookie: 0, name: nil), at: stage.moment)
            }
        }
        stage.advance(.seconds(5))
        #expect(stage.arrivals.isEmpty && stage.sums == [0, 0, 0, 0, 0])
        #expect(stage.intake.isConsistent)
    }
}
