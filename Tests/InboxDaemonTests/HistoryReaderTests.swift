import InboxLinux
import InboxTestSupport
import InboxVarlink
import Synchronization
import Testing

@testable import InboxCore
@testable import InboxDaemon

@Suite("Searches of the history through the daemon")
struct HistoryReaderTests {
    /// Shows by its end that nobody keeps the search that has it.
    private final class Witness: Sendable {}

    /// Which searches have read a line, one entry for each that followed another.
    private final class Course: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func note(_ name: String) {
            names.withLock { if $0.last != name { $0.append(name) } }
        }
    }

    /// Holds up whoever reads a line, until it is open.
    private final class Hold: Sendable {
        private let reached: Bell
        private let gate: Bell
        private let isOpen = Mutex(false)

        init() throws(SyscallError) {
            reached = try Bell()
            gate = try Bell()
        }

        func wait() {
            reached.ring()
            while !isOpen.withLock({ $0 }) { gate.awaitRing(until: .never) }
        }

        func awaitReached() { reached.awaitRing(until: .never) }

        func open() {
            isOpen.withLock { $0 = true }
            gate.ring()
        }
    }

    private static let (alice, bob): (UInt32, UInt32) = (1001, 1002)
    private let folder: TemporaryFolder
    private let pool: FairPool
    private let reader: HistoryReader

    init() throws {
        folder = try TemporaryFolder()
        pool = try FairPool()
        reader = HistoryReader(in: pool)
    }

    private func write(_ count: Int, padding: Int = 0) throws {
        let padding = String(repeating: "x", count: padding)
        let lines = (0..<count).map { "{\"id\":\"\($0)\",\"event\":\"filed\",\"destination\":\"/d/\(padding)\"}\n" }
        try folder.write("history.jsonl", lines.joined())
    }

    /// A search that asks this of each line.
    private func search(_ user: UInt32, _ isVisible: @escaping @Sendable () -> Bool) -> () -> HistoryPart {
        reader.records(query(isVisible), for: user, in: folder.bytePath())
    }

    private func query(_ isVisible: @escaping @Sendable () -> Bool) -> HistoryQuery {
        var query = HistoryQuery()
        query.isVisible = { _ in isVisible() }
        return query
    }

    /// Begins the step whose turn it is, and takes what the pool has found, once there is something.
    private func turn() throws {
        reader.proceed(at: .now())
        pool.awaitFinished(until: .never)
        try pool.takeFinished()
    }

    /// Goes on until this search has ended, and gives the others their turns as the loop does; how many records it found.
    private func end(_ search: () -> HistoryPart, beside others: [() -> HistoryPart] = []) throws -> Int {
        var count = 0
        while true {
            switch search() {
            case .record: count += 1
            case .end: return count
            case .failed(let error): throw error
            case .notYet:
                try turn()
                for other in others { _ = other() }
            }
        }
    }

    /// A search of Alice's whose second step waits there.
    private func hangingSearch(_ hold: Hold) throws -> () -> HistoryPart {
        let search = search(Self.alice) {
            hold.wait()
            return true
        }
        _ = search()
        try turn()
        _ = search()
        reader.proceed(at: .now())
        hold.awaitReached()
        return search
    }

    @Test("Between two steps of a search another user has one step at most, however many searches he has")
    func turns() throws {
        try write(60_000)
        let course = Course()
        let many = (0..<8).map { number in
            search(Self.alice) {
                course.note("alice \(number)")
                return false
            }
        }
        for search in many { _ = search() }
        let one = search(Self.bob) {
            course.note("bob")
            return false
        }
        #expect(try end(one, beside: many) == 0)
        let parts = course.all.split(separator: "bob", omittingEmptySubsequences: false)
        #expect(parts.count > 5)
        #expect(parts.allSatisfy { $0.count <= 1 }, "\(course.all)")
        #expect(Set(course.all).count > 5, "the searches of one user take turns: \(course.all)")
    }

    @Test("A step ends after a few milliseconds, and the next one goes on where it ended")
    func time() throws {
        try write(10)
        let count = Mutex(0)
        var work: HistoryJob.Work? = .open(
            folder.bytePath(),
            query {
                count.withLock { $0 += 1 }
                let end = Instant.now() + .milliseconds(4)
                while .now() < end {}
                return true
            })
        var found: [String?] = []
        while let next = work.take() {
            let before = count.withLock { $0 }
            let outcome = HistoryJob(work: next).perform()
            #expect(count.withLock { $0 } - before <= 2)
            found += outcome.records.map { $0["id"]?.string }
            work = outcome.next
        }
        #expect(found == (0..<10).map { "\($0)" })
    }

    @Test("A step finds few records that are long, since they wait for their client")
    func size() throws {
        try write(40, padding: 40_000)
        var work: HistoryJob.Work? = .open(folder.bytePath(), HistoryQuery())
        var count = 0
        while let next = work.take() {
            let outcome = HistoryJob(work: next).perform()
            #expect(outcome.records.count <= 7)
            count += outcome.records.count
            work = outcome.next
        }
        #expect(count == 40)
    }

    @Test("A search whose client has left takes no further step, and nothing of it stays")
    func left() throws {
        try write(10)
        let (hold, course) = (try Hold(), Course())
        var first: (() -> HistoryPart)? = try hangingSearch(hold)
        weak var witness: Witness?
        var others: [() -> HistoryPart] = []
        do {
            let shared = Witness()
            witness = shared
            others = (0..<50).map { number in
                search([Self.alice, Self.bob][number % 2]) { [shared] in
                    course.note("\(shared)")
                    return false
                }
            }
        }
        for other in others { _ = other() }
        #expect(reader.waitingCount == 50 && witness != nil)
        others = []
        #expect(reader.waitingCount == 0 && witness == nil)
        let last = search(Self.bob) { true }
        _ = last()
        #expect(first?() != nil)
        first = nil
        hold.open()
        #expect(try end(last) == 10)
        #expect(course.all.isEmpty)
    }

    @Test("A search that nobody asks for a record, as for a call without a reply, leaves nothing behind")
    func unasked() throws {
        try write(10)
        weak var witness: Witness?
        do {
            let own = Witness()
            witness = own
            _ = search(Self.alice) { [own] in own === own }
        }
        #expect(reader.waitingCount == 0 && witness == nil)
    }

    @Test("Who has a step that hangs waits for it with all that he searches for, and keeps nobody else waiting")
    func hung() throws {
        try write(1)
        let hold = try Hold()
        let hanging = [try hangingSearch(hold)] + (0..<20).map { _ in search(Self.alice) { true } }
        for search in hanging { _ = search() }
        // Nobody else waits: there is no need for another thread.
        #expect(reader.nextDeadline == .never)
        let one = search(Self.bob) { true }
        _ = one()
        #expect(reader.nextDeadline <= .now() + .seconds(1))
        reader.proceed(at: .now())
        #expect(reader.waitingCount == 21)
        reader.proceed(at: reader.nextDeadline)
        #expect(reader.waitingCount == 20 && reader.lane.uncountedCount == 1)
        #expect(try end(one) == 1)
        reader.proceed(at: .now() + .seconds(60))
        #expect(reader.waitingCount == 20 && reader.lane.uncountedCount == 1)
        hold.open()
        for search in hanging { #expect(try end(search) == 1) }
    }
}
