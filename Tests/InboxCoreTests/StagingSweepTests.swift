import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite(
    "A staging folder of which the journal knows nothing",
    .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct StagingSweepTests {
    /// Claims documents of these names, and leaves what is half copied there too: the process ends then, and a lock goes with
    /// it.
    /// - Parameter isNoted: whether the notes beside them describe the claims.
    private func interrupt(
        _ stage: CopyStage, _ names: [String], isNoted: Bool = false
    ) throws -> (places: [String], unfinished: String) {
        var identifiers = RecordID.Source()
        let staging = try stage.openStaging()
        var places: [String] = []
        var entries: [JournalEntry] = []
        for name in names {
            try stage.write(Array(name.utf8), to: "\(stage.source)/\(name)")
            let id = identifiers.next(at: .now())
            entries.append(try stage.claim(name, into: staging, id).entry)
            places.append("source-\(id.text)/\(name)")
        }
        var notes = ClaimNotes()
        if isNoted { try notes.note(entries, in: staging, state: stage.staging.place, isDurable: false) }
        let unfinished = "making-\(identifiers.next(at: .now()).text)"
        try staging.folder.directory.makeFolder(aName(unfinished), mode: 0o700)
        try stage.staging.end()
        return (places, unfinished)
    }

    @Test(
        "One document that cannot be moved keeps no other from returning, and is reported by its name",
        .enabled(if: Immutability.obstacle == nil, "\(Immutability.obstacle ?? "")"), arguments: 0..<4)
    func immutable(_ number: Int) throws {
        let stage = try CopyStage()
        let names = (0..<4).map { "\($0).txt" }
        let (places, unfinished) = try interrupt(stage, names)
        let instance = try #require(try stage.names(in: stage.source).first { $0.hasPrefix(".inboxd-") })
        let path = "\(stage.source)/\(instance)/\(places[number])"
        #expect(Immutability.set(path, true))
        let findings = try stage.recover()
        #expect(Immutability.set(path, false))
        let others = names.filter { $0 != names[number] }
        #expect(try stage.names(in: stage.source) == [instance] + others)
        #expect(try !stage.names(in: "\(stage.source)/\(instance)").contains(unfinished))
        #expect(findings.open.count == 1)
        #expect(findings.open.first?.reason.contains(names[number]) == true, "\(findings.open)")
        #expect(findings.notices.count == others.count)
        #expect(try stage.recover().open.isEmpty)
        #expect(try stage.names(in: stage.source) == names)
    }

    @Test(
        "What cannot return counts as held once, whoever looks again, and no more once it has returned",
        .enabled(if: Immutability.obstacle == nil, "\(Immutability.obstacle ?? "")"), arguments: [true, false])
    func counted(isNoted: Bool) throws {
        let stage = try CopyStage()
        let (places, _) = try interrupt(stage, ["1.txt", "2.txt"], isNoted: isNoted)
        let instance = try #require(try stage.names(in: stage.source).first { $0.hasPrefix(".inboxd-") })
        let path = "\(stage.source)/\(instance)/\(places[1])"
        #expect(Immutability.set(path, true))
        var (findings, staged) = (Recovery.Findings(), StagedDocuments())
        for _ in 0..<2 {
            findings.add(try stage.recover())
            staged.take(findings, JournalEntries())
            #expect(staged.stranded == 1)
        }
        #expect(Immutability.set(path, false))
        findings.add(try stage.recover())
        staged.take(findings, JournalEntries())
        #expect(staged.stranded == 0)
        #expect(try stage.names(in: stage.source) == ["1.txt", "2.txt"])
    }

    @Test("One that has its old name too, as btrfs shows a rename after a power cut, keeps that, and gets no other")
    func bothNames() throws {
        let stage = try CopyStage()
        let (places, _) = try interrupt(stage, ["letter.txt"])
        let instance = try #require(try stage.names(in: stage.source).first { $0.hasPrefix(".inboxd-") })
        let letter = "\(stage.source)/letter.txt"
        try #require(link("\(stage.source)/\(instance)/\(places[0])", letter) == 0)
        _ = try stage.recover()
        #expect(try stage.names(in: stage.source) == ["letter.txt"])
        #expect(try stage.status(letter).links == 1)
    }

    @Test("What is none of its own keeps no document from returning")
    func strange() throws {
        let stage = try CopyStage()
        let names = (0..<4).map { "\($0).txt" }
        let (_, unfinished) = try interrupt(stage, names)
        let instance = try #require(try stage.names(in: stage.source).first { $0.hasPrefix(".inboxd-") })
        let staging = "\(stage.source)/\(instance)"
        var identifiers = RecordID.Source()
        let strange = [unfinished] + (0..<4).map { _ in "making-\(identifiers.next(at: .now()).text)" }
        try #require(rmdir("\(staging)/\(unfinished)") == 0 || errno == ENOENT)
        for name in strange { try stage.write([], to: "\(staging)/\(name)") }
        let findings = try stage.recover()
        #expect(try stage.names(in: stage.source) == [instance] + names)
        #expect(findings.open.count == strange.count)
        #expect(findings.open.allSatisfy { $0.reason.contains("cannot be removed") }, "\(findings.open)")
    }
}
