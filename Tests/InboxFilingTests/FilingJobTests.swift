import Glibc
import InboxConfiguration
import InboxDetection
import InboxTestSupport
import Synchronization
import Testing

@testable import InboxFiling
@testable import InboxLinux

/// A folder with Documents and an Inbox, and a history that remembers what it was given.
private final class JobStage {
    final class Log: HistoryLog {
        /// The names of the documents that were recorded, and the number of entries that the journal had then.
        let recorded = Mutex<[(names: [String], open: Int)]>([])
        private let journal: Journal
        private let fails: Bool
        private let atRecord: @Sendable () -> Void

        init(_ journal: Journal, fails: Bool, atRecord: @escaping @Sendable () -> Void) {
            self.journal = journal
            self.fails = fails
            self.atRecord = atRecord
        }

        var mark: HistoryMark { HistoryMark(file: 0, size: 0) }

        func record(_ records: [FiledRecord], isDurable: Bool) throws(SyscallError) {
            if fails { throw SyscallError(.write, .noSpace) }
            atRecord()
            let names = records.map { EscapedBytes.text($0.destination.lastComponent) }
            recorded.withLock { $0.append((names, journal.openMoveCount)) }
        }

        func record(_ records: [DuplicateRecord]) {}
    }

    let documents: TemporaryFolder
    let state: TemporaryFolder
    let journal: Journal
    let log: Log
    var means: FilingMeans

    init(recordFails: Bool = false, atRecord: @escaping @Sendable () -> Void = {}) throws {
        documents = try TemporaryFolder()
        documents.makeFolder("Inbox")
        state = try TemporaryFolder()
        journal = try Journal(in: OpenFolder(try Directory.open(path: BytePath(state.path))))
        log = Log(journal, fails: recordFails, atRecord: atRecord)
        means = FilingMeans(
            detector: Detector(places: .none), routing: RoutingRules(documents: BytePath(documents.path)),
            making: FolderMaking())
    }

    func request(
        _ number: UInt64, _ name: String, in folder: [String] = [], isShared: Bool = false, isPackage: Bool = false,
        _ change: (inout InboxSettings) -> Void = { _ in }
    ) throws -> FilingRequest {
        var settings = InboxSettings()
        change(&settings)
        let path = (["Inbox"] + folder).joined(separator: "/")
        let around = OpenFolder(try Directory.open(path: BytePath(documents.path + "/" + path)))
        let status =
            isPackage
            ? try OpenedSource.status(of: aName(name), .directory, in: around)
            : try documents.status(path + "/" + name)
        let location = FilingRequest.FolderLocation(
            names: folder.map { aName($0) }, key: try documents.status(path).identity.file)
        return FilingRequest(
            id: ArrivalID(number: number), inbox: BytePath(documents.path + "/Inbox"), settings: settings,
            folder: location, name: aName(name), status: try #require(status), isPackage: isPackage,
            acceptance: .lease, isShared: isShared, writerSeen: nil)
    }

    func file(_ requests: [FilingRequest], comparing: ComparingTime = .unlimited) throws -> FilingReport {
        let destinations = FilingJob.Destinations(
            to: try .over(BytePath(documents.path)), inboxFolders: [], comparing: comparing, by: means)
        let folder = OpenFolder(try Directory.open(path: BytePath(state.path)))
        let runs = FilingRun.Means(
            journal: journal, log: log, staging: try StagingFolders(state: folder, at: BytePath(state.path)),
            abandonment: means.abandonment)
        return FilingJob(renaming: requests, destinations, runs).perform()
    }

    func has(_ name: String) -> Bool { failureOf { _ = try documents.status(name) } == nil }
}

@Suite("A job of single renames")
struct FilingJobTests {
    @Test("Each document is written down, moved, recorded and ended, in this order")
    func order() throws {
        let stage = try JobStage()
        for name in ["a.txt", "b.txt"] { try stage.documents.write("Inbox/" + name, name) }
        let report = try stage.file([try stage.request(1, "a.txt"), try stage.request(2, "b.txt")])
        #expect(report.outcomes.isEmpty && report.filedCount == 2 && report.stateFailure == nil)
        let recorded = stage.log.recorded.withLock { $0 }
        #expect(recorded.map(\.names) == [["a.txt", "b.txt"]] && recorded.map(\.open) == [2])
        #expect(stage.journal.openMoveCount == 0 && stage.journal.interrupted.isEmpty)
        #expect(try stage.documents.read("a.txt") == "a.txt" && stage.has("b.txt") && !stage.has("Inbox/a.txt"))
    }

