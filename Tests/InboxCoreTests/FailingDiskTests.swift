import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("The problem of a disk that does not work, or that nothing more can be written to")
struct FailingDiskTests {
    @Test("A disk that fails for many documents is one problem, by its root, until all have gone on")
    func disk() throws {
        let stage = try IntakeStage()
        stage.intake.roots.documents = BytePath("/d")
        for name in ["a", "b", "c"] { try stage.drop(name, "1", .movedTo) }
        let ids = stage.ready(most: 9)
        try #require(ids.count == 3)
        func fail(_ id: ArrivalID, _ place: String) throws {
            let error = SyscallError(.renameat, Errno(rawValue: EIO))
            let obstruction = try #require(Obstruction(error, at: BytePath(place)))
            stage.intake.resolve(id, .obstructed(obstruction), at: stage.moment)
        }
        try fail(ids[0], "/d/Pictures/a")
        try fail(ids[1], "/d/b")
        let inbox = stage.folder.path + "/inbox"
        try fail(ids[2], inbox + "/c")
        #expect(stage.ear.words.isEmpty, "a line for each document")
        let problems = stage.intake.problems.all
        #expect(problems.count == 2)
        #expect(problems.contains { $0.hasPrefix("the disk that /d is on does not work (Input/output error)") })
        #expect(problems.contains { $0.hasPrefix("the disk that \(inbox) is on does not work") })
        #expect(stage.arrivals.values.allSatisfy { $0 == "retrying" })
        stage.intake.resolve(ids[0], .hold(.permission, nil), at: stage.moment)
        #expect(stage.intake.problems.all.count == 2)
        stage.intake.resolve(ids[1], .changed, at: stage.moment)
        stage.intake.resolve(ids[1], .postponed("something else"), at: stage.moment)
        #expect(stage.intake.problems.all.count == 1)
        unlink(inbox + "/c")
        stage.event(.deleted, "c")
        stage.advance(.seconds(3))
        #expect(stage.intake.problems.all.isEmpty && stage.intake.isConsistent)
    }

    @Test("A disk that is full is one problem for all its folders, a quota another; each document keeps its words")
    func full() throws {
        let stage = try IntakeStage()
        stage.intake.roots.documents = BytePath("/d")
        stage.intake.roots.outer = [BytePath("/far/pdf")]
        for number in 0..<6 { try stage.drop("\(number)", "1", .movedTo) }
        let ids = stage.ready(most: 9)
        try #require(ids.count == 6)
        func fail(_ number: Int, _ code: Int32, _ place: String) throws {
            let obstruction = try #require(
                Obstruction(SyscallError(.mkdirat, Errno(rawValue: code)), at: BytePath(place)))
            stage.intake.resolve(ids[number], .obstructed(obstruction), at: stage.moment)
        }
        for number in 0..<3 { try fail(number, ENOSPC, "/far/pdf/f\(number)") }
        try fail(3, EDQUOT, "/far/pdf/f3")
        try fail(4, EROFS, "/d/a/b")
        try fail(5, EROFS, "/d/c")
        let words = stage.intake.problems.all
        #expect(words.count == 3, "\(words)")
        #expect(words.contains { $0.hasPrefix("nothing more can be written to /far/pdf (No space left on device)") })
        #expect(words.contains { $0.hasPrefix("nothing more can be written to /far/pdf (Disk quota exceeded)") })
        #expect(words.contains { $0.hasPrefix("nothing more can be written to /d (Read-only file system)") })
        let detail = stage.intake.parts.book[ids[2]]?.detail
        #expect(detail?.hasPrefix("nothing more can be written to /far/pdf/f2 (No space") == true, "\(detail ?? "")")
        for number in 0..<2 { stage.intake.resolve(ids[number], .hold(.permission, nil), at: stage.moment) }
        #expect(stage.intake.problems.all.count == 3, "one still waits")
        // It waits for another disk now.
        try fail(2, EROFS, "/d/c")
        #expect(stage.intake.problems.all.count == 2)
        for number in 2..<6 { stage.intake.resolve(ids[number], .hold(.permission, nil), at: stage.moment) }
        #expect(stage.intake.problems.all.isEmpty && stage.intake.isConsistent)
    }
}
