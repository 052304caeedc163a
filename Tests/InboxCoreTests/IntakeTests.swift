import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

@Suite struct IntakeTests {
    @Test("A file that is made waits for its quiet time and is ready then; each close begins it anew")
    func created() throws {
        let stage = try IntakeStage()
        try stage.drop("a")
        #expect(stage.arrivals == ["a": "settling"])
        stage.advance(.milliseconds(900))
        #expect(!stage.intake.hasReady)
        stage.event(.closedAfterWriting, "a")
        stage.advance(.milliseconds(900))
        #expect(!stage.intake.hasReady)
        stage.advance(.milliseconds(101))
        #expect(stage.ready(most: 9) == [try #require(stage.id("a"))])
        #expect(stage.sums == [1, 1, 0, 0, 0] && stage.intake.isConsistent)
    }

    @Test("A file that was renamed or linked in is ready once what belongs to it could have come, an empty one is not")
    func movedIn() throws {
        let stage = try IntakeStage()
        try stage.drop("moved", "content", .movedTo)
        try stage.drop("empty", "", .movedTo)
        try stage.folder.write("outside/x", "content")
        link(stage.folder.path + "/outside/x", stage.folder.path + "/inbox/linked")
        stage.event(.created, "linked")
        stage.awaitCompany()
        #expect(stage.ready(most: 9) == [stage.id("moved"), stage.id("linked")].compactMap { $0 })
        #expect(stage.arrivals["empty"] == "empty")
        stage.advance(.seconds(601))
        #expect(stage.ready(most: 9) == [try #require(stage.id("empty"))])
    }

