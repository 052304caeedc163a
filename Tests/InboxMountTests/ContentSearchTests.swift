import Glibc
import InboxTestSupport
import Testing

extension MountTests {
    /// On FUSE a file may have another inode number after every start of its server.
    @Suite("A copy that is found by its content")
    struct ContentSearchTests {
        static let means = Means.needed(.fuse, .program("bindfs"))
        private static let size = 200_000

        @Test("Of a row of files of its size only the one with its time is read", means)
        func likeliest() async throws {
            try await onUnrecorded { stage in
                stage.variables = ["INBOXD_TRACE=\(stage.root)/trace"]
                try await stage.runDaemon(["--once"])
                let trace = try CallTrace(reading: stage.root / "trace")
                let opened = trace.calls.filter { $0.name == "openat" && $0.mentions("/Documents/scan") }
                #expect(!opened.isEmpty && opened.allSatisfy { $0.subject.hasSuffix("/scan-9.bin") }, "\(opened)")
                try expectOneRecord(stage)
            }
        }

        @Test("Whoever edits that one takes it out of the search, and nothing is taken for it", means)
        func edited() async throws {
            try await onUnrecorded { stage in
                try Disk.put(Self.content(77), at: stage.documents / "scan-9.bin")
                try await stage.runDaemon(["--once"])
                #expect(try Disk.read(stage.documents / "scan-9.bin") == Self.content(77))
                #expect(try Disk.read(stage.documents / "scan-10.bin") == Self.content(99))
                #expect(try stage.filedRecords().count == 1)
            }
        }

        @Test("SIGTERM leaves a comparison that takes long to the next start", means)
        func terminated() async throws {
            try await onUnrecorded { stage in
                try await terminate(stage, at: "pread@/Documents/scan-9.bin:2")
                #expect(try stage.filedRecords().isEmpty)
                try await stage.runDaemon(["--once"])
                try expectOneRecord(stage)
            }
        }

        @Test(
            "A package that got its name is recorded once after a kill, and another one of its size stays",
            means, arguments: [true, false])
        func package(isCopied: Bool) async throws {
            try await onUnrecordedPackage(isCopied: isCopied) { stage, inbox in
                try await stage.runDaemon(["--once"])
                try await expectOnePackage(stage, inbox)
            }
        }

        @Test("SIGTERM leaves the look into such a package to the next start", means, arguments: [true, false])
        func terminatedPackage(isCopied: Bool) async throws {
            try await onUnrecordedPackage(isCopied: isCopied) { stage, inbox in
                try await terminate(stage, at: "getdents64@/Documents/note-1.rtfd:1")
                try await stage.runDaemon(["--once"])
                try await expectOnePackage(stage, inbox)
            }
        }

