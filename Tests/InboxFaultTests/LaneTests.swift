import Glibc
import InboxTestSupport
import Testing

/// Small documents have a worker of their own: none waits for a package on the same filesystem. Nor does another user's
/// package, for longer than a second.
@Suite("Beside a package that is being filed")
struct LaneTests {
    @Test("A small document is filed while a file of a package is brought to the disk")
    func synced() async throws {
        try await onStage { stage in
            let barrier = try Barrier(at: stage.root / "barrier")
            // Whatever fails, the daemon can end.
            defer { barrier.open() }
            stage.variables = [
                "INBOXD_FAULT=fsync@/Inbox/note.rtfd:1:WAIT=\(barrier.path)", "INBOXD_PACKAGE_QUIET=0",
            ]
            try await stage.start()
            try Disk.makeFolder(stage.root / "outside/note.rtfd")
            try Disk.put(Array("a note".utf8), at: stage.root / "outside/note.rtfd/TXT.rtf")
            try Disk.move(stage.root / "outside/note.rtfd", to: stage.inbox / "note.rtfd")
            try await barrier.reached()
            try stage.moveIn([65], as: "small.txt")
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(stage.documents / "small.txt") == "A")
            #expect(Disk.kind(stage.inbox / "note.rtfd") == .folder)
            barrier.open()
            try await stage.expectCounters(["filed": 2, "waiting": 0])
            #expect(Disk.text(stage.documents / "note.rtfd/TXT.rtf") == "a note")
        }
    }

    @Test(
        "Another user's package is filed while a file of a package is brought to the disk",
        .enabled(if: geteuid() == 0, "only root gives files away"))
    func otherUser() async throws {
        try await onStage { stage in
            let barrier = try Barrier(at: stage.root / "barrier")
            defer { barrier.open() }
            stage.variables = [
                "INBOXD_FAULT=fsync@/Inbox/note.rtfd:1:WAIT=\(barrier.path)", "INBOXD_PACKAGE_QUIET=0",
            ]
            try await stage.start()
            for (name, owner): (TestPath, uid_t) in [("note.rtfd", 0), ("other.rtfd", 4711)] {
                let (package, text) = (stage.root / "outside" / name, stage.root / "outside" / name / "TXT.rtf")
                try Disk.makeFolder(package)
                try Disk.put(Array("a note".utf8), at: text)
                for path in [package, text] {
                    try Disk.check("chown", path, path.withCString { chown($0, owner, owner) })
                }
                try Disk.move(package, to: stage.inbox / name)
                if owner == 0 { try await barrier.reached() }
            }
            try await stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(stage.documents / "other.rtfd/TXT.rtf") == "a note")
            barrier.open()
            try await stage.expectCounters(["filed": 2, "waiting": 0])
        }
    }
}
