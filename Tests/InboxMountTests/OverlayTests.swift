import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// Inbox and Documents on one overlay: what lies in the lower layer is copied up when it is renamed or opened for
    /// writing, and is another file then by device, inode and birth.
    @Suite("Overlays")
    struct OverlayTests {
        /// Whether the layers lie on one filesystem: an overlay numbers its files otherwise where they do not.
        static let layers = [true, false]

        @Test(
            "A document of the lower layer is filed once, with one record", Means.needed(.filesystem("overlay")),
            arguments: layers)
        func file(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem) { stage, _ in
                try await stage.start()
                let (path, source) = (stage.documents / "letter.txt", stage.inbox / "letter.txt")
                try await stage.expectFiled(path, Array("Dear".utf8), from: source)
                try await stage.expectCounters(["seen": 4, "filed": 4, "waiting": 0, "held": 0, "withdrawn": 0])
                #expect(try stage.filedRecords().count == 4)
            }
        }

        @Test(
            "Folders and packages of the lower layer are filed, whole and once", Means.needed(.filesystem("overlay")),
            arguments: layers)
        func folders(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem) { stage, _ in
                try await stage.start()
                let package = stage.documents / "note.rtfd"
                try await eventually { Disk.exists(package / "TXT.rtf") ? nil : "the package is not filed" }
                try await eventually { Disk.exists(stage.inbox / "note.rtfd") ? "it is still there" : nil }
                #expect(try Disk.leaves(of: package) == ["TXT.rtf", "images/a.png"])
                try await stage.expectFiled(
                    stage.documents / "deep/inner/one.txt", [1], from: stage.inbox / "deep/inner/one.txt")
                try await stage.expectFiledRecords(4)
                #expect(!Disk.exists(stage.documents / "note-1.rtfd"))
            }
        }

        @Test(
            "A document of the lower layer that is opened for writing is filed when it is closed",
            Means.needed(.filesystem("overlay")), arguments: layers)
        func writer(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem, settings: ["Inbox.Settle=1s"]) { stage, _ in
                let source = stage.inbox / "letter.txt"
                let descriptor = try Disk.open(source, O_WRONLY | O_APPEND)
                try await stage.start()
                try await stage.expectListed("letter.txt", state: "waiting", reasons: ["writing"])
                try Disk.write(Array(" Sir".utf8), to: descriptor, source)
                close(descriptor)
                try await stage.expectFiled(stage.documents / "letter.txt", Array("Dear Sir".utf8), from: source)
                #expect(!Disk.exists(stage.documents / "letter-1.txt"))
            }
        }

        @Test(
            "A document of the lower layer that is copied to another filesystem leaves nothing behind",
            Means.needed(.filesystem("overlay")), arguments: layers)
        func across(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem) { stage, mounts in
                // Another mount, since a bind of the same overlay answers EXDEV.
                try mounts.memory(at: stage.root / "elsewhere")
                try stage.useInbox(stage.inbox)
                try await stage.start(["--documents", stage.root / "elsewhere"])
                let (path, source) = (stage.root / "elsewhere/letter.txt", stage.inbox / "letter.txt")
                try await stage.expectFiled(path, Array("Dear".utf8), from: source)
                try await stage.expectFiled(
                    stage.root / "elsewhere/numbers.csv", Array("1,2\n".utf8), from: stage.inbox / "numbers.csv")
                try await stage.expectCounters(["waiting": 0, "held": 0])
                let twins = try Disk.leaves(of: stage.root / "elsewhere").filter { "\($0)".contains("-1") }
                #expect(twins.isEmpty)
            }
        }

        @Test(
            "Killed after the name of a lower document has moved, the next start makes its one record",
            Means.needed(.filesystem("overlay")), arguments: layers)
        func crash(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem) { stage, _ in
                try Disk.removeTree(stage.inbox / "note.rtfd")
                stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:KILL"]
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .signal(SIGKILL))
                stage.variables = []
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .status(0))
                try await stage.expectFiled(
                    stage.documents / "letter.txt", Array("Dear".utf8), from: stage.inbox / "letter.txt")
                #expect(try stage.filedRecords().count == 3)
                #expect(try Disk.leaves(of: stage.documents, except: [stage.inbox]).count == 3)
            }
        }

        /// An overlay at Documents, with two documents, a folder and a package in the lower layer's Inbox.
        private func onOverlay(
            _ isOneFilesystem: Bool, settings: [BytePath] = ["Inbox.Settle=0"],
            _ body: (Stage, Mounts) async throws -> Void
        ) async throws {
            try await onMounts(settings: settings) { stage, mounts in
                let layers = stage.root / "layers"
                let lower = layers / "lower"
                try Disk.makeFolders(layers)
                try mounts.memory(at: layers, "size=16m")
                if !isOneFilesystem {
                    try Disk.makeFolders(lower)
                    try mounts.memory(at: lower, "size=16m")
                }
                let documents: [(BytePath, [UInt8])] = [
                    ("letter.txt", Array("Dear".utf8)), ("numbers.csv", Array("1,2\n".utf8)),
                    ("deep/inner/one.txt", [1]),
                    ("note.rtfd/TXT.rtf", Array("{\\rtf1}".utf8)), ("note.rtfd/images/a.png", [2]),
                ]
                for (name, bytes) in documents {
                    try Disk.makeFolders((lower / "Inbox" / name).parent)
                    try Disk.put(bytes, at: lower / "Inbox" / name)
                }
                try mounts.overlay(lower: lower, upper: layers / "upper", work: layers / "work", at: stage.documents)
                try await body(stage, mounts)
            }
        }
    }
}
