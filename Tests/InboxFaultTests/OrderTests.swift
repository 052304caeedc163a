import InboxTestSupport
import Testing

/// Power loss, shown by the order of calls: whatever the disk keeps of them, no step is there without the one before.
@Suite("The order of calls")
struct OrderTests {
    /// The ways of one rename.
    static let durable = FaultRow.all.filter {
        // What is checked is filed one by one.
        $0.isDurable && !$0.isClaimed && !$0.isChecked && !$0.name.hasPrefix("package")
    }

    @Test("No name moves before the content and the intent are on the disk", arguments: durable)
    func beforeTheMove(_ row: FaultRow) async throws {
        let (place, trace) = try await undisturbed(row)
        let stage = place.stage
        let intent = try only(trace.happened("fdatasync", "/journal"), "sync of the journal")
        #expect(trace.happened("write", "/journal").contains { $0.isBefore(intent) })
        for drop in row.drops {
            let move = try move(of: drop, in: trace, on: stage)
            #expect(intent.isBefore(move))
            // A link has no content beside its name.
            if drop.isLink { continue }
            let synced = trace.happened("fsync", (stage.inbox / drop.source).traced)
            #expect(synced.contains { $0.isBefore(move) }, "\(move) has no sync of the content before it")
        }
    }

    @Test(
        "No record is written before the folders are on the disk, and no intent goes before the record",
        arguments: durable)
    func beforeTheRecord(_ row: FaultRow) async throws {
        let (place, trace) = try await undisturbed(row)
        let stage = place.stage
        // Full files are rotated between the records of one batch.
        let records = trace.happened("write", "/history.jsonl")
        let syncs = trace.happened("fdatasync", "/history.jsonl")
        #expect(records.count == (row.name == "rotation" ? row.drops.count : 1) && syncs.count == records.count)
        let record = try #require(records.first)
        let recorded = try #require(syncs.last)
        let cleared = try #require(trace.happened("ftruncate", "/journal").last)
        for (record, sync) in zip(records, syncs) { #expect(record.isBefore(sync)) }
        #expect(recorded.isBefore(cleared))
        for drop in row.drops {
            let move = try move(of: drop, in: trace, on: stage)
            var folders = [(stage.inbox / drop.source).parent]
            // Each folder down to the document: a made one is nothing while its name is not on the disk.
            var folder = (stage.documents / drop.destination).parent
            folders.append(folder)
            while folder != stage.documents {
                folder = folder.parent
                let made = row.taken.contains { ($0.parent).ends(with: folder) && $0.parent.components.count > 0 }
                if !made { folders.append(folder) }
            }
            for folder in folders {
                let syncs = trace.happened("fsync", folder.traced)
                #expect(
                    syncs.contains { move.isBefore($0) && $0.isBefore(record) },
                    "\(folder) is not synced before \(record)")
            }
        }
    }

    @Test("Without RENAME_NOREPLACE a claimed source keeps its name there until the other one is on the disk")
    func withoutRename() async throws {
        let row = try FaultRow.named("no RENAME_NOREPLACE")
        let (place, trace) = try await undisturbed(row)
        let stage = place.stage
        for drop in row.drops {
            let source = (stage.inbox / drop.source).traced
            let claims = trace.happened("renameat").filter { $0.subject.hasPrefix(source + " -> ") }
            let claim = try only(claims, "claim")
            let staged = claim.subject.dropFirst(source.count + 4)
            #expect(staged.contains("/.inboxd-") && staged.contains("/source-"))
            let linked = try only(
                trace.happened("linkat", "\(staged) -> \((stage.documents / drop.destination).traced)"), "second name")
            let removed = try only(trace.happened("unlinkat", String(staged)), "removal")
            let synced = trace.happened("fsync", (stage.documents / drop.destination).parent.traced)
            #expect(synced.contains { linked.isBefore($0) && $0.isBefore(removed) })
            #expect(trace.happened("unlinkat", source).isEmpty, "nobody else can put anything under a claimed name")
        }
    }

    @Test("The state folder's names are on the disk before the first intent, and after a rotation")
    func stateFolder() async throws {
        let (_, trace) = try await undisturbed(try FaultRow.named("rotation"))
        let syncs = trace.happened("fsync", "/state")
        let intent = try #require(trace.happened("write", "/journal").first)
        let rotated = try #require(trace.calls.first { $0.name == "renameat2" && $0.mentions("/history-2") })
        #expect(syncs.contains { $0.isBefore(intent) })
        #expect(syncs.contains { rotated.isBefore($0) })
    }

    @Test("Nothing on any way comes before what it depends on is on the disk", arguments: FaultRow.all)
    func proof(_ row: FaultRow) async throws {
        let (stage, trace) = try await undisturbed(row)
        #expect(try OrderProof(stage, [trace]).check() == row.documents.count)
    }

    @Test(
        "Nothing on the way to another filesystem comes before what it depends on is on the disk",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"),
        arguments: FaultRow.across)
    func proofAcross(_ row: FaultRow) async throws {
        let (stage, trace) = try await undisturbed(row)
        #expect(try OrderProof(stage, [trace]).check() == row.documents.count)
    }

    @Test(
        "The proof of the order misses each sync of a copy that is taken out of it",
        .enabled(if: FaultStage.hasOtherFilesystem, "there is no second filesystem that may be written"))
    func proofFails() async throws {
        let (stage, trace) = try await undisturbed(try FaultRow.named("across, conflict and folders"))
        let copying = trace.calls[(trace.firstOfCopying - 1)...]
        let syncs = copying.filter { ["fsync", "fdatasync"].contains($0.name) }
        // The identifier and its folder, the journal twice, three copies, four folders, the record, the three folders that
        // the sources are claimed from, the first of which has the staging folder, with that and three in it that they are
        // claimed into, the notes, and what the sources have left: the staging folder and three more.
        #expect(syncs.count == 24, "\(syncs)")
        for sync in syncs {
            let rest = CallTrace(calls: trace.calls.filter { $0.begin != sync.begin })
            #expect(throws: Failure.self, "\(sync) is not missed") { try OrderProof(stage, [rest]).check() }
        }
    }

    @Test("With Durability=relaxed nothing of a rename is synced")
    func relaxed() async throws {
        let (_, trace) = try await undisturbed(try FaultRow.named("relaxed"))
        let syncs = ["fsync", "fdatasync", "syncfs"].flatMap { trace.happened($0) }
        // The state folder itself, and the identity of the roots at the start.
        let isOfStart = { (call: CallTrace.Call) in
            call.subject.hasSuffix("/state") || call.subject.hasSuffix("/state/places.new")
        }
        #expect(syncs.allSatisfy(isOfStart), "\(syncs)")
    }

    private func undisturbed(_ row: FaultRow) async throws -> (FaultStage, CallTrace) {
        let stage = try FaultStage(row)
        let run = try await stage.run()
        try stage.expectAllFiled()
        return (stage, run.trace)
    }

    /// The call that gave the document its name at the destination.
    private func move(of drop: FaultRow.Drop, in trace: CallTrace, on stage: Stage) throws -> CallTrace.Call {
        let names = "\((stage.inbox / drop.source).traced) -> \((stage.documents / drop.destination).traced)"
        return try only(trace.happened("renameat2", names), "move to \(names)")
    }

    private func only(_ calls: [CallTrace.Call], _ what: String) throws -> CallTrace.Call {
        guard calls.count == 1 else { throw Failure("\(calls.count) calls are a \(what): \(calls)") }
        return calls[0]
    }
}
