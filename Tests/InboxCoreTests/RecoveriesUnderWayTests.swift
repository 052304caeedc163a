import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

/// A server is played by the source's folder of a stage, and this machine by its target's.
@Suite("Recoveries beside a server", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
final class RecoveriesUnderWayTests {
    private let stage: CopyStage
    private let id: (local: RecordID, served: RecordID)
    private let recoveries = RecoveriesUnderWay()

    init() throws {
        stage = try CopyStage()
        var source = RecordID.Source()
        id = (source.next(at: .now()), source.next(at: .now()))
        try stage.journal.note(
            [try interruptedMove(id.local, in: stage.target), try interruptedMove(id.served, in: stage.source)],
            isDurable: true)
        stage.journal.rest([id.local, id.served])
    }

    private var server: FolderSet { [BytePath(stage.source)] }

    /// The move of a file that is at its destination by now.
    private func interruptedMove(_ id: RecordID, in place: String) throws -> JournalEntry {
        try stage.write(Array("letter".utf8), to: "\(place)/letter.txt")
        let folder = try Directory.open(path: BytePath(place))
        return JournalEntry(
            id: id, source: BytePath("\(place)/in/letter.txt"), status: try stage.status("\(place)/letter.txt"),
            destination: BytePath(place), name: aName("letter.txt"), filesystem: try folder.filesystemMark())
    }

    private func shares(silent: FolderSet = []) throws -> [RecoveriesUnderWay.Numbered] {
        try Recovery.shares(
            in: stage.state, stage.journal, stage.history, documents: stage.target, inboxes: [stage.source],
            servers: server, silent: silent
        ).map { (stage.journal.nextID(), $0) }
    }

    private func begin(silent: FolderSet = []) throws -> RecoveriesUnderWay.Numbered {
        recoveries.begin(try shares(silent: silent))
        return try #require(takeNext())
    }

    private func takeNext() -> RecoveriesUnderWay.Numbered? { recoveries.takeNext() }

    private func end(_ next: RecoveriesUnderWay.Numbered) {
        let isSweepDue = recoveries.end(next.number, next.recovery.perform())
        #expect(!isSweepDue, "no claim has ended, so no staging folder is left")
    }

    private func takeFindings() -> Recovery.Findings? { recoveries.takeFindings(silent: []) }

    private func takeAnswer(silent: FolderSet) -> Bool { recoveries.takeAnswer(silent: silent) }

    private func takeRequests() -> [FilingRequest] { recoveries.takeRequests() }

    @Test("Each has the entries or roots of the same servers, the entries first, and first what is on this machine")
    func division() throws {
        let found = try shares().map(\.recovery.share)
        #expect(found.map(\.servers) == [[], server.paths, [], server.paths])
        #expect(found.map { Array($0.entries.moves.keys) } == [[id.local], [id.served], [], []])
        #expect(found.map(\.roots) == [[], [], [BytePath(stage.target)], [BytePath(stage.source)]])
    }

    @Test("Where the server does not answer its entries stay open, and its documents are not filed anew")
    func silent() throws {
        var next: RecoveriesUnderWay.Numbered? = try begin(silent: server)
        while let (number, recovery) = next {
            end((number, recovery))
            next = takeNext()
        }
        let findings = try #require(takeFindings())
        #expect(findings.records.map(\.id) == [id.local])
        #expect(findings.open.map(\.reason) == ["\(stage.source) does not answer"])
        #expect(Array(stage.journal.interrupted.moves.keys) == [id.served])
        let request = try stage.request("letter.txt")
        #expect(recoveries.hasLeft(request) && !recoveries.contains(request))
        #expect(!takeAnswer(silent: server))
        #expect(takeAnswer(silent: []) && !takeAnswer(silent: []))
    }

    @Test("One that hangs leaves the round, and keeps what it is about until it has ended")
    func hung() throws {
        let local = try begin()
        end(local)
        #expect(takeFindings() == nil, "the others have not begun")
        let served = try #require(takeNext())
        let request = try stage.request("letter.txt")
        recoveries.requests.append(request)
        // The worker has another thread.
        while let next = takeNext() { end(next) }
        let first = try #require(takeFindings())
        #expect(first.records.map(\.id) == [id.local])
        #expect(first.open.map(\.reason) == ["\(stage.source) does not answer"])
        #expect(takeFindings() == nil, "nothing is new")
        #expect(stage.journal.interrupted.subtracting(recoveries.hungShares).isEmpty)
        #expect(takeRequests().isEmpty)
        end(served)
        #expect(takeRequests().map(\.id) == [request.id])
        let last = try #require(takeFindings())
        #expect(last.records.map(\.id) == [id.local, id.served] && last.open.isEmpty)
        #expect(stage.journal.interrupted.isEmpty && recoveries.hungShares.isEmpty)
    }

    @Test("What is known of a root's staging folders stays so until that root has been swept again")
    func stranded() throws {
        let roots = [stage.source, stage.target].map { BytePath($0) }
        func takeStranded() throws -> [BytePath: Set<RecordID>] { try #require(takeFindings()).stranded }
        var next: RecoveriesUnderWay.Numbered? = try begin()
        while let (number, recovery) = next {
            var findings = recovery.perform()
            for root in recovery.share.roots { findings.stranded[root] = [id.local] }
            _ = recoveries.end(number, findings)
            next = takeNext()
        }
        #expect(try takeStranded() == [roots[0]: [id.local], roots[1]: [id.local]])
        // Nothing is called where the server does not answer.
        next = try begin(silent: server)
        while let numbered = next {
            end(numbered)
            next = takeNext()
        }
        #expect(try takeStranded() == [roots[0]: [id.local], roots[1]: []])
    }
}
