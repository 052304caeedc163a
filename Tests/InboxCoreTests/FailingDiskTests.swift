import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("The problem of a disk that does not work")
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
}
