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
