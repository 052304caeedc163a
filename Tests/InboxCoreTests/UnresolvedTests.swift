import Glibc
import InboxDetection
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// What recovery cannot decide yet. A disk that is not there is played by a link that is not there: no mount needed.
@Suite("Recovery without the disk", .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct UnresolvedTests {
    private final class Stage {
        let home: TemporaryFolder
        /// The disk, with the Inbox and the destination on it.
        let disk: String
        let history: History
        var identifiers = RecordID.Source()

        init() throws {
            home = try TemporaryFolder()
            disk = try TestRun.current.makeFolder(in: "/dev/shm").description
            for folder in ["inbox", "documents"] { mkdir("\(disk)/\(folder)", 0o755) }
            home.makeFolder("state")
            let state = OpenFolder(try Directory.open(path: home.bytePath("state")))
            history = try History(in: state, maxSize: 0)
        }

        deinit {
            for name in ["inbox/a.txt", "documents/a.txt"] { unlink("\(disk)/\(name)") }
            for folder in ["/inbox", "/documents", ""] { rmdir(disk + folder) }
        }

        var state: OpenFolder { get throws { OpenFolder(try Directory.open(path: home.bytePath("state"))) } }

        /// Where the disk is mounted.
        var mountPoint: String { "\(home.path)/disk" }

        func mount() { symlink(disk, mountPoint) }

        func unmount() {
            unlink(mountPoint)
            rmdir("\(mountPoint)/documents")
            rmdir(mountPoint)
        }

        /// The mount point without the disk, with folders on it as somebody might have made them.
        func makeBareMountPoint() {
            unmount()
            home.makeFolder("disk")
            home.makeFolder("disk/documents")
        }

        func put(_ name: String) throws {
            let file = try FileDescriptor.open(
                path: BytePath("\(disk)/\(name)"), flags: O_WRONLY | O_CREAT, mode: 0o644)
            try file.write(Array("content".utf8))
        }

        /// Writes the journal as before a move of the document, and moves it.
        func interrupt(moving: Bool = true) throws -> JournalEntry {
            try put("inbox/a.txt")
            let status = try FileStatus(path: BytePath("\(disk)/inbox/a.txt"))
            let mark = try Directory.open(path: BytePath(disk)).filesystemMark()
            let intent = JournalEntry(
                id: identifiers.next(at: .now()), source: BytePath("\(mountPoint)/inbox/a.txt"), status: status,
                destination: BytePath("\(mountPoint)/documents"), name: aName("a.txt"), filesystem: mark,
                since: history.mark)
            try home.write("state/journal", String(decoding: intent.line, as: UTF8.self))
            if moving { try #require(rename("\(disk)/inbox/a.txt", "\(disk)/documents/a.txt") == 0) }
            return intent
        }

        func recover() throws -> Recovery.Findings {
            try Recovery.started(in: try state, history, documents: home.path + "/none").perform()
        }

        func retry(accepting: Bool = false) throws -> Recovery.Findings {
            try Recovery.started(
                in: try state, history, documents: home.path + "/none", Recovery.Wish(isAccepting: accepting)
            ).perform()
        }

        /// The moves that the journal has open.
        var open: [JournalEntry] { get throws { Array(try Journal(in: try state).interrupted.moves.values) } }

        func names() throws -> [String] {
            var entries = try DirectoryEntries(of: try Directory.open(path: home.bytePath("state")))
            var names: [String] = []
            while let entry = try entries.next() { names.append("\(entry.name)") }
            return names.sorted()
        }
    }

    @Test("A document whose disk is not there when recovery runs gets its record when it is, once", arguments: [0, 2])
    func later(_ restarts: Int) throws {
        let stage = try Stage()
        stage.mount()
        let intent = try stage.interrupt()
        stage.unmount()
        #expect(try stage.recover().records.isEmpty)
        #expect(try stage.open == [intent])
        for _ in 0..<restarts { #expect(try stage.recover().records.isEmpty) }
        stage.mount()
        #expect(try stage.retry().records.map(\.id) == [intent.id])
        #expect(try stage.retry().records.isEmpty)
        #expect(try stage.recover().records.isEmpty)
        #expect(try stage.names() == ["history.jsonl", "journal"])
        stage.unmount()
    }

    @Test("The folder of a bare mount point is not taken for the destination")
    func bareMountPoint() throws {
        let stage = try Stage()
        stage.mount()
        let intent = try stage.interrupt()
        stage.makeBareMountPoint()
        let found = try stage.recover()
        #expect(found.records.isEmpty && found.open.first?.reason.contains("another filesystem") == true)
        stage.unmount()
        stage.mount()
        #expect(try stage.retry().records.map(\.id) == [intent.id])
        stage.unmount()
    }

    @Test("Whoever accepts what is there now gives the record up")
    func accepted() throws {
        let stage = try Stage()
        stage.mount()
        _ = try stage.interrupt()
        stage.makeBareMountPoint()
        _ = try stage.recover()
        let findings = try stage.retry(accepting: true)
        #expect(findings.records.isEmpty && findings.notices.count == 1)
        #expect(try stage.open.isEmpty)
        #expect(try stage.names() == ["history.jsonl", "journal"])
        stage.unmount()
    }

    @Test("A document that had not moved is left to the next scan, and one that its owner took is forgotten")
    func notMoved() throws {
        let stage = try Stage()
        stage.mount()
        _ = try stage.interrupt(moving: false)
        #expect(try stage.recover().records.isEmpty)
        #expect(try stage.open.isEmpty)
        unlink("\(stage.disk)/inbox/a.txt")
        _ = try stage.interrupt()
        unlink("\(stage.disk)/documents/a.txt")
        rmdir("\(stage.disk)/documents")
        #expect(try stage.recover().records.isEmpty)
        #expect(try stage.open.isEmpty)
        stage.unmount()
    }

    @Test("A record that exists already, though its intent was kept, is not made again")
    func interruptedRetry() throws {
        let stage = try Stage()
        stage.mount()
        let intent = try stage.interrupt()
        stage.unmount()
        _ = try stage.recover()
        let kept = try stage.home.read("state/journal")
        stage.mount()
        #expect(try stage.retry().records.count == 1)
        // Interrupted between the record and the end of the kept intent.
        try stage.home.write("state/journal", kept)
        #expect(try stage.recover().records.isEmpty)
        #expect(try stage.open.isEmpty, "\(intent)")
        stage.unmount()
    }

    @Test("A document that is filed anew under another id is not recorded under the first one as well")
    func filedAnew() throws {
        let stage = try Stage()
        stage.mount()
        let intent = try stage.interrupt()
        stage.unmount()
        _ = try stage.recover()
        try Journal(in: try stage.state).endMoves(of: intent.identity.file)
        stage.mount()
        #expect(try stage.recover().records.isEmpty)
        stage.unmount()
    }

    @Test("A move that the disk lost after it was recorded is recorded as undone, once the machine has started anew")
    func lostMove() throws {
        let stage = try Stage()
        stage.mount()
        var intent = try stage.interrupt(moving: false)
        intent.unsyncedBoot = Boot.current
        try stage.home.write("state/journal", String(decoding: intent.line, as: UTF8.self))
        #expect(try stage.recover().notices.isEmpty)
        #expect(try stage.open == [intent])
        // Another start of the machine.
        let text = try stage.home.read("state/journal")
        try stage.home.write(
            "state/journal", text.replacing(Boot.current, with: "another-boot").withoutSums)
        #expect(try stage.recover().notices.count == 1)
        #expect(try stage.open.isEmpty)
        let history = try stage.home.read("state/history.jsonl")
        #expect(history.contains("\"event\":\"undone\"") && history.contains(intent.id.text))
        stage.unmount()
    }

    @Test("A torn line, and any other that nobody wrote, takes no other with it")
    func torn() throws {
        let stage = try Stage()
        stage.mount()
        let intent = try stage.interrupt()
        stage.unmount()
        _ = try stage.recover()
        let text = try stage.home.read("state/journal")
        for cut in stride(from: 1, to: text.utf8.count - 2, by: 5) {
            try stage.home.write("state/journal", "{}\nnull\n" + text + String(text.dropFirst().prefix(cut)))
            #expect(try stage.open == [intent], "\(cut)")
        }
    }
}

@Suite("Records that exist already")
struct RecordedTests {
    private static let time = Timestamp(seconds: 1_795_215_067, nanoseconds: 0)

    private func intent(_ folder: TemporaryFolder, since mark: History.Mark?) throws -> JournalEntry {
        var source = RecordID.Source()
        return JournalEntry(
            id: source.next(at: Self.time), source: BytePath("/s"), status: try folder.status("a"),
            destination: BytePath("/d"), name: aName("a"), since: mark)
    }

    private func line(_ id: String, padding: Int = 10) -> String {
        "{\"id\":\"\(id)\",\"event\":\"filed\",\"source\":\"\(String(repeating: "s", count: padding))\"}\n"
    }

    @Test("A record is found before any number of long ones, with and without the place where to begin")
    func long() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        try folder.write("history.jsonl", line("0000000000000001"))
        let state = OpenFolder(try folder.open())
        let mark = try History(in: state, maxSize: 0).mark
        for known in [mark, nil, History.Mark(file: mark.file, size: 1 << 40)] {
            let found = try intent(folder, since: known)
            let other = try intent(folder, since: known)
            // 600 KiB a line, as of names that are nothing but escapes deep in a tree: 8 MB after the record.
            let text =
                line("0000000000000001") + line(found.id.text)
                + String(repeating: line("0000000000000002", padding: 600_000), count: 14)
            try folder.write("history.jsonl", text)
            let recorded = try History(in: state, maxSize: 0).recorded(
                [found, other].map { History.Wanted(id: $0.id.text, mark: $0.mark) })
            #expect(recorded == [found.id.text])
        }
    }

    @Test("A record before the place where the history ended is another's")
    func before() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let id = try intent(folder, since: nil).id.text
        try folder.write("history.jsonl", line(id))
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 0)
        var intents = [try intent(folder, since: history.mark)]
        try history.append(Array(line(intents[0].id.text).utf8), isDurable: false)
        intents.append(try intent(folder, since: history.mark))
        #expect(
            try history.recorded(intents.map { History.Wanted(id: $0.id.text, mark: $0.mark) }) == [intents[0].id.text])
    }

    @Test("A record that a rotation has taken along is found")
    func rotated() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        let history = try History(in: OpenFolder(try folder.open()), maxSize: 4)
        let marked = try intent(folder, since: history.mark)
        let unmarked = try intent(folder, since: nil)
        try history.append(Array((line(marked.id.text) + line(unmarked.id.text)).utf8), isDurable: false)
        try history.rotate(at: Self.time)
        try history.append(Array(line("0000000000000003").utf8), isDurable: false)
        try history.rotate(at: Self.time)
        #expect(history.mark.size == 0)
        #expect(try history.recorded([History.Wanted(id: marked.id.text, mark: marked.mark)]) == [marked.id.text])
        #expect(try history.recorded([History.Wanted(id: unmarked.id.text, mark: unmarked.mark)]) == [unmarked.id.text])
    }
}

