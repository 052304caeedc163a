import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite("Renames inside an Inbox of what was not seen before")
struct RenameInsideTests {
    /// The halves of a rename that was over before anything of it was read.
    private func note(
        _ stage: IntakeStage, _ name: String, to other: String, _ kind: InotifyMask = [], cookie: UInt32
    ) {
        stage.event(kind.union(.created), name)
        stage.event(kind.union(.movedFrom), name, cookie: cookie)
        stage.event(kind.union(.movedTo), other, cookie: cookie)
    }

    @Test("A file that was made and renamed in the Inbox has its quiet time; one that was renamed into it needs none")
    func file() throws {
        let stage = try IntakeStage()
        try stage.folder.write("inbox/a.txt", "page 1")
        note(stage, "a.lock", to: "a.txt", cookie: 41)
        #expect(stage.arrivals == ["a.txt": "settling"] && !stage.intake.hasReady)
        try stage.folder.write("inbox/moved", "whole")
        stage.event(.movedTo, "moved", cookie: 42)
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [try #require(stage.id("moved"))])
        stage.advance(.milliseconds(1_001))
        #expect(stage.ready(most: 9) == [try #require(stage.id("a.txt"))])
    }

    @Test("It has it however many other renames lie between the halves, and after an overflow that may have lost one")
    func apart() throws {
        let stage = try IntakeStage()
        for name in ["late", "later", "lost"] { try stage.folder.write("inbox/" + name, "1") }
        stage.event(.movedFrom, "x", cookie: 7)
        for cookie in 8..<500 { stage.event(.movedFrom, "gone", cookie: UInt32(cookie)) }
        stage.event(.movedTo, "late", cookie: 7)
        for cookie in 500..<5_000 { stage.event(.movedFrom, "gone", cookie: UInt32(cookie)) }
        stage.event(.movedTo, "later", cookie: 7)
        stage.intake.note(InotifyEvent(watch: -1, mask: .overflow, cookie: 0, name: nil), at: stage.moment)
        stage.event(.movedTo, "lost", cookie: 9_000)
        #expect(!stage.intake.hasReady && stage.arrivals.count == 3)
        // What is read a while later may still be the second half of one that was lost.
        stage.advance(ArrivalCourse.renameGrace + .milliseconds(50))
        try stage.folder.write("inbox/lost too", "1")
        stage.event(.movedTo, "lost too", cookie: 9_001)
        #expect(!stage.intake.hasReady)
        stage.advance(RenameCookies.doubt)
        #expect(stage.ready(most: 9).count == 4)
        try stage.folder.write("inbox/moved", "1")
        stage.event(.movedTo, "moved", cookie: 9_002)
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [try #require(stage.id("moved"))])
    }

    @Test("So have the files of a folder that was made, filled and renamed there; those of one moved in need none")
    func folder() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/made")
        try stage.folder.write("inbox/made/a", "1")
        note(stage, "making", to: "made", .isFolder, cookie: 3)
        stage.settle()
        #expect(stage.arrivals["made/a"] == "settling" && !stage.intake.hasReady)
        try awaitStep(stage)
        stage.folder.makeFolder("outside/whole")
        try stage.folder.write("outside/whole/b", "1")
        stage.rename("outside/whole", "inbox/whole")
        stage.event([.movedTo, .isFolder], "whole", cookie: 4)
        stage.settle()
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [try #require(stage.id("b", in: "whole"))])
    }

    @Test("A folder that has left the tree by then is remembered as well")
    func departed() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/temporary")
        stage.event([.created, .isFolder], "temporary")
        stage.settle()
        let watch = try #require(stage.walked("temporary")?.position.watch)
        rmdir(stage.folder.path + "/inbox/temporary")
        stage.event([.deleted, .isFolder], "temporary")
        try stage.folder.write("inbox/a.txt", "1")
        stage.intake.note(
            InotifyEvent(watch: watch, mask: .movedFrom, cookie: 5, name: FileName("a")), at: stage.moment)
        stage.event(.movedTo, "a.txt", cookie: 5)
        #expect(stage.arrivals == ["a.txt": "settling"] && !stage.intake.hasReady)
    }

    @Test("Folders that exchange their names keep their arrivals, one whose name another has taken for good does not")
    func exchanged() throws {
        let stage = try IntakeStage()
        for name in ["d", "e"] {
            stage.folder.makeFolder("inbox/" + name)
            stage.event([.created, .isFolder], name)
            stage.settle()
            try stage.folder.write("inbox/\(name)/in-\(name)", "1")
            stage.event(.created, "in-" + name, in: name)
        }
        let former = [stage.id("in-d", in: "d"), stage.id("in-e", in: "e")]
        let halves = [("d", "t"), ("e", "d"), ("t", "e")]
        for (from, to) in halves { stage.rename("inbox/" + from, "inbox/" + to) }
        for (number, (from, to)) in halves.enumerated() {
            stage.event([.movedFrom, .isFolder], from, cookie: UInt32(number + 1))
            stage.event([.movedTo, .isFolder], to, cookie: UInt32(number + 1))
        }
        stage.settle()
        for _ in 0..<2 { stage.advance(ArrivalCourse.renameGrace + .milliseconds(1)) }
        #expect([stage.id("in-d", in: "e"), stage.id("in-e", in: "d")] == former)
        #expect(stage.sums == [2, 2, 0, 0, 0])

        stage.folder.makeFolder("outside/new")
        stage.rename("inbox/d", "outside/old")
        stage.rename("outside/new", "inbox/d")
        stage.event([.movedFrom, .isFolder], "d", cookie: 9)
        stage.event([.movedTo, .isFolder], "d", cookie: 10)
        for _ in 0..<2 { stage.advance(ArrivalCourse.renameGrace + .milliseconds(1)) }
        #expect(Array(stage.arrivals.keys) == ["e/in-d"] && stage.sums == [2, 1, 0, 0, 1])
        #expect(stage.intake.isConsistent && stage.intake.parts.tree.folders.count == 3)
    }

    @Test("What goes from one Inbox to another has its quiet time there")
    func between() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("second")
        let paths = ["inbox", "second"].map { BytePath(stage.folder.path + "/" + $0) }
        stage.intake.adopt(paths.map { IntakeStage.configured($0) }, at: stage.moment)
        stage.settle()
        let other = try #require(stage.intake.inboxes.last?.top)
        let watch = try #require(other.position.watch)
        stage.folder.makeFolder("inbox/b")
        try stage.folder.write("inbox/b/c", "1")
        try stage.folder.write("inbox/a", "1")
        for (number, name) in ["a", "b"].enumerated() {
            let kind: InotifyMask = name == "b" ? .isFolder : []
            let cookie = UInt32(number + 1)
            stage.intake.note(
                InotifyEvent(watch: watch, mask: kind.union(.movedFrom), cookie: cookie, name: FileName(name)),
                at: stage.moment)
            stage.event(kind.union(.movedTo), name, cookie: cookie)
        }
        stage.settle()
        #expect(stage.arrivals["a"] == "settling" && stage.arrivals["b/c"] == "settling" && !stage.intake.hasReady)
    }

