import Glibc
import InboxTestSupport
import Testing

extension ServerTests {
    /// mergerfs: several disks as one tree, in which the number of a folder follows from its path.
    @Suite("mergerfs", .enabled(if: Extent.isFull, Comment(rawValue: Extent.reason)))
    struct MergerFSTests {
        static let means = Means.needed(.fuse, .program("mergerfs"))

        /// Without `cache` the kernel remembers the number of before for a second after a rename. Newer versions always number
        /// folders by their path, as `use_ino` has it.
        private static let options: TestPath = "use_ino,inodecalc=hybrid-hash,cache.attr=0,cache.entry=0"

        private func mount(at point: TestPath, _ stage: Stage, _ mounts: Mounts) throws {
            let disks = [stage.root / "disk-1", stage.root / "disk-2"]
            for disk in disks { try Disk.makeFolders(disk) }
            let branches = TestPath("\(disks[0]):\(disks[1])")
            try mounts.serve("mergerfs", ["-f", "-o", Self.options, branches, point], at: point)
        }

        /// Drops a package with a folder in it, and a file; both are there once afterwards, and nothing else is.
        private func expectFiled(from inbox: TestPath, _ stage: Stage) async throws {
            try await stage.dropPackage(in: inbox)
            try Disk.put([1], at: inbox / "letter.txt")
            try await eventually {
                let left = try Disk.names(in: inbox)
                return left.isEmpty ? nil : "\(left) are not filed"
            }
            try await stage.expectFiledRecords(2)
            try await stage.expectLeaves(
                ["letter.txt", "note.rtfd/TXT.rtf", "note.rtfd/in/a.png"], of: stage.documents,
                except: [stage.documents / "Inbox"])
            try await stage.expectNothingStaged(beneath: stage.root)
            try await stage.expectCounters(["waiting": 0, "held": 0, "filed": 2, "seen": 2])
        }

        @Test("A package in it and a file are filed by a rename", means)
        func inside() async throws {
            try await onMounts(in: .servers) { stage, mounts in
                try mount(at: stage.documents, stage, mounts)
                try Disk.makeFolders(stage.inbox)
                try await stage.start()
                try await expectFiled(from: stage.inbox, stage)
            }
        }

        @Test("A package is copied out of it or into it once", means, arguments: [true, false])
        func across(isSource: Bool) async throws {
            try await onMounts(in: .servers) { stage, mounts in
                let inbox = stage.root / "in"
                try mount(at: isSource ? inbox : stage.documents, stage, mounts)
                try stage.useInbox(inbox)
                try await stage.start()
                try await expectFiled(from: inbox, stage)
            }
        }
    }
}