        /// A package that was copied, or moved over an empty folder, by a daemon that was killed before it could record it;
        /// beside it is another one with its name and its size.
        private func onUnrecordedPackage(
            isCopied: Bool, _ body: (Stage, _ inbox: TestPath) async throws -> Void
        ) async throws {
            try await onMounts(settings: ["Inbox.Settle=0", "Inbox.FolderSettle=0"]) { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree / "Inbox")
                try Disk.makeFolders(tree / "note.rtfd/in")
                try Disk.put([7], at: tree / "note.rtfd/TXT.rtf")
                try Disk.put([7, 7], at: tree / "note.rtfd/in/a.png")
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                let inbox = isCopied ? stage.root / "in" : stage.inbox
                try stage.useInbox(inbox)
                let made = stage.root / "outside/note.rtfd"
                try Disk.makeFolders(made / "in")
                try Disk.put([8], at: made / "TXT.rtf")
                try Disk.put([9, 9], at: made / "in/a.png")
                try Tool.run("cp", "-r", made, inbox / "note.rtfd")
                stage.variables = ["INBOXD_FAULT=renameat2:*:22;write@/history.jsonl:1:KILL"]
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .signal(SIGKILL) && Disk.exists(tree / "note-1.rtfd"))
                stage.variables = []
                try await mounts.unmountWhenIdle(stage.documents)
                // Its top folder has another number.
                try Tool.run("cp", "-a", tree / "note-1.rtfd", tree / "other")
                try Tool.run("rm", "-r", tree / "note-1.rtfd")
                try Disk.move(tree / "other", to: tree / "note-1.rtfd")
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                try await body(stage, inbox)
            }
        }

        private func expectOnePackage(_ stage: Stage, _ inbox: TestPath) async throws {
            #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
            let records = try stage.filedRecords()
            #expect(records.map { $0["destination"]?.string?.hasSuffix("/note-1.rtfd") } == [true], "\(records)")
            let leaves = ["note.rtfd", "note-1.rtfd"].flatMap {
                [TestPath("\($0)/TXT.rtf"), TestPath("\($0)/in/a.png")]
            }
            try await stage.expectLeaves(Set(leaves), of: stage.documents, except: [stage.documents / "Inbox"])
            #expect(try Disk.read(stage.documents / "note-1.rtfd/in/a.png") == [9, 9])
            #expect(try Disk.leaves(of: inbox).isEmpty)
            try await stage.expectNothingStaged(beneath: stage.root)
        }

        /// Starts the daemon, which gets SIGTERM while it makes this call.
        private func terminate(_ stage: Stage, at call: String) async throws {
            let barrier = try Barrier(at: stage.root / "barrier")
            stage.variables = ["INBOXD_FAULT=\(call):WAIT=\(barrier.path)"]
            try await stage.start()
            try await barrier.reached()
            let daemon = try #require(stage.daemon)
            try await daemon.signalAndWait(SIGTERM)
            barrier.open()
            #expect(try await daemon.ended() == .status(0))
            stage.variables = []
        }

        private static func content(_ last: UInt8) -> [UInt8] { [UInt8](repeating: 1, count: size) + [last] }

        /// A row of ten documents, the last of which was copied by a daemon that was killed before it could record it.
        private func onUnrecorded(_ body: (Stage) async throws -> Void) async throws {
            try await onMounts(settings: ["Inbox.Settle=0"]) { stage, mounts in
                let tree = stage.root / "tree"
                try Disk.makeFolders(tree)
                try stage.useInbox(stage.root / "in")
                for number in 0...8 {
                    let name = TestPath(number == 0 ? "scan.bin" : "scan-\(number).bin")
                    try Disk.put(Self.content(UInt8(number)), at: tree / name)
                }
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                try Disk.put(Self.content(99), at: stage.root / "in/scan.bin")
                stage.variables = ["INBOXD_FAULT=write@/history.jsonl:1:KILL"]
                try await stage.runDaemon(["--once"])
                #expect(stage.lastRun?.exit == .signal(SIGKILL) && Disk.exists(tree / "scan-9.bin"))
                stage.variables = []
                try await mounts.unmountWhenIdle(stage.documents)
                // bindfs keeps the numbers of the files beneath.
                try Tool.run("cp", "-p", tree / "scan-9.bin", tree / "other")
                try Disk.move(tree / "other", to: tree / "scan-9.bin")
                try mounts.serve("bindfs", ["-f", tree, stage.documents], at: stage.documents)
                try await body(stage)
                try await stage.expectNothingStaged(beneath: stage.root / "in")
            }
        }

        private func expectOneRecord(_ stage: Stage) throws {
            #expect(stage.lastRun?.exit == .status(0), "\(stage.lastRun?.errors ?? "")")
            let records = try stage.filedRecords()
            #expect(records.map { $0["destination"]?.string?.hasSuffix("/scan-9.bin") } == [true], "\(records)")
            #expect(try Disk.read(stage.documents / "scan-9.bin") == Self.content(99))
            #expect(!Disk.exists(stage.documents / "scan-10.bin"))
            #expect(try Disk.leaves(of: stage.root / "in").isEmpty)
        }
    }
}