    /// Waits until files get another time than those before: the kernel's clock for that goes by steps.
    private func awaitStep(_ stage: IntakeStage) throws {
        func time() throws -> Timestamp {
            try stage.folder.write("outside/time", "")
            return try FileStatus(target: BytePath(stage.folder.path + "/outside/time")).changed
        }
        let first = try time()
        while try time() == first {}
    }

    @Test("What was made in a new folder and renamed out of it before that was watched has it, and nothing older")
    func upward() throws {
        let stage = try IntakeStage()
        for name in ["old", "older"] { try stage.folder.write("outside/" + name, "1") }
        try awaitStep(stage)
        for folder in ["stays", "goes"] {
            stage.folder.makeFolder("inbox/" + folder)
            try stage.folder.write("inbox/\(folder)/x", "1")
            stage.rename("inbox/\(folder)/x", "inbox/from-\(folder)")
        }
        stage.rename("outside/old", "inbox/old")
        rmdir(stage.folder.path + "/inbox/goes")
        stage.event([.created, .isFolder], "stays")
        for (cookie, name) in ["from-stays", "old"].enumerated() {
            stage.event(.movedTo, name, cookie: UInt32(cookie + 1))
        }
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [try #require(stage.id("old"))])
        stage.event([.created, .isFolder], "goes")
        stage.event(.movedTo, "from-goes", cookie: 3)
        #expect(!stage.intake.hasReady && stage.arrivals["from-goes"] == "settling")
        stage.settle()
        try awaitStep(stage)
        // What was made before the folders, or comes later, has come from outside.
        stage.rename("outside/older", "inbox/older")
        stage.event(.movedTo, "older", cookie: 4)
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [try #require(stage.id("older"))])
    }
}
