import InboxFiling
import InboxLinux
import Testing

@testable import InboxCore

@Suite("What waits for handlers, and how far the history is handled")
struct HandlerStateTests {
    private let now = Instant(nanoseconds: 100)

    private func document(_ id: String, _ documentType: String = "T", of owner: UInt32 = 1) -> HandledDocument {
        HandledDocument(
            id: id, path: BytePath("/d"), source: BytePath("/i"), type: "t.t", mime: nil, size: 0,
            documentType: documentType, owner: owner)
    }

    @Test("No more handlers of a document type are begun than may run, and another when one has ended")
    func concurrency() throws {
        var backlog = HandlerBacklog(most: 10)
        for id in ["1", "2", "3"] { backlog.append(filed: document(id)) }
        for id in ["1", "2"] {
            let taken = backlog.take(of: "T", most: 2, at: now)
            let task = try #require(taken)
            #expect(task.document.id == id)
            backlog.begin(task)
        }
        #expect(backlog.take(of: "T", most: 2, at: now)?.document.id == nil)
        #expect(backlog.nextDeadline(of: "T", most: 2) == .never)
        backlog.end(HandlerQueue.Task(document: document("1")))
        #expect(backlog.take(of: "T", most: 2, at: now)?.document.id == "3")
    }

    @Test("Beyond the limit documents are left to the history, and each of those found there is added once")
    func overflow() throws {
        var backlog = HandlerBacklog(most: 2)
        for id in ["1", "2", "3"] { backlog.append(filed: document(id)) }
        #expect(backlog.isOverflowing && backlog.contains("any"))
        for id in ["1", "2"] {
            let taken = backlog.take(of: "T", most: 9, at: now)
            let task = try #require(taken)
            #expect(task.document.id == id)
            backlog.remove(task)
        }
        #expect(backlog.take(of: "T", most: 9, at: now)?.document.id == nil)
        backlog.resume(tries: ["3": 2])
        for _ in 0..<2 { backlog.append(found: [document("3")]) }
        #expect(!backlog.isOverflowing && backlog.contains("3") && !backlog.contains("any"))
        let again = backlog.take(of: "T", most: 9, at: now)
        #expect(again?.tries == 2 && again?.hasOutlivedRun == true, "the try that was interrupted counts")
        #expect(backlog.take(of: "T", most: 9, at: now)?.document.id == nil)
    }

    @Test(
        "What is filed while the history is searched follows what is found; what there was no room for is searched for")
    func late() throws {
        var backlog = HandlerBacklog(most: 2)
        func take() -> [String] {
            var taken: [String] = []
            while let task = backlog.take(of: "T", most: 9, at: now) {
                backlog.remove(task)
                taken.append(task.document.id)
            }
            return taken
        }
        backlog.resume(tries: [:])
        backlog.append(filed: document("2"))
        #expect(backlog.contains("2") && take().isEmpty)
        backlog.beginSearch()
        backlog.append(found: [document("1")])
        #expect(!backlog.isOverflowing && take() == ["1", "2"])
        for id in ["3", "4", "5"] { backlog.append(filed: document(id)) }
        #expect(take() == ["3", "4"])
        backlog.beginSearch()
        for id in ["6", "7", "8"] { backlog.append(filed: document(id)) }
        backlog.append(found: [document("5")])
        #expect(backlog.isOverflowing && take() == ["5", "6"], "there was no room for 7 and 8")
        backlog.beginSearch()
        backlog.append(filed: document("9"))
        backlog.append(found: [document("7"), document("8")])
        #expect(backlog.isOverflowing && take() == ["7", "8"])
        backlog.beginSearch()
        backlog.append(found: [document("9")])
        #expect(!backlog.isOverflowing && take() == ["9"])
    }