    @Test("A document that waits to be discarded keeps no file open, and is opened again as the same or not at all")
    func identical() throws {
        let stage = try JobStage()
        for name in ["a.txt", "Inbox/a.txt"] { try stage.documents.write(name, "a") }
        let report = try stage.file([try stage.request(1, "a.txt") { $0.onConflict = .skipIdentical }])
        let document = try #require(report.identical.first).document
        #expect(document.file == nil)
        let folder = OpenFolder(try Directory.open(path: BytePath(stage.documents.path + "/Inbox")))
        #expect(try document.reopened(in: folder).file != nil)
        stage.documents.rename("Inbox/a.txt", to: "Inbox/b.txt")
        try stage.documents.write("Inbox/a.txt", "a")
        #expect(throws: Refusal.self) { try document.reopened(in: folder) }
    }

    @Test("A document whose comparison takes long is left to whoever has the time")
    func lengthy() throws {
        let stage = try JobStage()
        for name in ["a.txt", "Inbox/a.txt", "Inbox/b.txt"] { try stage.documents.write(name, "a") }
        func request(_ number: UInt64, _ name: String) throws -> FilingRequest {
            try stage.request(number, name) { $0.onConflict = .skipIdentical }
        }
        let report = try stage.file([try request(1, "a.txt")], comparing: ComparingTime(most: .zero))
        #expect(report.lengthy.map(\.id) == [ArrivalID(number: 1)] && report.outcomes.isEmpty && report.filedCount == 0)
        #expect(stage.has("Inbox/a.txt") && stage.log.recorded.withLock { $0 }.isEmpty)
        let next = try stage.file([try request(1, "a.txt"), try request(2, "b.txt")], comparing: .brief)
        #expect(next.lengthy.isEmpty && next.identical.count == 1 && next.filedCount == 1)
    }

    @Test("Once a batch has many folders the rest is left to the next one, though never all of it")
    func folders() throws {
        let stage = try JobStage()
        for name in ["a.txt", "b.txt", "c.txt"] { try stage.documents.write("Inbox/" + name, name) }
        let requests = [try stage.request(1, "a.txt"), try stage.request(2, "b.txt"), try stage.request(3, "c.txt")]
        stage.means.mostFolders = 1
        let report = try stage.file(requests)
        #expect(report.leftOver.map(\.id.number) == [2, 3] && report.filedCount == 1)
        stage.means.mostFolders = 256
        #expect(try stage.file(report.leftOver).filedCount == 2)
    }

    @Test("The time that one user's comparisons have taken is not taken from another's")
    func comparingTime() {
        var time = ComparingTime(most: .milliseconds(250))
        let now = Instant.now()
        time.note(.milliseconds(200), for: 1)
        #expect(time.end(for: 1, from: now) == now + .milliseconds(50))
        #expect(time.end(for: 2, from: now) == now + .milliseconds(250))
        time.note(.milliseconds(200), for: 1)
        #expect(time.end(for: 1, from: now) == now)
        // All together have twice as much: one person can have files of many owners.
        #expect(time.end(for: 2, from: now) == now + .milliseconds(100))
        time.note(.milliseconds(200), for: 3)
        #expect(time.end(for: 2, from: now) == now)
        #expect(ComparingTime.unlimited.end(for: 1, from: now) == .never)
    }

    @Test("A document that is another than the intake saw is not moved")
    func changed() throws {
        let stage = try JobStage()
        try stage.documents.write("Inbox/a.txt", "a")
        let request = try stage.request(1, "a.txt")
        try stage.documents.write("Inbox/a.txt", "longer")
        let report = try stage.file([request])
        guard case .changed = report.outcomes.first?.outcome else {
            Issue.record("\(report.outcomes)")
            return
        }
        #expect(stage.has("Inbox/a.txt") && report.filedCount == 0)
    }

    @Test("A document in a folder that another has replaced is not moved")
    func folderReplaced() throws {
        let stage = try JobStage()
        stage.documents.makeFolder("Inbox/f")
        try stage.documents.write("Inbox/f/a.txt", "a")
        let request = try stage.request(1, "a.txt", in: ["f"])
        try #require(rename(stage.documents.path + "/Inbox/f", stage.documents.path + "/Inbox/g") == 0)
        stage.documents.makeFolder("Inbox/f")
        try stage.documents.write("Inbox/f/a.txt", "a")
        guard case .changed = try stage.file([request]).outcomes.first?.outcome else {
            Issue.record("it was not refused")
            return
        }
        #expect(stage.has("Inbox/f/a.txt") && stage.has("Inbox/g/a.txt"))
    }