@Suite("Packages without birth times")
struct BirthlessTests {
    @Test("What is known by inode, size and time alone is found after its move", arguments: [true, false])
    func found(_ isPackage: Bool) throws {
        let folder = try TemporaryFolder()
        for made in ["state", "inbox", "documents"] { folder.makeFolder(made) }
        let name = isPackage ? "note.rtfd" : "note.txt"
        if isPackage {
            folder.makeFolder("inbox/note.rtfd")
            try folder.write("inbox/note.rtfd/TXT.rtf", "text")
            try folder.write("inbox/note.rtfd/a.png", "picture")
        } else {
            try folder.write("inbox/note.txt", "text")
        }
        let inbox = OpenFolder(try Directory.open(path: folder.bytePath("inbox")))
        let status = try #require(
            try OpenedSource.status(of: aName(name), isPackage ? .directory : .regular, in: inbox))
        var identifiers = RecordID.Source()
        let intent = JournalEntry(
            id: identifiers.next(at: .now()), source: BytePath("\(folder.path)/inbox/\(name)"), status: status,
            destination: BytePath("\(folder.path)/documents"), name: aName(name))
        // As on a filesystem that keeps no birth.
        let line = String(decoding: intent.line, as: UTF8.self)
        let start = try #require(line.firstRange(of: "\"birthSeconds\"")).lowerBound
        let end = try #require(line.firstRange(of: "\"links\"")).lowerBound
        try folder.write("state/journal", line.replacingCharacters(from: start, to: end).withoutSums)
        let state = OpenFolder(try Directory.open(path: folder.bytePath("state")))
        let read = try Journal(in: state).interrupted.moves[intent.id]
        #expect(read?.identity.size == intent.identity.size && read?.identity.file.birth == nil)
        #expect(rename("\(folder.path)/inbox/\(name)", "\(folder.path)/documents/\(name)") == 0)
        let history = try History(in: state, maxSize: 0)
        let found = try Recovery.started(in: state, history, documents: folder.path + "/none").perform()
        #expect(found.records.map(\.id) == [intent.id])
        #expect(found.records.first?.evidence == "name" || !isPackage)
    }
}

extension String {
    /// The text without a part.
    fileprivate func replacingCharacters(from start: Index, to end: Index) -> String {
        String(self[..<start]) + self[end...]
    }
}
