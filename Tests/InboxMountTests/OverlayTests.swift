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
                try await stage.expectCounters(["seen": 4, "filed": 3, "waiting": 0, "held": 1, "withdrawn": 0])
                #expect(try stage.filedRecords().count == 3)
            }
        }

        @Test(
            "A package of the lower layer, out of which no rename leads, is held as it is, and others are filed",
            Means.needed(.filesystem("overlay")), arguments: layers)
        func folders(_ isOneFilesystem: Bool) async throws {
            try await onOverlay(isOneFilesystem) { stage, _ in
                try await stage.start()
                try await stage.expectListed("note.rtfd", state: "held", reasons: ["permission"])
                #expect(try await stage.arrival("note.rtfd")["detail"]?.string?.contains("no rename leads") == true)
                try await stage.expectFiled(
                    stage.documents / "deep/inner/one.txt", [1], from: stage.inbox / "deep/inner/one.txt")
                // One that is made in the upper layer leaves it by a rename.
                try Disk.makeFolders(stage.documents / "new.rtfd/images")
                for name: TestPath in ["TXT.rtf", "images/a.png"] {
                    try Disk.put(name.bytes, at: stage.documents / "new.rtfd" / name)
                }
                try Disk.move(stage.documents / "new.rtfd", to: stage.inbox / "new.rtfd")
                try await stage.expectFiledRecords(4)
                try await stage.expectLeaves(
                    ["deep/inner/one.txt", "letter.txt", "new.rtfd/TXT.rtf", "new.rtfd/images/a.png", "numbers.csv"],
                    of: stage.documents, except: [stage.inbox])
                #expect(Set(try Disk.leaves(of: stage.inbox / "note.rtfd")) == ["TXT.rtf", "images/a.png"])
                #expect(Disk.text(stage.inbox / "note.rtfd/TXT.rtf") == "{\\rtf1}")
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
                try await stage.expectCounters(["waiting": 0, "held": 1, "filed": 3])
                try await stage.expectNothingStaged(beneath: stage.root)
                let twins = try Disk.leaves(of: stage.root / "elsewhere").filter { "\($0)".contains("-1") }
                #expect(twins.isEmpty)
            }
        }

        @Test(
            "After a kill when the name of a lower document has moved, the next start makes its one record",
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
            _ isOneFilesystem: Bool, settings: [TestPath] = ["Inbox.Settle=0"],
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
                let documents: [(TestPath, [UInt8])] = [
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