    @Test("Once the end was requested nothing moves")
    func abandoned() throws {
        let stage = try JobStage()
        try stage.documents.write("Inbox/a.txt", "a")
        stage.means.abandonment.request()
        let report = try stage.file([try stage.request(1, "a.txt")])
        #expect(report.filedCount == 0)
        #expect(stage.has("Inbox/a.txt"))
    }

    @Test("On a filesystem that machines share, the journal has no move of a document that another daemon may make")
    func shared() throws {
        let stage = try JobStage()
        try stage.documents.write("Inbox/a.txt", "a")
        let report = try stage.file([try stage.request(1, "a.txt", isShared: true)])
        guard case .across? = report.outcomes.first?.outcome else {
            Issue.record("\(report.outcomes)")
            return
        }
        #expect(report.filedCount == 0 && stage.has("Inbox/a.txt") && stage.journal.interrupted.isEmpty)
    }

    @Test("What moved and could not be recorded is left to recovery, with its record")
    func unrecorded() throws {
        let stage = try JobStage(recordFails: true)
        try stage.documents.write("Inbox/a.txt", "a")
        let report = try stage.file([try stage.request(1, "a.txt")])
        guard case .unrecorded(let record, let entry?) = try #require(report.results.first).result else {
            Issue.record("\(report.results)")
            return
        }
        #expect(report.stateFailure?.file == "the history" && report.hasOpenEntries)
        #expect(record.id == entry.id && stage.has("a.txt"))
        #expect(Array(stage.journal.interrupted.moves.keys) == [record.id])
    }

    @Test("No lease outlasts the move of its document", arguments: [InboxSettings.Durability.full, .relaxed])
    func leases(_ durability: InboxSettings.Durability) throws {
        let names = ["a.txt", "b.txt", "c.txt"]
        let path = Mutex("")
        let opened = Mutex(0)
        let stage = try JobStage {
            for name in names {
                // While a lease is held this open fails with EWOULDBLOCK.
                let number = open(path.withLock { $0 } + "/" + name, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
                if number >= 0 { opened.withLock { $0 += 1 } }
                close(number)
            }
        }
        path.withLock { $0 = stage.documents.path }
        for name in names { try stage.documents.write("Inbox/" + name, name) }
        let report = try stage.file(
            try names.enumerated().map { try stage.request(UInt64($0 + 1), $1) { $0.durability = durability } })
        #expect(report.filedCount == names.count && opened.withLock { $0 } == names.count)
    }

    @Test(
        "Of what somebody is writing nothing is moved or refused, and no folder is made for it",
        arguments: [InboxSettings.Durability.full, .relaxed])
    func written(_ durability: InboxSettings.Durability) throws {
        let stage = try JobStage()
        stage.documents.makeFolder("Inbox/f")
        // Text under the name of a picture, which is held once it is complete.
        for name in ["a.png", "b.txt"] { try stage.documents.write("Inbox/f/" + name, "so far") }
        let requests = try ["a.png", "b.txt"].enumerated().map { number, name in
            try stage.request(UInt64(number + 1), name, in: ["f"]) {
                $0.durability = durability
                $0.mismatch = .hold
            }
        }
        do {
            let writers = ["a.png", "b.txt"].map { open(stage.documents.path + "/Inbox/f/" + $0, O_WRONLY | O_CLOEXEC) }
            defer { for writer in writers { close(writer) } }
            let outcomes = try stage.file(requests).outcomes.map(\.outcome)
            let areWritten = outcomes.allSatisfy { if case .writer = $0 { true } else { false } }
            #expect(outcomes.count == 2 && areWritten, "\(outcomes)")
            #expect(!stage.has("f") && stage.has("Inbox/f/b.txt"))
        }
        Program.waitForStarts()
        let report = try stage.file(requests)
        guard case .hold(.mismatch, _)? = report.outcomes.first?.outcome else {
            Issue.record("\(report.outcomes)")
            return
        }
        #expect(report.filedCount == 1 && stage.has("f/b.txt"))
    }

    @Test("Documents of one name from many folders are numbered without a gap")
    func oneName() throws {
        let stage = try JobStage()
        var requests: [FilingRequest] = []
        // More folders than stay open, and no more documents than one batch has open under a limit of 1,024.
        for number in 0..<150 {
            stage.documents.makeFolder("Inbox/\(number)")
            try stage.documents.write("Inbox/\(number)/scan.pdf", "\(number)")
            requests.append(
                try stage.request(UInt64(number), "scan.pdf", in: ["\(number)"]) {
                    $0.folders = .flatten
                    $0.durability = .relaxed
                })
        }
        let report = try stage.file(requests)
        #expect(report.filedCount == 150)
        #expect(stage.has("scan.pdf") && stage.has("scan-149.pdf") && !stage.has("scan-150.pdf"))
    }
}

