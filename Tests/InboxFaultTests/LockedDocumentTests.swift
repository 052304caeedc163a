import Glibc
import InboxTestSupport
import Testing

/// Documents that somebody has locked with flock(2), which says nothing of whether he writes.
@Suite("Documents that others have locked")
struct LockedDocumentTests {
    private static let locks = [LOCK_SH, LOCK_EX]

    @Test("A lock on a descriptor that only reads holds no document back", arguments: locks)
    func moved(lock: Int32) async throws {
        try await onStage { stage in
            try await stage.start()
            let held = try Self.lock(stage.root / "outside/letter.txt", lock)
            defer { close(held) }
            try Disk.move(stage.root / "outside/letter.txt", to: stage.inbox / "letter.txt")
            try await stage.expectCounters(["seen": 1, "filed": 1])
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter")
            try Self.expectLocked(stage.documents / "letter.txt")
        }
    }

    @Test(
        "Nor does it where the document is copied to another filesystem",
        .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"), arguments: locks)
    func copied(lock: Int32) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(at: [])
            do {
                try await across.start()
                let held = try Self.lock(across.outside / "letter.txt", lock)
                defer { close(held) }
                try Disk.move(across.outside / "letter.txt", to: across.inbox / "letter.txt")
                try await across.stage.expectCounters(["seen": 1, "filed": 1])
                try await across.expect(["letter.txt": Array("a letter".utf8)])
            } catch {
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    /// Makes a document and locks it.
    private static func lock(_ path: TestPath, _ lock: Int32) throws -> Int32 {
        try Disk.put(Array("a letter".utf8), at: path)
        let descriptor = try Disk.open(path, O_RDONLY)
        try Disk.check("flock", path, flock(descriptor, lock | LOCK_NB))
        return descriptor
    }

    /// The lock outlives the move: it is the file's.
    private static func expectLocked(_ path: TestPath) throws {
        let other = try Disk.open(path, O_RDONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
    }
}
