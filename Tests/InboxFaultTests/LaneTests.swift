import Glibc
import InboxTestSupport
import Testing

/// Small documents have a worker of their own: none waits for a package on the same filesystem. Nor does another user's
/// package or duplicate, for longer than a second.
@Suite("Beside a package that is being filed")
struct LaneTests {
    @Test("A small document is filed while a file of a package is brought to the disk")
    func synced() async throws {
        try await onPackage { stage in
            try stage.moveIn([65], as: "small.txt")
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(stage.documents / "small.txt") == "A")
            #expect(Disk.kind(stage.inbox / "note.rtfd") == .folder)
        }
    }

    @Test(
        "Another user's package is filed while a file of a package is brought to the disk",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func otherUser() async throws {
        try await onPackage { stage in
            try moveInPackage("other.rtfd", of: 4711, stage)
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(stage.documents / "other.rtfd/TXT.rtf") == "a note")
        }
    }

    @Test(
        "Another user's duplicate is discarded while a file of a package is brought to the disk",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func duplicate() async throws {
        try await onPackage(settings: ["Inbox.OnConflict=skip-identical"], filed: 1) { stage in
            try Disk.put([65], at: stage.documents / "letter.txt")
            let letter = stage.root / "outside/letter.txt"
            try Disk.put([65], at: letter)
            try Disk.check("chown", letter, letter.withCString { chown($0, 4711, 4711) })
            try Disk.move(letter, to: stage.inbox / "letter.txt")
            try await stage.expectCounters(["seen": 2, "duplicates": 1, "waiting": 1])
        }
    }

    /// Hands over while a package's file is brought to the disk, and expects of the package that it is filed afterwards,
    /// so many documents with what the body has moved in.
    private func onPackage(
        settings: [TestPath] = [], filed: Int = 2, _ body: (Stage) async throws -> Void
    ) async throws {
        try await onStage(
            stoppedAt: "fsync@/Inbox/note.rtfd:1", settings: ["Inbox.Settle=0"] + settings,
            variables: ["INBOXD_PACKAGE_QUIET=0"]
        ) { stage, barrier in
            try moveInPackage("note.rtfd", of: geteuid(), stage)
            try await barrier.reached()
            try await body(stage)
            barrier.open()
            try await stage.expectCounters(["filed": filed, "waiting": 0])
            #expect(Disk.text(stage.documents / "note.rtfd/TXT.rtf") == "a note")
        }
    }

    private func moveInPackage(_ name: TestPath, of owner: uid_t, _ stage: Stage) throws {
        let package = stage.root / "outside" / name
        try Disk.makeFolder(package)
        try Disk.put(Array("a note".utf8), at: package / "TXT.rtf")
        for path in [package, package / "TXT.rtf"] {
            try Disk.check("chown", path, path.withCString { chown($0, owner, getegid()) })
        }
        try Disk.move(package, to: stage.inbox / name)
    }
}
