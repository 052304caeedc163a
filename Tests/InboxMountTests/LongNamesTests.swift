import InboxTestSupport
import Testing

extension MountTests {
    /// exFAT, as FAT, NTFS and SMB, allows 255 UTF-16 units: of Chinese that are 765 bytes.
    @Suite("Names of more than 255 bytes")
    struct LongNamesTests {
        static let means = ForeignTests.means
        /// 304 bytes.
        private static let title = TestPath(String(repeating: "文", count: 100) + ".txt")

        private func mountExFAT(at point: TestPath, _ mounts: Mounts) throws {
            let device = try mounts.device("exfat", size: "40M")
            try mounts.serve("mount.exfat-fuse", ["-d", "-o", "umask=022", device, point], at: point)
        }

        /// An Inbox on exFAT, beside Documents on another filesystem.
        private func onInbox(_ body: (Stage, TestPath) async throws -> Void) async throws {
            try await onMounts { stage, mounts in
                let inbox = stage.root / "in"
                try mountExFAT(at: inbox, mounts)
                try stage.useInbox(inbox)
                try await body(stage, inbox)
            }
        }

        @Test("A document is filed under such a name where the destination can hold it, and numbered within 255", means)
        func inside() async throws {
            try await onMounts { stage, mounts in
                try mountExFAT(at: stage.documents, mounts)
                try Disk.makeFolders(stage.inbox)
                try await stage.start()
                try Disk.put([1], at: stage.inbox / Self.title)
                try await stage.expectFiled(stage.documents / Self.title, [1], from: stage.inbox / Self.title)
                let numbered = TestPath(String(repeating: "文", count: 83) + "-1.txt")
                try Disk.put([2], at: stage.inbox / Self.title)
                try await stage.expectFiled(stage.documents / numbered, [2], from: stage.inbox / Self.title)
                try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 2, "seen": 2])
            }
        }

        @Test("Where the destination cannot hold it a document is held, and filed once it was renamed", means)
        func across() async throws {
            try await onInbox { stage, inbox in
                try await stage.start()
                try Disk.put([1], at: inbox / Self.title)
                try await stage.expectListed(Self.title, state: "held", reasons: ["name"])
                let words = try await stage.arrival(Self.title)["detail"]?.string ?? ""
                #expect(words.hasSuffix("rename the document, or its folder"), "\(words)")
                #expect(try Disk.read(inbox / Self.title) == [1])
                try Disk.move(inbox / Self.title, to: inbox / "short.txt")
                try await stage.expectFiled(stage.documents / "short.txt", [1], from: inbox / "short.txt")
                try await stage.expectNothingStaged(beneath: stage.root)
            }
        }

        @Test("A package with such a file in it travels whole or not at all", means)
        func package() async throws {
            try await onInbox { stage, inbox in
                let made = inbox / "note.part"
                for folder in [made, made / Self.title] { try Disk.makeFolders(folder) }
                try Disk.put([1], at: made / "TXT.rtf")
                try Disk.put([2], at: made / Self.title / "inner.png")
                try Disk.move(made, to: inbox / "note.rtfd")
                try await stage.start()
                try await stage.expectListed("note.rtfd", state: "held", reasons: ["name"])
                try await stage.expectLeaves([], of: stage.documents, except: [stage.documents / "Inbox"])
                try await stage.expectLeaves(
                    ["note.rtfd/TXT.rtf", "note.rtfd" / Self.title / "inner.png"], of: inbox)
                #expect(try stage.filedRecords().isEmpty)
                try Disk.move(inbox / "note.rtfd" / Self.title, to: inbox / "note.rtfd/short")
                _ = try await stage.control(["retry"])
                try await stage.expectFiledRecords(1)
                try await stage.expectLeaves(
                    ["note.rtfd/TXT.rtf", "note.rtfd/short/inner.png"], of: stage.documents,
                    except: [stage.documents / "Inbox"])
                try await stage.expectLeaves([], of: inbox)
            }
        }
    }
}
