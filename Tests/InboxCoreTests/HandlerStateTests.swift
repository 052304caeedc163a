import InboxFiling
import InboxLinux
import Testing

@testable import InboxCore

@Suite("What waits for handlers")
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
        for id in ["1", "2", "3"] { backlog.append(document(id)) }
        for id in ["1", "2"] {
            let taken = backlog.take(of: "T", most: 2, at: now)
            let task = try #require(taken)
            #expect(task.document.id == id)
            backlog["T"].running += 1
        }
        #expect(backlog.take(of: "T", most: 2, at: now)?.document.id == nil)
        #expect(backlog.nextDeadline(of: "T", most: 2) == .never)
        backlog["T"].running -= 1
        #expect(backlog.take(of: "T", most: 2, at: now)?.document.id == "3")
    }

    @Test("Beyond the limit an owner's documents are left to the journal, and read once half of those here have ended")
    func overflow() throws {
        var backlog = HandlerBacklog(most: 4)
        func end() throws {
            let task = backlog.take(of: "T", most: 9, at: now)
            backlog.forget(try #require(task).document.id)
        }
        for id in ["1", "2", "3", "4"] { backlog.append(document(id)) }
        backlog.note(unread: [1])
        try end()
        #expect(backlog.room.isEmpty && backlog.isOverflowing)
        try end()
        #expect(backlog.room == [1: 2])
        backlog.beginReading()
        backlog.note(unread: [1])
        backlog.append(document("5"), tries: 2)
        backlog.append(document("5"))
        backlog.endReading(of: [1], others: [])
        #expect(backlog.isOverflowing, "one was left to the journal while that was read")
        backlog.beginReading()
        backlog.endReading(of: [1], others: [])
        #expect(!backlog.isOverflowing)
        for _ in ["3", "4"] { try end() }
        let last = backlog.take(of: "T", most: 9, at: now)
        #expect(last?.document.id == "5" && last?.tries == 2 && last?.hasOutlivedRun == true)
        #expect(backlog.take(of: "T", most: 9, at: now)?.document.id == nil)
    }

    @Test("All owners together have room for four times as many, and who has fewest is read first")
    func shares() {
        var backlog = HandlerBacklog(most: 4)
        for owner in 1...4 as ClosedRange<UInt32> {
            for number in 1...(owner == 4 ? 2 : 4) { backlog.append(document("\(owner) \(number)", of: owner)) }
        }
        backlog.note(unread: [4, 5])
        #expect(backlog.room == [5: 2])
    }

    @Test("What has no handler any more is dropped, while what runs is still counted")
    func drop() throws {
        var backlog = HandlerBacklog(most: 9)
        for id in ["1", "2", "3"] { backlog.append(document(id)) }
        let taken = backlog.take(of: "T", most: 1, at: now)
        try #require(taken != nil)
        backlog["T"].running += 1
        #expect(backlog.drop("T") == ["2", "3"])
        #expect(backlog.drop("T").isEmpty)
        #expect(backlog.knows("1") && !backlog.knows("2"))
        backlog.append(document("4"))
        #expect(backlog.take(of: "T", most: 1, at: now)?.document.id == nil)
        backlog["T"].running -= 1
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

}
