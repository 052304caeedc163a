import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Handlers that are due, in the journal")
struct DueHandlersTests {
    private let folder: TemporaryFolder
    private let state: OpenFolder
    private var source = RecordID.Source()
    private let mark = HistoryMark(file: 3, size: 4)

    init() throws {
        folder = try TemporaryFolder()
        state = OpenFolder(try folder.open())
    }

    private mutating func due(_ count: Int, of owner: UInt32 = 1, in file: UInt64 = 7) -> [DueHandler] {
        (0..<count).map { number in
            DueHandler(
                id: source.next(at: .now()), at: HistoryMark(file: file, size: Int64(number) * 500), owner: owner)
        }
    }

    private mutating func entry(_ documentType: String?) throws -> JournalEntry {
        try folder.write("a", "a")
        return JournalEntry(
            id: source.next(at: .now()), source: BytePath("/i/a"), status: try folder.status("a"),
            destination: BytePath("/d"), name: try #require(FileName("a")), documentType: documentType)
    }

    @Test("They are read again with their places, owners and tries, and nothing is left once all have ended")
    mutating func read() throws {
        let rows = due(2500) + due(3, of: 2) + due(2, of: 2, in: 8)
        let journal = try Journal(in: state)
        journal.note(due: rows)
        try journal.noteTry(1, of: rows[1].id, at: nil, isDurable: true)
        try journal.noteTry(2, of: rows[1].id, at: mark, isDurable: false)
        try journal.noteTry(1, of: rows[2].id, at: nil, isDurable: false)
        try journal.noteTry(0, of: rows[2].id, at: nil, isDurable: false)
        try journal.endDue([rows[0].id])
        let again = try Journal(in: state)
        #expect(again.due.map(\.id) == rows.dropFirst().map(\.id))
        #expect(again.due.map(\.place) == rows.dropFirst().map(\.place))
        #expect(again.due.map(\.owner) == rows.dropFirst().map(\.owner))
        #expect(again.due.prefix(3).map(\.tries) == [2, 0, 0])
        #expect(again.triedMarks == [rows[1].id: mark])
        #expect(again.takeFoundOwners() == [1, 2] && again.takeFoundOwners().isEmpty)
        try again.endDue(rows.map(\.id))
        #expect(!again.hasDue)
        #expect(try folder.status("journal").size == 0)
    }

    @Test("The journal is written anew when it is long, with those that are still due")
    mutating func replaced() throws {
        let journal = try Journal(in: state, full: 2000)
        let waiting = due(1)
        journal.note(due: waiting)
        try journal.noteTry(3, of: waiting[0].id, at: mark, isDurable: false)
        var largest: UInt64 = 0
        for row in due(200) {
            journal.note(due: [row])
            try journal.noteTry(1, of: row.id, at: mark, isDurable: false)
            try journal.endDue([row.id])
            largest = max(largest, try folder.status("journal").size)
        }
        #expect(largest < 2500)
        #expect(try Journal(in: state).due.map(\.id) == waiting.map(\.id))
        #expect(try Journal(in: state).due.map(\.tries) == [3])
        #expect(try Journal(in: state).triedMarks == [waiting[0].id: mark])
    }

    @Test("Those of some owners are taken in their order, each once, and given back")
    mutating func taken() throws {
        let (first, other, late) = (due(3), due(2, of: 2), due(1))
        let journal = try Journal(in: state)
        journal.note(due: late + other)
        journal.note(due: first)
        var (taken, others) = journal.takeDue([1: 1, 2: 5])
        #expect(taken.map(\.id) == [first[0]].map(\.id) + other.map(\.id) && others == [1])
        (taken, others) = journal.takeDue([1: 5])
        #expect(taken.map(\.id) == [first[1], first[2], late[0]].map(\.id) && others.isEmpty)
        journal.giveBack(taken)
        #expect(journal.takeDue([1: 5, 2: 1]).taken.count == 3)
    }

    @Test("An entry says that a handler is to be due until that is written down, whatever is noted of it later")
    mutating func entries() throws {
        let journal = try Journal(in: state)
        journal.adopt(handlerTypes: ["P"])
        let (handled, other, none) = (try entry("P"), try entry("Q"), try entry(nil))
        try journal.note([handled, other, none], isDurable: false)
        journal.adopt(handlerTypes: ["P", "Q"])
        try journal.note([other], isDurable: false)
        #expect(journal.awaitsHandler(handled.id) && !journal.awaitsHandler(other.id))
        #expect(try Journal(in: state).interrupted.documents.values.filter(\.isHandled).map(\.id) == [handled.id])
        journal.note(due: [DueHandler(id: handled.id, at: HistoryMark(file: 1, size: 0), owner: 1)])
        try journal.endDue([handled.id])
        try journal.note([handled], isDurable: false)
        #expect(!journal.awaitsHandler(handled.id))
        #expect(try !Journal(in: state).interrupted.documents.values.contains(where: \.isHandled))
    }

    @Test("A document whose record was written before the daemon was killed is due at the next start, and once alone")
    mutating func killed() throws {
        let entry = try entry("P")
        var journal = try Journal(in: state)
        journal.adopt(handlerTypes: ["P"])
        let history = try History(in: state, maxSize: 0)
        try history.append(Array("{\"id\":\"0000000000000001\"}\n".utf8), isDurable: false)
        let end = history.mark
        try journal.note([entry], isDurable: true)
        try history.append(Array("{\"id\":\"\(entry.id.text)\",\"event\":\"filed\"}\n".utf8), isDurable: false)
        journal = try Journal(in: state)
        func recover() throws {
            for recovery in try Recovery.shares(in: state, journal, history, documents: "/d", inboxes: ["/i"]) {
                _ = try RecoveryPass(recovery)
            }
        }
        try recover()
        #expect(journal.due.map(\.place) == [end])
        try journal.endDue([entry.id])
        try recover()
        #expect(!journal.hasDue)
    }

    #if DEBUG
        @Test("What cannot be written on a full disk precedes the next line")
        func full() async {
            await #expect(processExitsWith: .success) {
                var test = try DueHandlersTests()
                let journal = try Journal(in: test.state)
                let rows = test.due(2)
                FaultPlan.arm(FaultPlan(at: .every, action: .fail(.noSpace), only: .write, part: "/journal"))
                journal.note(due: [rows[0]])
                #expect(FaultPlan.disarm() == 1)
                #expect(journal.isDue(rows[0].id))
                #expect(try !Journal(in: test.state).hasDue)
                journal.note(due: [rows[1]])
                #expect(try Journal(in: test.state).due.map(\.id) == rows.map(\.id))
            }
        }
    #endif
}
