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
            try await across.expectBreaking(across.staged("TXT.rtf"))
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
}