    @Test("One owner's documents beyond the limit are left to the history while others' go on, for a while")
    func shares() throws {
        var backlog = HandlerBacklog(most: 2)
        func take() -> [String] {
            var taken: [String] = []
            while let task = backlog.take(of: "T", most: 9, at: now) {
                backlog.remove(task)
                taken.append(task.document.id)
            }
            return taken
        }
        for id in ["a1", "a2", "a3"] { backlog.append(filed: document(id, of: 1)) }
        backlog.append(filed: document("b1", of: 2))
        #expect(backlog.isOverflowing && take() == ["a1", "b1", "a2"])
        for id in ["a4", "b2", "b3"] { backlog.append(filed: document(id, of: id.hasPrefix("a") ? 1 : 2)) }
        #expect(take() == ["b2"], "a3 and b3 could wait for ever")
        backlog.beginSearch()
        for id in ["a5", "b4", "c1"] {
            backlog.append(filed: document(id, of: id.hasPrefix("a") ? 1 : id.hasPrefix("b") ? 2 : 3))
        }
        #expect(take() == ["c1"])
        backlog.append(found: [document("a3", of: 1), document("a4", of: 1), document("b3", of: 2)], full: [])
        #expect(backlog.isOverflowing && take() == ["a3", "b3", "a4", "b4"], "there was no room for a5")
        backlog.beginSearch()
        backlog.append(found: [document("a5", of: 1)])
        #expect(!backlog.isOverflowing && take() == ["a5"])
    }

    @Test("What one owner has found more of in the history is not overtaken by what the owner files later")
    func foundMore() throws {
        var backlog = HandlerBacklog(most: 2)
        backlog.resume(tries: [:])
        for owner in [1, 2] as [UInt32] { backlog.append(filed: document("late \(owner)", of: owner)) }
        backlog.append(found: [document("1"), document("2")], full: [1])
        backlog.append(filed: document("later"))
        backlog.append(filed: document("late 2", of: 2))
        var taken: [String] = []
        while let task = backlog.take(of: "T", most: 9, at: now) { taken.append(task.document.id) }
        #expect(backlog.isOverflowing && taken == ["1", "late 2", "2"])
    }

    @Test("What has no handler any more is dropped, while what runs is still counted")
    func drop() throws {
        var backlog = HandlerBacklog(most: 9)
        for id in ["1", "2", "3"] { backlog.append(filed: document(id)) }
        let taken = backlog.take(of: "T", most: 1, at: now)
        let task = try #require(taken)
        backlog.begin(task)
        #expect(backlog.drop("T") == 2)
        #expect(backlog.drop("T") == 0)
        #expect(backlog.contains("1") && !backlog.contains("2"))
        backlog.append(filed: document("4"))
        #expect(backlog.take(of: "T", most: 1, at: now)?.document.id == nil)
        backlog.end(task)
        #expect(backlog.take(of: "T", most: 1, at: now)?.document.id == "4")
    }

    /// A document that waits, by its path in Documents.
    private func task(_ name: String) -> HandlerQueue.Task {
        HandlerQueue.Task(
            document: HandledDocument(
                id: name, path: BytePath("/d/\(name)"), source: BytePath("/i"), type: "t.t", mime: nil, size: 0,
                documentType: "T", owner: 1))
    }

