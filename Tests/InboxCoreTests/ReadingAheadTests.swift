import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// What one user has in an Inbox holds the scan back; what others have dropped there unseen is found all the same.
@Suite("Reading ahead", .enabled(if: geteuid() == 0, "only root gives files away"))
struct ReadingAheadTests {
    private static let other: uid_t = 12_345
    private static let third: uid_t = 12_346

    /// A stage with an Inbox that everybody can fill.
    private static func shared() throws -> IntakeStage {
        let stage = try IntakeStage { $0.settle = .zero }
        try #require(chmod(stage.folder.path + "/inbox", 0o1777) == 0)
        return stage
    }

    /// A stage whose scan is held back by the documents of one user, of which more wait to be read.
    /// - Parameter count: how many of them there are.
    private static func heldBack(_ count: Int = 100, ready: Int = 8) throws -> IntakeStage {
        let stage = try shared()
        stage.intake.mostReady = ready
        for number in 0..<count { try stage.folder.write("inbox/flood \(number)", "1") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        #expect(stage.intake.readyCount == ready && stage.intake.isReading)
        return stage
    }

    /// Makes a file of somebody in the Inbox, of which no event is reported.
    private static func lose(_ name: String, _ owner: uid_t, on stage: IntakeStage) throws {
        try stage.folder.write("inbox/" + name, "content")
        try #require(chown(stage.folder.path + "/inbox/" + name, owner, owner) == 0)
    }

    private static func scan(_ stage: IntakeStage) {
        stage.intake.requestFullScan(at: stage.moment)
        for _ in 0..<8 { stage.advance(.seconds(1)) }
    }

    @Test("A document whose event was lost is found while nothing of somebody else's backlog is filed")
    func lost() throws {
        let stage = try Self.heldBack()
        try Self.lose("letter", Self.other, on: stage)
        Self.scan(stage)
        let letter = try #require(stage.id("letter"))
        #expect(stage.intake.parts.book.count == 9 && stage.intake.isConsistent)
        // It has its turn after one of the others.
        #expect(stage.ready(most: 2).contains(letter))
    }

    @Test("So is one in a folder of its owner that the scan has not entered")
    func lostFolder() throws {
        let stage = try Self.heldBack()
        for path in ["mine", "mine/inner"] { stage.folder.makeFolder("inbox/" + path) }
        for path in ["mine", "mine/inner"] {
            try #require(chown(stage.folder.path + "/inbox/" + path, Self.other, Self.other) == 0)
        }
        try Self.lose("mine/inner/letter", Self.other, on: stage)
        Self.scan(stage)
        #expect(stage.id("letter", in: "mine/inner") != nil)
        #expect(stage.intake.parts.book.count == 9)
    }

    @Test("Of the one who has most, and of those who come near, nothing more is taken in, so that memory stays small")
    func bounded() throws {
        let stage = try Self.heldBack(400, ready: 100)
        for number in 0..<400 { try Self.lose("other \(number)", Self.other, on: stage) }
        Self.scan(stage)
        let book = stage.intake.parts.book
        #expect(book.waitingCount(of: geteuid()) == 100)
        #expect(book.waitingCount(of: Self.other) == 50)
        // A third one is found nevertheless.
        try Self.lose("letter", Self.third, on: stage)
        Self.scan(stage)
        #expect(stage.id("letter") != nil && book.count == 151)
    }

    @Test("In a full book another's lost document takes the place of some of the largest owner's")
    func full() throws {
        let stage = try Self.shared()
        stage.intake.parts.book.limits.waiting = 64
        for number in 0..<200 { try stage.folder.write("inbox/flood \(number)", "1") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        #expect(stage.intake.parts.book.isFilling)
        for number in 0..<8 { try Self.lose("letter \(number)", Self.other, on: stage) }
        Self.scan(stage)
        #expect((0..<8).allSatisfy { stage.id("letter \($0)") != nil })
        #expect(stage.intake.parts.book.activeCount <= 64 && stage.intake.isConsistent)
    }

    @Test("What is passed over is filed in the end, each document once")
    func rest() throws {
        let stage = try Self.heldBack(300)
        for number in 0..<40 { try Self.lose("other \(number)", Self.other, on: stage) }
        stage.intake.requestFullScan(at: stage.moment)
        var filed: Set<ArrivalID> = []
        for _ in 0..<400 where filed.count < 340 {
            stage.advance(.milliseconds(100))
            for request in stage.intake.takeReady(most: 4, at: stage.moment) {
                #expect(filed.insert(request.id).inserted)
                unlink(EscapedBytes.text(request.path.bytes))
                stage.intake.hasLeft(request.id)
                stage.intake.parts.book.remove(request.id)
            }
        }
        stage.advance(.seconds(1))
        #expect(filed.count == 340 && stage.intake.accounting.seen == 340)
        #expect(!stage.intake.isReading && stage.intake.isConsistent)
    }

    @Test("While nothing is lost nothing is read again, and the daemon sleeps until something is filed")
    func asleep() throws {
        let stage = try Self.heldBack()
        Self.scan(stage)
        #expect(stage.intake.isReading && stage.intake.nextDeadline > stage.moment.now)
        let opened = stage.intake.parts.scanner.enqueuedCount
        for _ in 0..<4 { stage.advance(.seconds(1)) }
        #expect(stage.intake.parts.scanner.enqueuedCount == opened)
        #expect(stage.intake.nextDeadline > stage.moment.now)
    }

    @Test("A folder that only its owner can fill is not read when he has his share")
    func closed() throws {
        let stage = try Self.shared()
        stage.intake.mostReady = 8
        stage.folder.makeFolder("inbox/flood")
        chmod(stage.folder.path + "/inbox/flood", 0o755)
        for number in 0..<50 { try stage.folder.write("inbox/flood/\(number)", "1") }
        stage.intake.requestFullScan(at: stage.moment)
        stage.advance(.seconds(2))
        #expect(stage.intake.readyCount == 8)
        // By root, who may put something there: it waits for the scan.
        try Self.lose("flood/letter", Self.other, on: stage)
        Self.scan(stage)
        #expect(stage.id("letter", in: "flood") == nil)
        chmod(stage.folder.path + "/inbox/flood", 0o777)
        Self.scan(stage)
        #expect(stage.id("letter", in: "flood") != nil)
    }
}

/// Where nothing is filed nothing makes room.
@Suite("Reading while nothing is filed")
struct ReadingWhilePausedTests {
    @Test("Everything is read though as many wait as may, and the rest is taken in when filing goes on")
    func paused() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        let book = stage.intake.parts.book
        book.limits.waiting = 64
        stage.intake.mostReady = .max
        for number in 0..<200 { try stage.folder.write("inbox/\(number)", "1") }
        stage.intake.requestFullScan(at: stage.moment)
        for _ in 0..<4 { stage.advance(.seconds(2)) }
        #expect(!stage.intake.isReading && book.readyCount == 64)
        stage.intake.mostReady = 2_048
        var filed = 0
        for _ in 0..<400 where filed < 200 {
            for request in stage.intake.takeReady(most: 16, at: stage.moment) {
                unlink(EscapedBytes.text(request.path.bytes))
                stage.intake.hasLeft(request.id)
                book.remove(request.id)
                filed += 1
            }
            stage.advance(.milliseconds(100))
        }
        #expect(filed == 200 && stage.intake.accounting.seen == 200 && book.isConsistent)
    }
}
