import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite("Documents that were put back")
struct UndoneTests {
    private static func id(_ seconds: Int64) -> RecordID {
        var source = RecordID.Source()
        return source.next(at: Timestamp(seconds: seconds, nanoseconds: 0))
    }

    private static func identity(_ inode: UInt64, size: UInt64 = 3) -> FileIdentity {
        FileIdentity(
            file: FileKey(device: 1, inode: inode, birth: Timestamp(seconds: 5, nanoseconds: 6)), size: size,
            modified: Timestamp(seconds: 7, nanoseconds: 8))
    }

    private static let arrival = ArrivalID(number: 1)

    private static func document(_ number: UInt64, hasLastingInode: Bool = true) -> UndoneDocument {
        UndoneDocument(
            undo: id(Int64(number)), path: BytePath("/d/Inbox/\(number)\n"), identity: identity(number),
            hasLastingInode: hasLastingInode, user: 7)
    }

    @Test("The file has what is held across restarts, whatever a crash has torn, and goes with the last one")
    func file() throws {
        let folder = try TemporaryFolder()
        let state = OpenFolder(try folder.open())
        let file = try UndoneFile(in: state)
        #expect(access(folder.path + "/undone", F_OK) != 0)
        let (one, two) = (Self.document(1), Self.document(2, hasLastingInode: false))
        try file.hold(one)
        try file.hold(two)
        #expect(Set(try UndoneFile(in: state).documents) == [one, two])
        try state.directory.appendingFile(try #require(FileName("undone"))).write(Array("{\"ended\":".utf8))
        let again = try UndoneFile(in: state)
        try again.end([one.undo, Self.id(99)])
        #expect(try UndoneFile(in: state).documents == [two])
        try again.end([two.undo])
        #expect(access(folder.path + "/undone", F_OK) != 0)
        #expect(try UndoneFile(in: state).documents.isEmpty)
    }

    @Test("The file does not grow with what has ended, and loses nothing that is held")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let state = OpenFolder(try folder.open())
        let file = try UndoneFile(in: state)
        let kept = Self.document(1)
        try file.hold(kept)
        var largest: UInt64 = 0
        for number in 2...UInt64(UndoneFile.shortestFull) {
            let document = Self.document(number)
            try file.hold(document)
            try file.end([document.undo])
            largest = max(largest, try folder.status("undone").size)
        }
        #expect(try folder.status("undone").size < largest / 2)
        #expect(file.documents == [kept])
        #expect(try UndoneFile(in: state).documents == [kept])
        #expect(access(folder.path + "/undone.new", F_OK) != 0)
    }

    @Test("A user who has many documents held is refused more, and nobody else is")
    func shares() throws {
        let folder = try TemporaryFolder()
        let state = OpenFolder(try folder.open())
        let lines = (1...UInt64(UndoneFile.most)).map { number in
            #"{"undo":"\#(Self.id(Int64(number)).text)","path":"/d/\#(number)","#
                + #""identity":["1","\#(number)","0","3","0"],"user":7}"# + "\n"
        }
        try folder.write("undone", lines.joined())
        let file = try UndoneFile(in: state)
        try #require(file.documents.count == UndoneFile.most)
        #expect(file.counts == [7: UndoneFile.most])
        let stage = try IntakeStage()
        let undoing = Undoing(file, try Journal(in: state), stage.intake)
        #expect(throws: UndoRefusal.self) { try undoing.admit(Self.order(100_001, of: 7)) }
        _ = try undoing.admit(Self.order(100_002, of: 8))
        // Nor while others have as many under way as they may.
        for number in 0..<200 {
            do throws(UndoRefusal) { _ = try undoing.admit(Self.order(200_000 + number, of: 8)) } catch { break }
        }
        #expect(throws: UndoRefusal.self) { try undoing.admit(Self.order(300_001, of: 8)) }
        _ = try undoing.admit(Self.order(300_002, of: 9))
    }

    private static func order(_ number: Int, of user: UInt32) -> UndoOrder {
        UndoOrder(
            id: id(Int64(number)), time: .now(), source: BytePath("/d/Inbox/\(number)"),
            destination: BytePath("/d/\(number)"), size: 1, identity: nil, user: user)
    }

    @Test("Users have equal parts of a limit, and one who has nothing is never refused")
    func parts() {
        #expect(Undoing.exhausted(1, 10, [:]) == nil)
        #expect(Undoing.exhausted(1, 10, [1: 9]) == nil)
        #expect(Undoing.exhausted(1, 10, [1: 10]) == 10)
        #expect(Undoing.exhausted(2, 10, [1: 10]) == nil)
        #expect(Undoing.exhausted(2, 10, [1: 10, 2: 4]) == nil)
        #expect(Undoing.exhausted(2, 10, [1: 10, 2: 5]) == 5)
        let many = Dictionary(uniqueKeysWithValues: (1...50).map { (UInt32($0), 10) })
        #expect(Undoing.exhausted(99, 10, many) == nil && Undoing.exhausted(50, 10, many) == 10)
    }

