import InboxTestSupport
import Testing

/// Power loss, shown by the order of calls: whatever the disk keeps of them, no step is there without the one before.
@Suite("The order of calls")
struct OrderTests {
    static let durable = FaultRow.all.filter {
        !$0.settings.contains("Inbox.Durability=relaxed") && !$0.name.hasPrefix("package")
    }

    @Test("No name moves before the content and the intent are on the disk", arguments: durable)
    func beforeTheMove(_ row: FaultRow) async throws {
        let (stage, trace) = try await undisturbed(row)
        let intent = try only(trace.happened("fdatasync", "/journal"), "sync of the journal")
        let written = try only(trace.happened("write", "/journal"), "write of the journal")
        #expect(written.isBefore(intent))
        for drop in row.drops {
            let move = try move(of: drop, in: trace, on: stage)
            #expect(intent.isBefore(move))
            let synced = trace.happened("syncfs") + trace.happened("fsync", shown(stage.inbox / drop.source))
            #expect(synced.contains { $0.isBefore(move) }, "\(move) has no sync of the content before it")
        }
    }

    @Test(
        "No record is written before the folders are on the disk, and no intent goes before the record",
        arguments: durable)
    func beforeTheRecord(_ row: FaultRow) async throws {
        let (stage, trace) = try await undisturbed(row)
        let record = try only(trace.happened("write", "/history.jsonl"), "write of the history")
        let recorded = try only(trace.happened("fdatasync", "/history.jsonl"), "sync of the history")
        let cleared = try #require(trace.happened("ftruncate", "/journal").last)
        #expect(record.isBefore(recorded))
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
                let syncs = trace.happened("syncfs") + trace.happened("fsync", shown(folder))
                #expect(
                    syncs.contains { move.isBefore($0) && $0.isBefore(record) },
                    "\(folder) is not synced before \(record)")
            }
        }
    }

    @Test("Without RENAME_NOREPLACE the first name goes only when the second is on the disk")
    func withoutRename() async throws {
        let row = try FaultRow.named("no RENAME_NOREPLACE")
        let (stage, trace) = try await undisturbed(row)
        for drop in row.drops {
            let linked = try move(of: drop, in: trace, on: stage)
            let removed = try only(trace.happened("unlinkat", shown(stage.inbox / drop.source)), "removal")
            let synced = trace.happened("fsync", shown((stage.documents / drop.destination).parent))
            #expect(synced.contains { linked.isBefore($0) && $0.isBefore(removed) })
        }
    }

    @Test("The state folder's names are on the disk before the first intent, and after a rotation")
    func stateFolder() async throws {
        let (_, trace) = try await undisturbed(try FaultRow.named("rotation"))
        let syncs = trace.happened("fsync", "/state")
        let intent = try #require(trace.happened("write", "/journal").first)
        let rotated = try #require(trace.calls.first { $0.name == "renameat2" && $0.subject.contains("/history-2") })
        #expect(syncs.contains { $0.isBefore(intent) })
        #expect(syncs.contains { rotated.isBefore($0) })
    }

    @Test("With Durability=relaxed nothing of a rename is synced")
    func relaxed() async throws {
        let (_, trace) = try await undisturbed(try FaultRow.named("relaxed"))
        let syncs = ["fsync", "fdatasync", "syncfs"].flatMap { trace.happened($0) }
        #expect(syncs.allSatisfy { $0.subject.hasSuffix("/state") }, "\(syncs)")
    }

    private func undisturbed(_ row: FaultRow) async throws -> (Stage, CallTrace) {
        let stage = try FaultStage(row)
        let run = try await stage.run()
        try stage.expectAllFiled()
        return (stage.stage, run.trace)
    }

    /// The call that gave the document its name at the destination.
    private func move(of drop: FaultRow.Drop, in trace: CallTrace, on stage: Stage) throws -> CallTrace.Call {
        let names = "\(shown(stage.inbox / drop.source)) -> \(shown(stage.documents / drop.destination))"
        return try only(trace.happened("renameat2", names) + trace.happened("linkat", names), "move to \(names)")
    }

    private func only(_ calls: [CallTrace.Call], _ what: String) throws -> CallTrace.Call {
        guard calls.count == 1 else { throw Failure("\(calls.count) calls are a \(what): \(calls)") }
        return calls[0]
    }

    /// As the trace writes paths: text stays as it is, and a control character is escaped.
    private func shown(_ path: BytePath) -> String {
        String(decoding: path.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\\x0a")
    }
}