    private func expectNew(_ isNew: Bool) { #expect(isNew) }

    @Test(
        "Of those in a folder that cannot be reached one is tried now and then; the others follow once it was")
    func unreachable() throws {
        let later = { (seconds: Int64) in self.now + .seconds(seconds) }
        var queue = HandlerQueue()
        for name in ["far/1", "far/2", "far/in/3", "4", "far/5"] { queue.append(task(name)) }
        func take(at now: Instant) -> String? { queue.take(at: now)?.document.id }
        #expect(take(at: now) == "far/1")
        expectNew(queue.wait(task("far/1"), for: BytePath("/d/far"), "why", at: now))
        #expect(take(at: now) == "4" && take(at: now) == nil)
        #expect(queue.count == 4 && !queue.hasReady && queue.obstacle(of: task("far/5").document) == "why")
        #expect(queue.nextDeadline == later(10) && !queue.hasDue(at: later(9)))
        // Each in its turn: one may lie on a server of its own.
        for (round, name) in [(Int64(1), "far/1"), (2, "far/2"), (3, "far/in/3")] {
            #expect(take(at: later(round * 10)) == name && take(at: later(round * 10)) == nil)
            let isNew = queue.wait(task(name), for: BytePath("/d/far"), "why", at: later(round * 10))
            #expect(!isNew, "it would be reported again")
        }
        #expect(take(at: later(40)) == "far/5")
        queue.reach(task("far/5").document)
        #expect(take(at: later(40)) == "far/1" && take(at: later(40)) == "far/2")
        #expect(take(at: later(40)) == "far/in/3")
        expectNew(queue.wait(task("far/in/3"), for: BytePath("/d/far/in"), "other", at: later(40)))
        queue.append(task("far/6"))
        #expect(take(at: later(40)) == "far/6" && take(at: later(40)) == nil, "it is beside that folder")
        expectNew(queue.wait(task("far/6"), for: BytePath("/d/far"), "why", at: later(40)))
        #expect(take(at: later(50)) != nil && take(at: later(50)) != nil && take(at: later(50)) == nil)
    }

    @Test(
        "What waits for an inner folder waits for the outer one where that cannot be reached, and is tried again")
    func unreachableAround() throws {
        var queue = HandlerQueue()
        for name in ["in/1", "in/2"] { queue.append(task(name)) }
        _ = queue.take(at: now)
        expectNew(queue.wait(task("in/1"), for: BytePath("/d/in"), "inner", at: now))
        #expect(queue.take(at: now)?.document.id == nil)
        let later = now + .seconds(10)
        #expect(queue.take(at: later)?.document.id == "in/1")
        expectNew(queue.wait(task("in/1"), for: BytePath("/d"), "outer", at: later))
        #expect(queue.take(at: later)?.document.id == nil)
        #expect(queue.count == 2)
        #expect(queue.obstacle(of: task("in/2").document) == "outer")
        #expect(queue.take(at: later + .seconds(10))?.document.id == "in/1")
        queue.reach(task("in/1").document)
        #expect(queue.take(at: later + .seconds(10))?.document.id == "in/2")
        #expect(queue.count == 0)
    }

    @Test(
        "A try that still looks for its document keeps no end waiting and starts nothing then; one that was begun does")
    func ending() throws {
        var running = try RunningHandlers()
        let searching = ProgramControl()
        running.insert(HandlerQueue.Task(document: document("1")), searching)
        #expect(!running.haveEnded)
        running.end()
        #expect(running.haveEnded && !searching.leaveSearch())
        var others = try RunningHandlers()
        let begun = ProgramControl()
        others.insert(HandlerQueue.Task(document: document("2")), begun)
        #expect(begun.leaveSearch())
        others.end()
        #expect(!others.haveEnded && begun.isAbandoned)
        #expect(others.remove("2", begun)?.document.id == "2")
        #expect(others.haveEnded)
    }

    @Test(
        "A try is given up that looks for its document where a server is silent, and its late end is not another one's")
    func givenUp() throws {
        var running = try RunningHandlers()
        let controls = ["1", "2", "3"].map { _ in ProgramControl() }
        for (id, control) in zip(["1", "2", "3"], controls) {
            running.insert(HandlerQueue.Task(document: document(id)), control)
        }
        #expect(controls[1].leaveSearch())
        let over = running.giveUp { $0.id == "3" ? nil : BytePath("/mount") }
        #expect(over.map(\.task.document.id) == ["1"] && !controls[0].leaveSearch())
        running.insert(HandlerQueue.Task(document: document("1"), tries: 1), ProgramControl())
        #expect(running.remove("1", controls[0])?.tries == nil)
        #expect(running.task("1")?.tries == 1 && running.task("2") != nil && running.task("3") != nil)
    }

    @Test("The history is searched from where all is handled, and the mark moves when nothing is found")
    func handled() throws {
        func mark(_ size: Int64) -> History.Mark { History.Mark(file: 1, size: size) }
        var handled = HandledHistory()
        #expect(handled.nextSearch(to: mark(5))?.end == nil)
        handled.resume(at: mark(5), upTo: nil)
        #expect(handled.isOpen)
        let next = handled.nextSearch(to: mark(9))
        let search = try #require(next)
        #expect(search.start == mark(5) && search.end == mark(9) && !search.isMarking)
        handled.note(begun: search)
        handled.note(foundNothing: false, upTo: mark(9))
        #expect(handled.nextSearch(to: mark(9))?.start == mark(5), "what was found may not have ended yet")
        handled.note(foundNothing: true, upTo: mark(9))
        #expect(handled.nextSearch(to: mark(9))?.end == nil)
        #expect(!handled.isOpen)
        handled.noteHandled()
        #expect(handled.nextSearch(to: mark(12))?.isMarking == true)
    }
}
