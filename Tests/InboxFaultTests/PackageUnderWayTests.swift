import Glibc
import InboxTestSupport
import Testing

/// What others do while a package is being copied to another filesystem.
@Suite("The copy of a package under way", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct PackageUnderWayTests {
    private static let text: TestPath = "note.rtfd/TXT.rtf"
    private static let files: [TestPath: [UInt8]] = [
        text: AcrossStage.large(), "note.rtfd/deeper/a.png": Array("a picture".utf8),
    ]

    /// Moves a package in, and hands over once the copy of its large file is at the barrier, with a descriptor of the
    /// package from before: by its path nobody reaches it.
    private func onCopy(
        before call: String = "pwrite@/Documents/", at when: [String] = ["3"],
        _ body: (AcrossStage, Int32) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(before: call, at: when)
            do {
                try await across.start()
                for (path, bytes) in Self.files {
                    try Disk.makeFolders((across.outside / path).parent)
                    try Disk.put(bytes, at: across.outside / path)
                }
                let folder = try Disk.open(across.outside / "note.rtfd", O_RDONLY | O_DIRECTORY)
                defer { close(folder) }
                try Disk.move(across.outside / "note.rtfd", to: across.inbox / "note.rtfd")
                try await across.barrier.reached()
                #expect(!Disk.exists(across.inbox / "note.rtfd"))
                try await body(across, folder)
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    @Test("SIGTERM gives it up: its source returns to its name, nothing else is left, and the next start files it")
    func terminated() async throws {
        try await onCopy { across, _ in
            guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            across.barrier.open()
            #expect(try await daemon.ended() == .status(0))
            #expect(try Disk.leaves(of: across.stage.documents, except: [across.stage.inbox]) == [])
            #expect(Disk.text(across.stage.state / "journal") == "")
            #expect(Set(try Disk.leaves(of: across.inbox)) == Set(Self.files.keys))
            for (path, bytes) in Self.files { #expect(try Disk.read(across.inbox / path) == bytes) }

            try Disk.remove(across.barrier.path)
            try await across.start()
            try await across.expect(Self.files, records: 1)
        }
    }

    @Test("A file in it that is written to meanwhile ends it, and the package is filed once, as it became")
    func written() async throws {
        try await onCopy { across, folder in
            let path = across.inbox / Self.text
            // As long as it is copied, the daemon's lease keeps the writer waiting.
            let writer = try WaitingWriter {
                let descriptor = "TXT.rtf".withCString { openat(folder, $0, O_WRONLY | O_APPEND | O_CLOEXEC) }
                return try Disk.check("openat", path, descriptor)
            }
            try await AcrossStage.expectBreaking(across.staged("TXT.rtf"))
            across.barrier.open()
            let descriptor = try await writer.opened()
            try Disk.write(Array("and more".utf8), to: descriptor, path)
            close(descriptor)
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            var files = Self.files
            files[Self.text]?.append(contentsOf: Array("and more".utf8))
            try await across.expect(files, records: 1)
        }
    }

    /// Adds a file to the package that is open, wherever it is by now.
    private static func addLate(to folder: Int32, in across: AcrossStage) throws {
        let path = across.inbox / "note.rtfd/late.png"
        let descriptor = "late.png".withCString {
            openat(folder, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        }
        try Disk.check("openat", path, descriptor)
        try Disk.write([1, 2, 3], to: descriptor, path)
        close(descriptor)
    }

    @Test("A file that is added to it meanwhile is filed with it")
    func added() async throws {
        try await onCopy { across, folder in
            try Self.addLate(to: folder, in: across)
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            var files = Self.files
            files["note.rtfd/late.png"] = [1, 2, 3]
            try await across.expect(files, records: 1)
        }
    }

    @Test("A file that is removed from it meanwhile is not filed with it")
    func removed() async throws {
        try await onCopy { across, folder in
            let path = across.inbox / "note.rtfd/deeper/a.png"
            try Disk.check("unlinkat", path, "deeper/a.png".withCString { unlinkat(folder, $0, 0) })
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            var files = Self.files
            files["note.rtfd/deeper/a.png"] = nil
            files["note.rtfd/deeper/"] = []
            try await across.expect(files, records: 1)
        }
    }

    @Test("It is neither renamed nor removed by its path, and what gets its name is another document")
    func replaced() async throws {
        try await onCopy { across, _ in
            let path = across.inbox / "note.rtfd"
            let other = across.inbox / "other.rtfd"
            #expect(errorNumber { path.withCString { from in other.withCString { rename(from, $0) } } } == ENOENT)
            try Disk.makeFolder(across.outside / "note.rtfd")
            try Disk.put(Array("another".utf8), at: across.outside / "note.rtfd/TXT.rtf")
            try Disk.move(across.outside / "note.rtfd", to: path)
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 2, "withdrawn": 0])
            var files = Self.files
            files["note-1.rtfd/TXT.rtf"] = Array("another".utf8)
            try await across.expect(files, records: 2)
        }
    }

    @Test("What somebody adds to its source after the copy has its name is not removed with it")
    func late() async throws {
        try await onCopy(before: "write@/history.jsonl", at: ["1"]) { across, folder in
            #expect(Disk.exists(across.stage.documents / Self.text))
            try Self.addLate(to: folder, in: across)
            across.barrier.open()
            // Only that is left of it, and it is another document.
            try await across.stage.expectCounters(["waiting": 0, "filed": 2])
            var files = Self.files
            files["note-1.rtfd/late.png"] = [1, 2, 3]
            try await across.expect(files, records: 2)
        }
    }

    @Test("A small file is filed from the same Inbox meanwhile")
    func small() async throws {
        try await onCopy { across, _ in
            try across.moveIn([65], as: "small.txt")
            try await across.stage.expectCounters(["seen": 2, "filed": 1, "waiting": 1])
            #expect(Disk.text(across.stage.documents / "small.txt") == "A")
            across.barrier.open()
            try await across.stage.expectCounters(["filed": 2, "waiting": 0])
            var files = Self.files
            files["small.txt"] = [65]
            try await across.expect(files, records: 2)
        }
    }

    /// Where the daemon has a staging folder while it copies a package.
    enum StagingRoot: CaseIterable, Sendable {
        /// The claimed source lies there.
        case inbox
        /// The unfinished copy lies there.
        case documents
    }

    @Test(
        "After a kill, somebody's folder that has got the name of a staging folder is left as it is, with all it holds",
        .enabled(if: geteuid() == 0, "only root can make another user's folder"), arguments: StagingRoot.allCases)
    func exchanged(root: StagingRoot) async throws {
        try await onCopy { across, _ in
            guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
            daemon.signal(SIGKILL)
            #expect(try await daemon.ended() == .signal(SIGKILL))
            let parent = root == .inbox ? across.inbox : across.stage.documents
            let away = root == .inbox ? across.outside / "away" : across.stage.root / "away"
            let names = try Disk.names(in: parent).filter { $0.bytes.starts(with: ".inboxd-".utf8) }
            try #require(names.count == 1, "\(parent) has the staging folders \(names)")
            let staging = parent / names[0]
            try Disk.move(staging, to: away)
            try Players.hide(staging)

            try Disk.remove(across.barrier.path)
            try await across.start()
            // It has inspected everything: what arrives now is filed, and the package too unless it was carried away.
            try across.stage.moveIn([1], as: "next.txt")
            let isAway = root == .inbox
            try await across.stage.expectCounters(["filed": isAway ? 1 : 2, "waiting": isAway ? 1 : 0])
            #expect(try Players.harm(to: staging) == nil)
            let source = try Disk.leaves(of: away).filter { $0.components[0].bytes.starts(with: "source-".utf8) }
            for (path, bytes) in Self.files {
                let carried = source.first { $0.ends(with: path) }
                let found = root == .inbox ? carried.map { away / $0 } : across.stage.documents / path
                let isWhole = try found.map { try Disk.read($0) == bytes } ?? false
                #expect(isWhole, "\(path) is lost")
            }
        }
    }
}