    @Test("A file that is renamed inside the Inbox is the same arrival, whichever half is read first")
    func renamed() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/d")
        stage.event([.created, .isFolder], "d")
        stage.settle()
        for (index, events) in [[0, 1], [1, 0], [1]].enumerated() {
            let (from, to) = ("a\(index)", "b\(index)")
            try stage.drop(from)
            let id = try #require(stage.id(from))
            stage.rename("inbox/" + from, "inbox/d/" + to)
            for half in events {
                if half == 0 { stage.event(.movedFrom, from) } else { stage.event(.movedTo, to, in: "d") }
            }
            stage.advance(ArrivalCourse.renameGrace + .milliseconds(10))
            #expect(stage.id(to, in: "d") == id, "\(events)")
            #expect(stage.id(from) == nil)
        }
        #expect(stage.sums == [3, 3, 0, 0, 0])
    }

    @Test("A file that was replaced, deleted or moved away is withdrawn, and what came is new")
    func replaced() throws {
        let stage = try IntakeStage()
        for name in ["replaced", "deleted", "gone"] { try stage.drop(name) }
        let former = stage.id("replaced")
        try stage.folder.write("outside/new", "other")
        stage.rename("outside/new", "inbox/replaced")
        stage.event(.movedTo, "replaced")
        unlink(stage.folder.path + "/inbox/deleted")
        stage.event(.deleted, "deleted")
        stage.rename("inbox/gone", "outside/gone")
        stage.event(.movedFrom, "gone")
        stage.advance(ArrivalCourse.renameGrace + .milliseconds(10))
        #expect(Set(stage.arrivals.keys) == ["replaced"])
        #expect(stage.id("replaced") != former)
        #expect(stage.sums == [4, 1, 0, 0, 3] && stage.intake.isConsistent)
    }

    @Test("An overflow, and an event of a watch that nobody asked for, end in a scan that finds everything")
    func scans() throws {
        let stage = try IntakeStage()
        try stage.folder.write("inbox/a", "1")
        stage.intake.note(InotifyEvent(watch: -1, mask: .overflow, cookie: 0, name: nil), at: stage.moment)
        stage.settle()
        #expect(stage.arrivals == ["a": "settling"])
        #expect(stage.intake.accounting.overflows == 1 && stage.ear.words == ["overflow"])
        let rescans = stage.intake.accounting.rescans
        try stage.folder.write("inbox/b", "1")
        for _ in 0..<50 {
            stage.intake.note(InotifyEvent(watch: 9, mask: .created, cookie: 0, name: aName("x")), at: stage.moment)
        }
        stage.advance(.seconds(1))
        stage.settle()
        #expect(Set(stage.arrivals.keys) == ["a", "b"])
        // However many there are: no more than one a second.
        #expect(stage.intake.accounting.rescans == rescans + 1)
    }

    @Test("What is ignored, a link or special is not worked on, until its name or kind is another")
    func apart() throws {
        let stage = try IntakeStage()
        try stage.drop("a.part", "1")
        try stage.drop(".hidden", "1")
        stage.folder.makeLink("inbox/link", to: "a.part")
        stage.event(.created, "link")
        mkfifo(stage.folder.path + "/inbox/fifo", 0o600)
        stage.event(.created, "fifo")
        stage.event(.attributes, "fifo")
        #expect(
            stage.arrivals == ["a.part": "ignored", ".hidden": "ignored", "link": "symlink", "fifo": "special"])
        #expect(stage.ear.words == ["held link symlink", "held fifo special"])
        stage.rename("inbox/a.part", "inbox/a")
        stage.event(.movedFrom, "a.part")
        stage.event(.movedTo, "a")
        unlink(stage.folder.path + "/inbox/link")
        stage.event(.deleted, "link")
        #expect(stage.arrivals == ["a": "settling", ".hidden": "ignored", "fifo": "special"])
        #expect(stage.ear.words.last == "released link")
        #expect(stage.sums == [4, 1, 1, 1, 1])
    }

    @Test("A document waits for the download beside it, and no longer once that has stalled or gone")
    func sibling() throws {
        let stage = try IntakeStage()
        try stage.drop("a.pdf.part", "1")
        try stage.drop("a.pdf", "1", .movedTo)
        try stage.drop("c.iRk3_9-z.pdf.part", "1")
        try stage.drop("c.pdf", "", .movedTo)
        stage.advance(.seconds(60))
        #expect(
            stage.arrivals == [
                "a.pdf.part": "ignored", "a.pdf": "sibling", "c.iRk3_9-z.pdf.part": "ignored", "c.pdf": "sibling",
            ])
        stage.advance(.seconds(600))
        #expect(stage.ready(most: 9) == [try #require(stage.id("a.pdf"))])
        #expect(stage.arrivals["c.pdf"] == "sibling", "an empty placeholder waits as long as its part is there")
        let other = try IntakeStage()
        try other.drop("b.crdownload", "1")
        try other.drop("b", "1", .movedTo)
        #expect(other.arrivals["b"] == "sibling")
        unlink(other.folder.path + "/inbox/b.crdownload")
        other.event(.deleted, "b.crdownload")
        other.advance(.seconds(6))
        #expect(other.ready(most: 9) == [try #require(other.id("b"))])
    }

    @Test("What comes of an attempt is shown, reported once, and tried again in its time")
    func outcomes() throws {
        let stage = try IntakeStage()
        for name in ["retry", "writer", "hold", "unprovable", "changed"] { try stage.drop(name, "1", .movedTo) }
        let ids = stage.ready(most: 9)
        try #require(ids.count == 5)
        stage.intake.resolve(ids[0], .retry("no space"), at: stage.moment)
        stage.intake.resolve(ids[1], .writer, at: stage.moment)
        stage.intake.resolve(ids[2], .hold(.permission, nil), at: stage.moment)
        stage.intake.resolve(ids[3], .unprovable, at: stage.moment)
        stage.intake.resolve(ids[4], .changed, at: stage.moment)
        #expect(
            stage.arrivals == [
                "retry": "retrying", "writer": "writing", "hold": "permission", "unprovable": "settling",
                "changed": "settling",
            ])
        #expect(stage.ear.words == ["retrying retry", "held hold permission"])
        stage.advance(.milliseconds(60))
        #expect(Set(stage.ready(most: 9)) == [ids[1], ids[4]])
        stage.advance(.seconds(1))
        #expect(stage.ready(most: 9) == [ids[0]])
        stage.intake.resolve(ids[0], .retry("no space"), at: stage.moment)
        stage.intake.resolve(ids[0], .retry("no space"), at: stage.moment)
        #expect(stage.ear.words.count == 2)
        stage.advance(.seconds(5))
        #expect(stage.ready(most: 9).contains(ids[3]))
        #expect(stage.arrivals["hold"] == "permission" && stage.intake.isConsistent)
    }

    @Test(
        "An arrival whose folder left the Inbox while it was in flight is withdrawn, whatever came of it",
        arguments: ["changed", "writer", "retry", "hold", "unprovable", "unsettled"])
    func folderLeft(_ word: String) throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/d")
        try stage.folder.write("inbox/d/a", "1")
        stage.event([.movedTo, .isFolder], "d")
        stage.settle()
        // On a busy machine the file may seem to be written after the folder was moved in.
        stage.advance(.seconds(4))
        stage.awaitCompany()
        let id = try #require(stage.ready(most: 9).first)
        stage.rename("inbox/d", "outside/d")
        stage.event([.movedFrom, .isFolder], "d")
        stage.advance(ArrivalCourse.renameGrace + .milliseconds(10))
        #expect(stage.walked("d") == nil)
        let outcome: FilingOutcome =
            switch word {
            case "writer": .writer
            case "retry": .retry("no space")
            case "hold": .hold(.permission, nil)
            case "unprovable": .unprovable
            case "unsettled": .unsettled(until: stage.moment.now + .milliseconds(1))
            default: .changed
            }
        stage.intake.resolve(id, outcome, at: stage.moment)
        for _ in 0..<10 { stage.advance(.seconds(2)) }
        #expect(stage.arrivals.isEmpty)
        #expect(stage.sums == [1, 0, 0, 0, 1] && stage.intake.isConsistent)
    }

    @Test("An arrival whose name another took while it was in flight is withdrawn, though it was to be held")
    func nameTaken() throws {
        let stage = try IntakeStage()
        try stage.drop("a", "1", .movedTo)
        let id = try #require(stage.ready(most: 9).first)
        try stage.folder.write("outside/b", "2")
        stage.rename("inbox/a", "outside/a")
        stage.rename("outside/b", "inbox/a")
        stage.event(.movedTo, "a")
        stage.intake.resolve(id, .hold(.syncFailed, nil), at: stage.moment)
        stage.advance(.seconds(1))
        #expect(stage.arrivals == ["a": "settling"])
        #expect(stage.sums == [2, 1, 0, 0, 1] && stage.intake.isConsistent)
    }

    @Test("What was claimed and put back is not tried again for that, but for a change", arguments: [true, false])
    func putBack(_ isHeld: Bool) throws {
        let stage = try IntakeStage()
        try stage.drop("a", "1", .movedTo)
        let id = try #require(stage.ready(most: 9).first)
        stage.rename("inbox/a", "outside/a")
        stage.event(.movedFrom, "a")
        stage.rename("outside/a", "inbox/a")
        stage.intake.hasReturned(id)
        stage.intake.resolve(id, isHeld ? .hold(.syncFailed, nil) : .retry("no space"), at: stage.moment)
        stage.event(.movedTo, "a")
        #expect(stage.arrivals == ["a": isHeld ? "sync-failed" : "retrying"] && !stage.intake.hasReady)
        try stage.folder.write("inbox/a", "another")
        stage.event(.closedAfterWriting, "a")
        stage.advance(.seconds(3))
        #expect(stage.ready(most: 9) == [id] && stage.intake.isConsistent)
    }

    @Test("A folder that was emptied by filing goes after its time, others and touched ones stay")
    func emptied() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        for name in ["filled", "never"] {
            stage.folder.makeFolder("inbox/" + name)
            stage.event([.created, .isFolder], name)
        }
        try stage.folder.write("inbox/filled/a", "1")
        stage.event(.created, "a", in: "filled")
        stage.settle()
        stage.advance(.seconds(2))
        let id = try #require(stage.ready(most: 9).first)
        stage.rename("inbox/filled/a", "outside/a")
        stage.intake.hasLeft(id)
        stage.event(.attributes, "b", in: "filled")
        stage.advance(.seconds(59))
        #expect(stage.walked("filled") != nil)
        stage.advance(.seconds(2))
        #expect(stage.walked("filled") == nil && stage.walked("never") != nil)
        #expect(failureOf { _ = try stage.folder.status("inbox/filled") } == .noEntry)
    }

    @Test("On a filesystem that other machines write to, only what was observed to stay the same for 5 s is complete")
    func foreign() throws {
        let stage = try IntakeStage()
        let device = try #require(stage.top?.key.device)
        stage.intake.inboxes.first?.coverage.filesystems[device] = Filesystem(magic: 0x6969, identifier: 1)
        try stage.drop("a", "1", .movedTo)
        #expect(stage.arrivals == ["a": "settling"])
        stage.advance(.milliseconds(4_900))
        #expect(!stage.intake.hasReady)
        // Behind the mount, so that no event reports it, and with a time of another clock.
        try stage.folder.write("inbox/a", "12")
        let past = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        utimensat(AT_FDCWD, stage.folder.path + "/inbox/a", past, 0)
        stage.advance(.milliseconds(100))
        #expect(!stage.intake.hasReady)
        stage.advance(.milliseconds(4_900))
        #expect(!stage.intake.hasReady)
        stage.advance(.milliseconds(100))
        let request = try #require(stage.intake.takeReady(most: 1, at: stage.moment).first)
        guard case .quietTime = request.acceptance else {
            Issue.record("a lease would be accepted")
            return
        }
    }

    @Test("Where inode numbers do not last, a file that gets another one stays the same arrival")
    func fleetingInodes() throws {
        let stage = try IntakeStage()
        let device = try #require(stage.top?.key.device)
        stage.intake.inboxes.first?.coverage.filesystems[device] = Filesystem(magic: 0x6573_5546, identifier: 0)
        try stage.drop("a", "1", .movedTo)
        let id = stage.id("a")
        try stage.folder.write("outside/a", "1")
        stage.rename("outside/a", "inbox/a")
        stage.event(.movedTo, "a")
        #expect(id != nil && stage.id("a") == id)
        #expect(stage.sums == [1, 1, 0, 0, 0] && stage.intake.isConsistent)
    }

    @Test("A package counts as quiet from the first look, however old it is, and from each look that finds it changed")
    func package() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("outside/p.rtfd")
        try stage.folder.write("outside/p.rtfd/a", "1")
        stage.advance(.seconds(60))
        stage.rename("outside/p.rtfd", "inbox/p.rtfd")
        stage.event([.movedTo, .isFolder], "p.rtfd")
        stage.advance(.milliseconds(4_990))
        #expect(!stage.intake.hasReady)
        try stage.folder.write("inbox/p.rtfd/b", "1")
        for _ in 0..<2 {
            stage.advance(.seconds(4))
            #expect(!stage.intake.hasReady)
        }
        stage.advance(.seconds(3))
        #expect(stage.ready(most: 1) == [try #require(stage.id("p.rtfd"))])
    }

    @Test("Nested folders that filing has emptied go together, once the time of the innermost has passed")
    func nested() throws {
        let stage = try IntakeStage { $0.settle = .zero }
        for path in ["a", "a/b", "a/b/c"] { stage.folder.makeFolder("inbox/" + path) }
        try stage.folder.write("inbox/a/b/c/x", "1")
        stage.event([.created, .isFolder], "a")
        stage.settle()
        stage.advance(.seconds(2))
        let id = try #require(stage.ready(most: 9).first)
        stage.rename("inbox/a/b/c/x", "outside/x")
        stage.intake.hasLeft(id)
        stage.advance(.seconds(57))
        #expect(stage.walked("a/b/c") != nil)
        stage.advance(.seconds(2))
        // The kernel reports what the daemon itself has done: it is no touch of others.
        stage.event([.deleted, .isFolder], "a")
        #expect(failureOf { _ = try stage.folder.status("inbox/a") } == .noEntry)
        #expect(stage.walked("a") == nil)
    }

    @Test("A folder that others have long left alone goes as soon as it is emptied, one moved in just now does not")
    func longLeftAlone() throws {
        for isMovedIn in [false, true] {
            let stage = try IntakeStage()
            for made in ["outside/a", "outside/a/b"] { stage.folder.makeFolder(made) }
            try stage.folder.write("outside/a/b/x", "1")
            if !isMovedIn { stage.rename("outside/a", "inbox/a") }
            stage.advance(.seconds(70))
            if isMovedIn {
                stage.rename("outside/a", "inbox/a")
                stage.event([.movedTo, .isFolder], "a")
            } else {
                stage.intake.requestFullScan(at: stage.moment)
            }
            stage.settle()
            stage.advance(.milliseconds(50))
            let id = try #require(stage.ready(most: 9).first)
            stage.rename("inbox/a/b/x", "outside/x")
            stage.intake.hasLeft(id)
            stage.event(.movedFrom, "x", in: "a/b")
            stage.settle()
            #expect((stage.walked("a") != nil) == isMovedIn)
            #expect(!stage.intake.parts.emptied.isDueSoon(at: stage.moment.now))
            stage.advance(.seconds(57))
            #expect(stage.intake.parts.emptied.isDueSoon(at: stage.moment.now) == isMovedIn)
        }
    }

    @Test("An emptied folder without a watch stays as long as its change time shows that somebody is in it")
    func unwatchedEmptied() throws {
        for isWatched in [true, false] {
            let stage = try IntakeStage { $0.settle = .zero }
            stage.folder.makeFolder("inbox/a")
            try stage.folder.write("inbox/a/x", "1")
            stage.event([.created, .isFolder], "a")
            stage.settle()
            stage.advance(.seconds(2))
            let id = try #require(stage.ready(most: 9).first)
            stage.rename("inbox/a/x", "outside/x")
            let folder = try #require(stage.walked("a"))
            folder.past.touched = stage.moment.now - .seconds(3_600)
            stage.intake.hasLeft(id)
            if !isWatched, let watch = folder.position.watch { stage.intake.parts.tree.lostWatch(watch, of: folder) }
            stage.advance(.seconds(1))
            #expect((stage.walked("a") == nil) == isWatched)
            if !isWatched {
                stage.advance(.seconds(70))
                #expect(stage.walked("a") == nil)
            }
        }
    }

    @Test("What is held for want of a permission is tried again at the safety scan, and reported once")
    func permission() throws {
        let stage = try IntakeStage { $0.rescan = .seconds(60) }
        try stage.drop("a", "1", .movedTo)
        let id = try #require(stage.ready(most: 1).first)
        stage.intake.resolve(id, .hold(.permission, "no"), at: stage.moment)
        let (since, last) = (stage.intake.arrival(id)?.since, stage.intake.events.last)
        stage.advance(.seconds(30))
        #expect(!stage.intake.hasReady)
        for _ in 0..<3 {
            stage.advance(.seconds(60))
            stage.settle()
            #expect(stage.arrivals == ["a": "permission"])
            #expect(stage.ready(most: 1) == [id])
            stage.intake.resolve(id, .hold(.permission, "no"), at: stage.moment)
        }
        #expect(stage.ear.words == ["held a permission"])
        #expect(stage.intake.arrival(id)?.since == since && stage.intake.events.last == last)
        #expect(stage.intake.isConsistent)
    }

    @Test("A document waits no longer for a partial download in it that has not grown for StallAfter")
    func stalePartial() throws {
        let stage = try IntakeStage()
        stage.folder.makeFolder("inbox/p.rtfd")
        try stage.folder.write("inbox/p.rtfd/TXT.rtf", "1")
        try stage.folder.write("inbox/p.rtfd/a.png.part", "1")
        stage.event([.created, .isFolder], "p.rtfd")
        for _ in 0..<10 { stage.advance(.seconds(59)) }
        #expect(stage.arrivals == ["p.rtfd": "sibling"])
        #expect(!stage.intake.hasReady)
        stage.advance(.seconds(60))
        #expect(stage.intake.hasReady)
    }

    @Test("However often a document is touched, it has one deadline")
    func touchedForEver() throws {
        let stage = try IntakeStage { $0.settle = .seconds(1_800) }
        try stage.drop("a")
        for _ in 0..<1_000 { stage.event(.closedAfterWriting, "a") }
        let (book, end) = (stage.intake.parts.book, stage.moment.now + .seconds(10_000))
        #expect(book.popDue(at: end) == stage.id("a") && book.popDue(at: end) == nil)
    }
}