    #if DEBUG
        @Test("While one document is written down, nobody waits who asks for all, or ends what holds another")
        func slowDisk() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let state = OpenFolder(try folder.open())
                let file = try UndoneFile(in: state)
                let (one, two) = (UndoneTests.document(1), UndoneTests.document(2))
                try file.hold(one)
                let barrier = try Barrier(at: TestPath(folder.path) / "barrier")
                defer { barrier.open() }
                FaultPlan.arm(FaultPlan(at: .nth(1), action: .wait("\(barrier.path)"), only: .fdatasync))
                let holding = try Worker<UndoneDocument, Bool> { document in
                    do throws(SyscallError) { try file.hold(document) } catch { return false }
                    return true
                }
                holding.begin(two)
                try await barrier.reached()
                let asking = try Worker<RecordID, [UndoneDocument]?> { id in
                    do throws(SyscallError) { try file.end([id]) } catch { return nil }
                    return file.documents
                }
                asking.begin(one.undo)
                try await eventually { asking.finished() == [[]] ? nil : "whoever asks waits" }
                barrier.open()
                try await eventually { holding.finished() == [true] ? nil : "the document is not held" }
                #expect(file.documents == [two])
                #expect(try UndoneFile(in: state).documents == [two])
            }
        }
    #endif

    @Test("A document is held as long as it is what it was, under whichever name, and is forgotten once it has changed")
    func holds() {
        let holds = UndoneHolds()
        var released: [RecordID] = []
        holds.released = { released += $0 }
        #expect(holds.isEmpty)
        let document = Self.document(1)
        holds.add(document)
        #expect(holds.holds(Self.identity(1), at: document.path, as: Self.arrival))
        #expect(holds.holds(Self.identity(1), at: BytePath("/d/Inbox/renamed"), as: Self.arrival))
        #expect(!holds.holds(Self.identity(2), at: document.path, as: Self.arrival), "another file under its name")
        #expect(released.isEmpty)
        #expect(!holds.holds(Self.identity(1, size: 4), at: document.path, as: Self.arrival))
        #expect(released == [document.undo] && holds.isEmpty)
    }

    @Test("Where inode numbers do not last, a document is known by its name, size and time")
    func withoutInodes() {
        let holds = UndoneHolds()
        let document = Self.document(1, hasLastingInode: false)
        holds.add(document)
        #expect(holds.holds(Self.identity(77), at: document.path, as: Self.arrival))
        #expect(!holds.holds(Self.identity(77), at: BytePath("/d/Inbox/other"), as: Self.arrival))
    }

    @Test("Another try releases one or all; what is being put back is held, and so is whatever is at its path")
    func release() {
        let holds = UndoneHolds()
        var released: Set<RecordID> = []
        holds.released = { released.formUnion($0) }
        let documents = (1...3).map { Self.document($0) }
        for document in documents { holds.add(document) }
        #expect(holds.holds(Self.identity(1), at: documents[0].path, as: Self.arrival))
        holds.release(Self.arrival)
        #expect(released == [documents[0].undo])
        #expect(!holds.holds(Self.identity(1), at: documents[0].path, as: Self.arrival))
        holds.releaseAll()
        #expect(released == Set(documents.map(\.undo)) && holds.isEmpty)
        let path = BytePath("/d/Inbox/new")
        let moved = BytePath("/d/Inbox/in/another")
        // The second one has the same number on another filesystem.
        let files = [
            Self.identity(9).file, FileKey(device: 2, inode: 9, birth: Timestamp(seconds: 1, nanoseconds: 2)),
        ]
        #expect(holds.setUnderWay(UndoneHolds.UnderWay(paths: [path], files: files)).isEmpty)
        #expect(holds.holds(Self.identity(8), at: path, as: Self.arrival))
        #expect(holds.holds(Self.identity(9), at: moved, as: Self.arrival))
        #expect(!holds.holds(Self.identity(8), at: moved, as: Self.arrival))
        #expect(holds.setUnderWay(UndoneHolds.UnderWay(paths: [], files: [])) == [path])
        #expect(!holds.holds(Self.identity(9), at: path, as: Self.arrival))
    }

    @Test("A document is forgotten when its last name was taken away for long enough, unless it turns up elsewhere")
    func taken() {
        let holds = UndoneHolds()
        var released: [RecordID] = []
        holds.released = { released += $0 }
        let (document, second, now) = (Self.document(1), ArrivalID(number: 2), Instant.now())
        func see(_ name: String, _ id: ArrivalID) {
            #expect(holds.holds(Self.identity(1), at: BytePath("/d/Inbox/\(name)"), as: id))
        }
        holds.add(document)
        see("a", Self.arrival)
        see("b", second)
        holds.left(second, isTaken: true)
        #expect(!holds.hasDeparted, "it has another name")
        holds.left(Self.arrival, isTaken: false)
        #expect(!holds.hasDeparted, "its disk may be absent")
        see("c", Self.arrival)
        holds.left(Self.arrival, isTaken: true)
        #expect(holds.hasDeparted && holds.nextDeparture == .never)
        holds.planDepartures { _ in now }
        #expect(holds.nextDeparture == now)
        see("d", second)
        #expect(!holds.hasDeparted)
        holds.left(second, isTaken: true)
        holds.planDepartures { _ in now }
        holds.forgetDeparted(at: now) { _ in false }
        #expect(released.isEmpty && !holds.hasDeparted, "nothing is known of its Inbox")
        see("e", Self.arrival)
        holds.left(Self.arrival, isTaken: true)
        holds.planDepartures { _ in now }
        holds.forgetDeparted(at: now) { $0 == BytePath("/d/Inbox/e") }
        #expect(released == [document.undo] && holds.isEmpty)
    }

    @Test("Of a user's documents that no arrival is, the oldest are forgotten first")
    func absent() {
        let holds = UndoneHolds()
        var released: Set<RecordID> = []
        holds.released = { released.formUnion($0) }
        let documents = (1...4).map { Self.document($0) }
        for document in documents.shuffled() { holds.add(document) }
        let new = Self.document(5)
        holds.add(new, isNew: true)
        #expect(holds.holds(Self.identity(1), at: documents[0].path, as: Self.arrival))
        holds.forgetAbsent(2, of: 8) { _, _ in true }
        #expect(released.isEmpty)
        holds.forgetAbsent(2, of: 7) { document, _ in document.undo != documents[1].undo }
        #expect(released == [documents[2].undo, documents[3].undo])
        holds.forgetAbsent(2, of: 7) { _, _ in true }
        #expect(released == Set(documents.dropFirst().map(\.undo)), "an event of the new one may be read later")
    }

    @Test("What is gone while its Inbox is absent is still held, and makes room for others once the Inbox is back")
    func absentInbox() throws {
        let stage = try IntakeStage { $0.settle = .seconds(100) }
        let undone = stage.intake.parts.undone
        var released: [RecordID] = []
        undone.released = { released += $0 }
        for name in ["a", "b"] { try stage.drop(name) }
        func hold(_ number: Int64, _ name: String) throws -> RecordID {
            let path = BytePath(stage.folder.path + "/inbox/\(name)")
            let document = UndoneDocument(
                undo: Self.id(number), path: path, identity: try stage.folder.status("inbox/\(name)").identity,
                hasLastingInode: true, user: 7)
            undone.add(document)
            stage.intake.inspectAgain(path, at: stage.moment)
            return document.undo
        }
        let (one, two) = (try hold(1, "a"), try hold(2, "b"))
        #expect(stage.arrivals == ["a": "undone", "b": "undone"])
        stage.rename("inbox", "away")
        stage.intake.inboxes[0].nextVerification = stage.moment.now
        stage.advance(.milliseconds(500))
        stage.advance(.milliseconds(500))
        #expect(stage.arrivals.isEmpty && released.isEmpty)
        stage.intake.forgetAbsent(9, of: 7)
        #expect(released.isEmpty)
        stage.rename("away", "inbox")
        #expect(unlink(stage.folder.path + "/inbox/b") == 0)
        stage.intake.inboxes[0].nextVerification = stage.moment.now
        stage.settle()
        #expect(stage.arrivals == ["a": "undone"])
        stage.advance(.seconds(1))
        #expect(released.isEmpty, "it was not seen to go")
        stage.intake.forgetAbsent(9, of: 7)
        #expect(released == [two])
        #expect(unlink(stage.folder.path + "/inbox/a") == 0)
        stage.event(.deleted, "a")
        stage.proceed()
        #expect(released == [two])
        stage.advance(.seconds(10))
        #expect(released == [two, one])
    }

    @Test("A record is found by how its line begins, among those of other kinds with the same id")
    func lookup() throws {
        let folder = try TemporaryFolder()
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
        let (filed, undo, other) = (Self.id(1), Self.id(2), Self.id(3))
        let record = UndoneRecord(
            id: filed, undo: undo, time: .now(), source: BytePath("/d/Inbox/a"), destination: BytePath("/d/a"),
            type: "public.data", mime: nil, size: 1)
        try history.append(Array("{\"id\":\"\(filed.text)\",\"event\":\"filed\"}\n".utf8), isDurable: false)
        func wanted(_ undo: RecordID) -> History.Wanted {
            History.Wanted(id: undo.text, mark: nil, head: UndoneRecord.head(filed, undo: undo))
        }
        #expect(try history.recorded([wanted(undo)]).isEmpty)
        try history.append(record.line, isDurable: false)
        let plain = History.Wanted(id: filed.text, mark: nil)
        #expect(try history.recorded([wanted(undo), wanted(other), plain]) == [undo.text, filed.text])
    }
}
