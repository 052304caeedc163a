import Glibc
import InboxTestSupport
import Testing

/// Filesystems without `RENAME_NOREPLACE`, where a claimed document gets a second name before its first one goes.
@Suite("Second names")
struct SecondNameTests {
    /// The daemon stops when the second name is there, before the first one goes: the content was synced beneath
    /// Documents before and after the claim, the next sync there is that of the destination.
    private static let plan = "renameat2:*:22;fsync@/Documents:3:STOP"

    private func stopped(_ body: (Stage) throws -> Void, then: (Stage) async throws -> Void) async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=\(Self.plan)"]
            try await stage.start()
            try Disk.put(Array("a letter".utf8), at: stage.root / "outside/letter.txt")
            try Disk.move(stage.root / "outside/letter.txt", to: stage.inbox / "letter.txt")
            try await eventually { try stage.isStopped ? nil : "the daemon does not stop" }
            let staged = try Disk.leaves(of: stage.documents, except: [stage.inbox]).filter {
                $0.staging != nil && $0.ends(with: "letter.txt")
            }
            try #require(staged.count == 1)
            #expect(try Disk.inode(stage.documents / "letter.txt") == Disk.inode(stage.documents / staged[0]))
            #expect(!Disk.exists(stage.inbox / "letter.txt"))
            try body(stage)
            stage.daemon?.signal(SIGCONT)
            try await then(stage)
            try await eventually {
                let left = try Disk.leaves(of: stage.documents, except: [stage.inbox]).filter { $0.staging != nil }
                return left.isEmpty ? nil : "\(left) are left"
            }
        }
    }

    @Test("What somebody puts over the second name while the first one goes is theirs, and stays")
    func replaced() async throws {
        try await stopped { stage in
            try Disk.put(Array("another's".utf8), at: stage.root / "outside/other")
            try Disk.move(stage.root / "outside/other", to: stage.documents / "letter.txt")
        } then: { stage in
            // The document was at its place when they replaced it.
            try await stage.expectCounters(["seen": 1, "withdrawn": 0, "filed": 1])
            #expect(Disk.text(stage.documents / "letter.txt") == "another's")
            #expect(!Disk.exists(stage.inbox / "letter.txt"))
        }
    }

    @Test("Its owner can neither remove nor rename its first name at that moment: its only name stays")
    func lastName() async throws {
        try await stopped { stage in
            let name = stage.inbox / "letter.txt"
            let other = stage.inbox / "post.txt"
            #expect(errorNumber { name.withCString { unlink($0) } } == ENOENT)
            #expect(errorNumber { name.withCString { from in other.withCString { rename(from, $0) } } } == ENOENT)
        } then: { stage in
            try await stage.expectCounters(["seen": 1, "filed": 1])
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter")
            try await stage.expectFiledRecords(1)
        }
    }

    @Test("What somebody puts under the first name at that moment is another document, and is filed too")
    func overwritten() async throws {
        try await stopped { stage in
            try Disk.put(Array("a new letter".utf8), at: stage.root / "outside/new")
            try Disk.move(stage.root / "outside/new", to: stage.inbox / "letter.txt")
        } then: { stage in
            try await eventually {
                Disk.text(stage.documents / "letter-1.txt") == "a new letter" ? nil : "the new letter is not filed"
            }
            #expect(Disk.text(stage.documents / "letter.txt") == "a letter")
            try await stage.expectFiledRecords(2)
        }
    }

    @Test(
        "A document whose second name somebody changes at that moment is theirs, is never taken back, and is not lost")
    func renamed() async throws {
        try await stopped { stage in
            try Disk.move(stage.documents / "letter.txt", to: stage.documents / "post.txt")
        } then: { stage in
            try await stage.expectCounters(["seen": 1, "filed": 1, "waiting": 0])
            #expect(Disk.text(stage.documents / "post.txt") == "a letter")
            #expect(!Disk.exists(stage.documents / "letter.txt"))
            #expect(!Disk.exists(stage.inbox / "letter.txt"))
            try await stage.expectFiledRecords(1)
        }
    }
}

/// The same for packages, which cannot have two names: a rename over an empty folder, which some servers refuse.
@Suite("Renames over an empty folder")
struct EmptyFolderTests {
    private func drop(failing plan: String, then: (Stage) async throws -> Void) async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=renameat2:*:22;\(plan)"]
            try await stage.start()
            try Disk.makeFolders(stage.root / "outside/note.rtfd")
            try Disk.put([1], at: stage.root / "outside/note.rtfd/TXT.rtf")
            try Disk.move(stage.root / "outside/note.rtfd", to: stage.inbox / "note.rtfd")
            try await then(stage)
        }
    }

    @Test("Where such a rename finds the name taken, though the folder is empty, the package gets the free name")
    func taken() async throws {
        try await drop(failing: "renameat@/Documents/note.rtfd:1:17") { stage in
            try await stage.expectFiledRecords(1)
            #expect(try Disk.read(stage.documents / "note.rtfd/TXT.rtf") == [1])
            #expect(try Disk.names(in: stage.documents).filter { "\($0)".hasSuffix(".rtfd") } == ["note.rtfd"])
        }
    }

    @Test("Where every rename does, the package is tried again, and no empty folders are left")
    func always() async throws {
        try await drop(failing: "renameat@/Documents/note:*:17") { stage in
            try await stage.expectListed("note.rtfd", state: "waiting", reasons: ["retrying"])
            #expect(try Disk.read(stage.inbox / "note.rtfd/TXT.rtf") == [1])
            #expect(try Disk.names(in: stage.documents).filter { "\($0)".hasSuffix(".rtfd") }.isEmpty)
            #expect(try stage.filedRecords().isEmpty)
        }
    }
}

/// A state folder on such a filesystem.
@Suite("Rotation without RENAME_NOREPLACE")
struct LinkedRotationTests {
    @Test("A history that is full is begun anew")
    func rotation() async throws {
        let stage = try FaultStage(try FaultRow.named("rotation without RENAME_NOREPLACE"))
        let run = try await stage.run()
        #expect(run.exit == .status(0) && !run.errors.contains("cannot begin a new history"), "\(run.errors)")
        try stage.expectAllFiled()
        let names = try Disk.names(in: stage.stage.state)
        #expect(names.contains { "\($0)".hasPrefix("history-2") }, "\(names)")
    }

    @Test(
        "A document that the daemon may not read gets its place all the same, a number where its name is taken",
        .enabled(if: geteuid() != 0, "root may read everything"))
    func unreadable() async throws {
        try await onStage { stage in
            stage.variables = ["INBOXD_FAULT=renameat2:*:22"]
            try await stage.start()
            try Disk.put([1], at: stage.documents / "letter.txt")
            try Disk.put([2], at: stage.root / "outside/letter.txt")
            _ = (stage.root / "outside/letter.txt").withCString { chmod($0, 0) }
            try Disk.move(stage.root / "outside/letter.txt", to: stage.inbox / "letter.txt")
            try await stage.expectFiledRecords(1)
            _ = (stage.documents / "letter-1.txt").withCString { chmod($0, 0o600) }
            #expect(try Disk.read(stage.documents / "letter-1.txt") == [2])
            #expect(!Disk.exists(stage.inbox / "letter.txt"))
            #expect(try Disk.read(stage.documents / "letter.txt") == [1])
            try await stage.expectRecord([("evidence", "name"), ("proof", "quiet-time")])
        }
    }
}
