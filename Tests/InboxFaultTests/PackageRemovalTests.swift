import Glibc
import InboxTestSupport
import Testing

/// What others do, and what a kill leaves, while the source of a copied package is being removed.
@Suite("The removal of a copied package", .enabled(if: OtherFilesystem.isThere, "there is one filesystem only"))
struct PackageRemovalTests {
    /// The rename that sets the file aside, or the link and its removal where there is no such rename.
    private static let removals: [(name: TestPath, standing: String?)] = [
        ("TXT.rtf", nil), ("TXT.rtf", "renameat2:*:22"), ("link", nil),
    ]

    /// Moves a package in, and hands over when the daemon is about to make a call of its removal.
    private func onRemoval(
        _ files: [TestPath: [UInt8]], before call: String, at when: [String] = ["1"], _ plan: String? = nil,
        isLinked: Bool = false, areDatedAhead: Bool = false, secondNames: [TestPath: TestPath] = [:],
        _ body: (AcrossStage, Int32) async throws -> Void
    ) async throws {
        try await Gate.daemons.pass {
            let across = try AcrossStage(plan, before: call, at: when)
            do {
                try await across.start()
                for (path, bytes) in files {
                    try Disk.makeFolders((across.outside / path).parent)
                    try Disk.put(bytes, at: across.outside / path)
                    guard areDatedAhead else { continue }
                    let times = [timespec(tv_sec: time(nil) + 86_400, tv_nsec: 0)]
                    let dated = (across.outside / path).withCString { utimensat(AT_FDCWD, $0, times + times, 0) }
                    try Disk.check("utimensat", path, dated)
                }
                for (name, file) in secondNames { try Disk.link(across.outside / file, to: across.outside / name) }
                if isLinked { try Disk.makeLink(across.outside / "note.rtfd/link", to: "old") }
                let folder = try Disk.open(across.outside / "note.rtfd", O_RDONLY | O_DIRECTORY)
                defer { close(folder) }
                try Disk.move(across.outside / "note.rtfd", to: across.inbox / "note.rtfd")
                try await across.barrier.reached()
                try await body(across, folder)
            } catch {
                across.barrier.open()
                Issue.record("\(error)\n\(await across.stage.report())")
            }
        }
    }

    /// Saves over a name of the package as editors do: a whole file elsewhere, renamed over the name.
    private func save(_ text: String, over name: TestPath, of folder: Int32, in across: AcrossStage) throws {
        let new = across.outside / "new"
        try Disk.put(Array(text.utf8), at: new)
        let done = new.withCString { from in name.withCString { renameat(AT_FDCWD, from, folder, $0) } }
        try Disk.check("renameat", name, done)
    }

    @Test("A package whose entries have the names under which they would be set aside goes as any other")
    func takenNames() async throws {
        let prefix = ".inboxd-removed-"
        let names = [
            "a", prefix + "a", prefix + prefix + "a", "b", "folder/c", "folder/" + prefix + "c", prefix + "b/d",
        ]
        let files = Dictionary(uniqueKeysWithValues: names.map { (TestPath("note.rtfd/" + $0), Array($0.utf8)) })
        for standing in [nil, "renameat2:*:22"] {
            try await onRemoval(files, before: "unlinkat@note.rtfd/", standing) { across, _ in
                across.barrier.open()
                try await across.stage.expectCounters(["waiting": 0, "filed": 1])
                for name in names {
                    #expect(Disk.text(across.stage.documents / "note.rtfd" / TestPath(name)) == name)
                }
                try await eventually {
                    let left = try Disk.leaves(of: across.inbox)
                    return left.isEmpty ? nil : "the Inbox holds \(left)"
                }
                #expect(try await across.stage.status()["state"]?.string == "watching")
            }
        }
    }

