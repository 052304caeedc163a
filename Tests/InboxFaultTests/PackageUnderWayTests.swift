import Glibc
import InboxTestSupport
import Testing

/// What others do while a package is being copied to another filesystem.
@Suite("The copy of a package under way", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct PackageUnderWayTests {
    private static let text: BytePath = "note.rtfd/TXT.rtf"
    private static let files: [BytePath: [UInt8]] = [
        text: AcrossStage.large(), "note.rtfd/deeper/a.png": Array("a picture".utf8),
    ]

    /// Moves a package in, and hands over once the copy of its large file stands at the barrier.
    private func onCopy(_ body: (AcrossStage) async throws -> Void) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage()
            do {
                try await across.start()
                for (path, bytes) in Self.files {
                    try Disk.makeFolders((across.outside / path).parent)
                    try Disk.put(bytes, at: across.outside / path)
                }
                try Disk.move(across.outside / "note.rtfd", to: across.inbox / "note.rtfd")
                try await across.barrier.reached()
                try await body(across)
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    @Test("SIGTERM gives it up: nothing of it is left, its source is untouched, and the next start files it")
    func terminated() async throws {
        try await onCopy { across in
            guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
            try await daemon.signalAndWait(SIGTERM)
            across.barrier.open()
            #expect(try await daemon.ended() == .status(0))
            #expect(try Disk.leaves(of: across.stage.documents, except: [across.stage.inbox]) == [])
            #expect(Disk.text(across.stage.state / "journal-copies") == "")
            for (path, bytes) in Self.files { #expect(try Disk.read(across.inbox / path) == bytes) }

            try Disk.remove(across.barrier.path)
            try await across.start()
            try await across.expect(Self.files, records: 1)
        }
    }

    @Test("A file in it that is written to meanwhile ends it, and the package is filed once, as it became")
    func written() async throws {
        try await onCopy { across in
            let path = across.inbox / Self.text
            async let written: Void = onOwnThread { try Disk.append(Array("and more".utf8), to: path) }
            across.barrier.open()
            try await written
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            var files = Self.files
            files[Self.text]?.append(contentsOf: Array("and more".utf8))
            try await across.expect(files, records: 1)
        }
    }

    @Test("A file that is added to it meanwhile is filed with it")
    func added() async throws {
        try await onCopy { across in
            try Disk.put([1, 2, 3], at: across.inbox / "note.rtfd/late.png")
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            var files = Self.files
            files["note.rtfd/late.png"] = [1, 2, 3]
            try await across.expect(files, records: 1)
        }
    }

    @Test("When it is renamed it is filed once, under its new name")
    func renamed() async throws {
        try await onCopy { across in
            try Disk.move(across.inbox / "note.rtfd", to: across.inbox / "other.rtfd")
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            let renamed = Self.files.map { path, bytes in
                ("other.rtfd" / BytePath(Array(path.bytes.dropFirst("note.rtfd/".count))), bytes)
            }
            try await across.expect(Dictionary(uniqueKeysWithValues: renamed), records: 1)
        }
    }

    @Test("When it is removed nothing of it is filed")
    func removed() async throws {
        try await onCopy { across in
            try Disk.removeTree(across.inbox / "note.rtfd")
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 0, "withdrawn": 1])
            try await across.expect([:])
        }
    }
}
