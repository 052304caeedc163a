import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// Whoever lets something appear and go in a loop does not fill the memory, even while nothing is read or filed.
@Suite("What has gone is forgotten")
struct DepartedTests {
    private static let rounds = 5_000

    @Test("Documents that are taken away while filing is paused wait for no turn")
    func documents() throws {
        let stage = try IntakeStage()
        stage.intake.mostReady = .max
        for number in 0..<Self.rounds {
            try stage.drop("\(number)", "1", .movedTo)
            unlink(stage.folder.path + "/inbox/\(number)")
            stage.event(.deleted, "\(number)")
        }
        #expect(stage.intake.readyCount == 0 && stage.intake.accounting.withdrawn == Self.rounds)
        try stage.drop("stays", "1", .movedTo)
        #expect(stage.ready(most: 9) == [try #require(stage.id("stays"))])
    }

    @Test("The places of elements that are taken out are cleared, and the others keep their turns")
    func places() {
        var queue = UniqueOwnerQueue<Int>()
        queue.append(-1, of: 1)
        for number in 0..<Self.rounds {
            queue.append(number, of: 2)
            queue.remove(number)
        }
        queue.append(-2, of: 2)
        #expect(queue.count == 2 && queue.places < 2_000)
        var taken: [Int] = []
        while let next = queue.popFirst() { taken.append(next) }
        #expect(taken == [-1, -2])
    }

    @Test("Folders that are removed while the scan is held back are not kept for it")
    func folders() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.intake.mostReady = 1
        try stage.drop("a", "1", .movedTo)
        #expect(stage.intake.readyCount == 1)
        for number in 0..<Self.rounds {
            stage.folder.makeFolder("inbox/d\(number)")
            stage.event([.created, .isFolder], "d\(number)")
            rmdir(stage.folder.path + "/inbox/d\(number)")
            stage.event([.deleted, .isFolder], "d\(number)")
        }
        #expect(stage.intake.parts.scanner.foldersToRead.count < 2_000)
    }

    @Test("A folder that was to be removed once it stays empty is not kept when its owner has removed it")
    func emptied() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.folder.makeFolder("inbox/d")
        stage.event([.created, .isFolder], "d")
        stage.settle()
        try stage.folder.write("inbox/d/a", "1")
        stage.event(.movedTo, "a", in: "d", cookie: 5)
        weak let gone = stage.walked("d")
        let id = try #require(stage.id("a", in: "d"))
        #expect(stage.ready(most: 1) == [id])
        unlink(stage.folder.path + "/inbox/d/a")
        stage.intake.hasLeft(id)
        stage.intake.parts.book.remove(id)
        rmdir(stage.folder.path + "/inbox/d")
        stage.event([.deleted, .isFolder], "d")
        stage.advance(.seconds(5))
        #expect(gone == nil)
    }

    @Test("A folder that waited for room is not kept when it has been removed, and the end of the crowd is reported")
    func crowded() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        stage.intake.parts.book.limits.all = 20
        for number in 0..<20 { try stage.drop("\(number).part") }
        stage.folder.makeFolder("inbox/e")
        try stage.folder.write("inbox/e/x.part")
        stage.event([.created, .isFolder], "e")
        stage.settle()
        weak let gone = stage.walked("e")
        #expect(gone != nil && stage.intake.problems.has(.crowd))
        unlink(stage.folder.path + "/inbox/e/x.part")
        rmdir(stage.folder.path + "/inbox/e")
        stage.event([.deleted, .isFolder], "e")
        stage.advance(.seconds(5))
        #expect(gone == nil)
        for number in 0..<20 {
            unlink(stage.folder.path + "/inbox/\(number).part")
            stage.event(.deleted, "\(number).part")
        }
        stage.advance(.seconds(1))
        #expect(!stage.intake.problems.has(.crowd))
    }

    @Test("Watches that were ended are forgotten once their last events may be lost")
    func watches() {
        var table = WatchTable()
        table.retire(1)
        let before = table.isRetired(1, isLast: false)
        table.noteLoss()
        let after = table.isRetired(1, isLast: false)
        #expect(before && !after && table.losses == 1)
    }
}