    @Test("What is saved over an entry after the last look at it is another document", arguments: removals)
    func saved(_ name: TestPath, _ standing: String?) async throws {
        let call = standing == nil ? "renameat2@\(name) -> " : "renameat@\(name) -> "
        let files: [TestPath: [UInt8]] = ["note.rtfd/TXT.rtf": [1, 2]]
        try await onRemoval(files, before: call, standing, isLinked: true) { across, folder in
            try save("saved", over: name, of: folder, in: across)
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 2])
            #expect(Disk.text(across.stage.documents / "note-1.rtfd" / name) == "saved")
            #expect(try Disk.read(across.stage.documents / "note.rtfd/TXT.rtf") == [1, 2])
            #expect(try Disk.linkTarget(across.stage.documents / "note.rtfd/link") == "old")
            try await eventually {
                let left = try Disk.leaves(of: across.inbox)
                return left.isEmpty ? nil : "the Inbox holds \(left)"
            }
        }
    }

    @Test("What is saved twice meanwhile is there twice")
    func savedTwice() async throws {
        let files: [TestPath: [UInt8]] = ["note.rtfd/TXT.rtf": [1, 2]]
        let call = "renameat2@TXT.rtf -> "
        // The first one sets it aside, the second one gives it its name back.
        try await onRemoval(files, before: call, at: ["1", "2"]) { across, folder in
            try save("first", over: "TXT.rtf", of: folder, in: across)
            across.barrier.open()
            try await eventually {
                faccessat(folder, ".inboxd-removed-TXT.rtf", F_OK, 0) == 0 ? nil : "nothing is set aside"
            }
            try await across.barrier.reached()
            try save("second", over: "TXT.rtf", of: folder, in: across)
            across.barrier.open()
            try await across.stage.expectCounters(["waiting": 0, "filed": 2])
            #expect(Disk.text(across.stage.documents / "note-1.rtfd/TXT.rtf") == "second")
            #expect(Disk.text(across.stage.documents / "note-1.rtfd/TXT-1.rtf") == "first")
        }
    }

    /// Two names that differ at their ends alone, so that they are the same when they are cut.
    private static let long = ["a", "b"].map {
        TestPath("note.rtfd/" + String(repeating: "x", count: 249) + ".tx\($0)")
    }

    @Test(
        "A kill before an entry is inspected again, or removed, leaves nothing of the source, however long its name is",
        arguments: ["statx", "unlinkat"], [1, 2])
    func killed(_ call: String, _ number: Int) async throws {
        var files: [TestPath: [UInt8]] = ["note.rtfd/TXT.rtf": [1, 2]]
        for (index, name) in Self.long.enumerated() { files[name] = [UInt8(index)] }
        try await onRemoval(files, before: "\(call)@.inboxd-removed-", at: ["\(number)"]) { across, _ in
            try await kill(across)
            try await across.start()
            try await across.expect(files, records: 1)
        }
    }

    @Test("After a kill, nothing of the source is removed that somebody has open for writing")
    func writtenAfterKill() async throws {
        let files: [TestPath: [UInt8]] = ["note.rtfd/TXT.rtf": Array("copied".utf8)]
        try await onRemoval(files, before: "renameat2@TXT.rtf -> ") { across, folder in
            guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
            daemon.signal(SIGKILL)
            #expect(try await daemon.ended() == .signal(SIGKILL))
            let writer = openat(folder, "TXT.rtf", O_WRONLY | O_CLOEXEC)
            try #require(writer >= 0)
            try Disk.remove(across.barrier.path)
            try await across.start()
            try await across.stage.expectProblem("somebody is writing to the source, which was copied")
            try #require(write(writer, "edited", 6) == 6)
            close(writer)
            try await across.stage.expectFiledRecords(2)
            #expect(Disk.text(across.stage.documents / "note.rtfd/TXT.rtf") == "copied")
            #expect(Disk.text(across.stage.documents / "note-1.rtfd/TXT.rtf") == "edited")
        }
    }

    @Test("A file that somebody opens for writing during the removal, and does not write to, goes like the others")
    func opened() async throws {
        let names = ["a", "b", "c"]
        let files = Dictionary(uniqueKeysWithValues: names.map { (TestPath("note.rtfd/\($0)"), Array($0.utf8)) })
        try await onRemoval(files, before: "unlinkat@.inboxd-removed-") { across, folder in
            let left = names.filter { faccessat(folder, $0, F_OK, 0) == 0 }
            try #require(left.count == 2)
            let writers = try left.map { name in
                try WaitingWriter { openat(folder, name, O_WRONLY | O_CLOEXEC) }
            }
            for name in left { try await AcrossStage.expectBreaking(TestPath("/proc/self/fd/\(folder)/\(name)")) }
            across.barrier.open()
            for writer in writers {
                let descriptor = try await writer.opened()
                try #require(descriptor >= 0)
                close(descriptor)
            }
            try await across.expect(files, records: 1)
        }
    }

    /// What somebody does after a kill with the package that was filed, and what is in Documents then.
    enum Use: CaseIterable, Sendable {
        case moved
        case edited
    }

    @Test(
        "After a kill, what is left of the source goes, whatever became of the filed package",
        arguments: Use.allCases)
    func used(_ use: Use) async throws {
        var files: [TestPath: [UInt8]] = [:]
        // More folders than a line of the journal once had.
        for name in ["a", "b", "c", "deep/d", "deep/deeper/e"] + (0..<300).map({ "folder \($0)/f" }) {
            files[TestPath("note.rtfd/\(name)")] = Array(name.utf8)
        }
        for number in [1, 3] {
            try await onRemoval(
                files, before: "unlinkat@.inboxd-removed-", at: ["\(number)"], areDatedAhead: number == 3
            ) { across, _ in
                try await kill(across)
                var expected = files
                switch use {
                case .moved:
                    expected = [:]
                    let documents = across.stage.documents
                    try Disk.move(documents / "note.rtfd", to: documents.parent / "elsewhere")
                case .edited:
                    for name in files.keys {
                        expected[name] = Array("edited".utf8)
                        try Disk.put(Array("edited".utf8), at: across.stage.documents / name)
                    }
                }
                try await across.start()
                try await across.stage.expectCounters(["waiting": 0])
                try await across.expect(expected, records: 1)
            }
        }
    }

    @Test("After a kill, every name of a file goes, though the filed package was moved away")
    func severalNames() async throws {
        let names: [TestPath: TestPath] = ["note.rtfd/b": "note.rtfd/a", "note.rtfd/c": "note.rtfd/a"]
        let call = "renameat2@.inboxd-removed-"
        try await onRemoval(["note.rtfd/a": [1]], before: call, secondNames: names) { across, _ in
            try await kill(across)
            let documents = across.stage.documents
            try Disk.move(documents / "note.rtfd", to: documents.parent / "elsewhere")
            try await across.start()
            try await across.stage.expectCounters(["waiting": 0])
            try await across.expect([:], records: 1)
        }
    }

    @Test("After a kill, a folder that somebody moves into what is left of the source is not removed with it")
    func movedIn() async throws {
        let files: [TestPath: [UInt8]] = ["note.rtfd/a": [1], "note.rtfd/b": [2]]
        try await onRemoval(files, before: "unlinkat@.inboxd-removed-") { across, folder in
            let old = across.outside / "old"
            try Disk.makeFolder(old)
            try Disk.put(Array("kept".utf8), at: old / "c")
            try Disk.check("utimensat", old, (old / "c").withCString { utimensat(AT_FDCWD, $0, nil, 0) })
            try await kill(across)
            try Disk.check("renameat", old, old.withCString { renameat(AT_FDCWD, $0, folder, "old") })
            try await across.start()
            try await across.stage.expectCounters(["waiting": 0, "filed": 1])
            #expect(Disk.text(across.stage.documents / "note-1.rtfd/old/c") == "kept")
            #expect(try Disk.read(across.stage.documents / "note.rtfd/a") == [1])
            #expect(!Disk.exists(across.stage.documents / "note-1.rtfd/a"))
            #expect(!Disk.exists(across.stage.documents / "note-1.rtfd/b"))
        }
    }

    private func kill(_ across: AcrossStage) async throws {
        guard let daemon = across.stage.daemon else { throw Failure("no daemon runs") }
        daemon.signal(SIGKILL)
        #expect(try await daemon.ended() == .signal(SIGKILL))
        try Disk.remove(across.barrier.path)
    }
}