@Suite("What denies a document its way", .enabled(if: geteuid() == 0, "only root gives folders away"))
struct DenialTests {
    private func hold(_ report: FilingReport) -> String? {
        guard case .hold(.permission, let words) = report.outcomes.first?.outcome else { return nil }
        return words
    }

    /// A stage on which the folder `private` is somebody else's, and a document waits in the Inbox to enter it.
    private func stage() throws -> JobStage {
        let stage = try JobStage()
        for path in ["private", "Inbox/private"] { stage.documents.makeFolder(path) }
        try stage.documents.write("Inbox/private/a.txt", "a")
        chown(stage.documents.path + "/private", 4242, 4242)
        return stage
    }

    @Test("A document does not enter a private folder of somebody else, which is named")
    func privateFolder() throws {
        let stage = try stage()
        let report = try stage.file([try stage.request(1, "a.txt", in: ["private"])])
        #expect(try #require(hold(report)).contains(stage.documents.path + "/private "))
        #expect(stage.has("Inbox/private/a.txt"))
    }

    @Test("No folder is created in it for a document that does not enter it")
    func noFolder() throws {
        let stage = try stage()
        stage.documents.makeFolder("Inbox/private/inner")
        try stage.documents.write("Inbox/private/inner/b.txt", "b")
        let report = try stage.file([try stage.request(1, "b.txt", in: ["private", "inner"])])
        #expect(try #require(hold(report)).contains(stage.documents.path + "/private "))
        #expect(stage.has("Inbox/private/inner/b.txt") && !stage.has("private/inner"))
    }

    @Test("The owner's own document enters it")
    func ownDocument() throws {
        let stage = try stage()
        chown(stage.documents.path + "/Inbox/private/a.txt", 4242, 4242)
        let report = try stage.file([try stage.request(1, "a.txt", in: ["private"])])
        #expect(report.filedCount == 1 && stage.has("private/a.txt"))
    }
}

@Suite("Which folder denies", .enabled(if: geteuid() != 0, "root may write everywhere"))
struct DenyingFolderTests {
    private static let deed = "cannot change the names in, or move,"

    private func words(closing path: String) throws -> String? {
        let stage = try JobStage()
        for folder in ["f", "Inbox/f"] { stage.documents.makeFolder(folder) }
        try stage.documents.write("Inbox/f/a.txt", "a")
        let request = try stage.request(1, "a.txt", in: ["f"])
        let closed = stage.documents.path + "/" + path
        chmod(closed, 0o555)
        defer { chmod(closed, 0o755) }
        guard case .hold(.permission, let words) = try stage.file([request]).outcomes.first?.outcome else { return nil }
        return words?.replacing(stage.documents.path, with: "")
    }

    @Test("The source's folder is named where that one denies, and the destination where that does")
    func named() throws {
        #expect(try words(closing: "Inbox/f")?.hasPrefix("\(Self.deed) /Inbox/f: ") == true)
        #expect(try words(closing: "f")?.hasPrefix("\(Self.deed) /f: ") == true)
    }

    @Test(
        "No folder is created for what cannot leave its own",
        arguments: [["Inbox/f"], ["Inbox/f/note.rtfd"], ["Inbox/f", "Inbox/f/note.rtfd"]])
    func nothingMade(closed: [String]) throws {
        let stage = try JobStage()
        for folder in ["Inbox/f", "Inbox/f/note.rtfd"] { stage.documents.makeFolder(folder) }
        try stage.documents.write("Inbox/f/note.rtfd/TXT.rtf", "a")
        for path in closed { chmod(stage.documents.path + "/" + path, 0o555) }
        defer { for path in closed { chmod(stage.documents.path + "/" + path, 0o755) } }
        let request = try stage.request(1, "note.rtfd", in: ["f"], isPackage: true)
        guard case .hold(.permission, _) = try stage.file([request]).outcomes.first?.outcome else {
            Issue.record("it is not held")
            return
        }
        #expect(!stage.has("f") && stage.has("Inbox/f/note.rtfd"))
    }
}

extension FilingReport {
    /// The number of documents that were filed.
    fileprivate var filedCount: Int {
        results.count { if case .filed = $0.result { true } else { false } }
    }

    /// The outcomes of the documents whose names have not moved.
    fileprivate var outcomes: [(id: ArrivalID, outcome: FilingOutcome)] {
        results.compactMap { request, result in
            guard case .refused(let outcome) = result else { return nil }
            return (request.id, outcome)
        }
    }
}
