import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

@Suite struct PackageSurveyTests {
    private func survey(
        _ folder: TemporaryFolder, _ visit: (FileName) throws(SyscallError) -> Void = { _ in }
    ) throws -> PackageSurvey {
        try PackageSurvey(of: try folder.open()) { (entry) throws(SyscallError) in
            let status = try entry.status()
            if status.kind == .regular { try visit(entry.name) }
            return status
        }
    }

    @Test("A package is as large as its files, and as young as its youngest part")
    func sum() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inner")
        folder.makeFolder("inner/deep")
        try folder.write("a", "12345")
        try folder.write("inner/deep/b", "123")
        folder.makeLink("inner/link", to: "/")
        mkfifo(folder.path + "/fifo", 0o600)
        var visited: [FileName] = []
        let survey = try survey(folder) { (name) throws(SyscallError) in visited.append(name) }
        #expect(survey.status.size == 8)
        #expect(survey.hasFiles && !survey.hasPartial)
        #expect(Set(visited) == [aName("a"), aName("b")])
        #expect(try survey.status.identity.file == folder.open().status().identity.file)
        let times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 7), timespec(tv_sec: 4_000_000_000, tv_nsec: 7)]
        utimensat(AT_FDCWD, folder.path + "/inner/deep/b", times, 0)
        let later = try self.survey(folder).status
        #expect(later.identity.modified == Timestamp(seconds: 4_000_000_000, nanoseconds: 7))
        #expect(later.identity != survey.status.identity)
    }

    @Test("A package without a file is empty, and a download in it is seen")
    func empty() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inner")
        #expect(try !survey(folder).hasFiles)
        try folder.write("inner/a.crdownload")
        #expect(try survey(folder).hasPartial)
    }

    @Test("A package deeper than can be walked is too large, one level less is not")
    func depth() throws {
        let folder = try TemporaryFolder()
        var current = try folder.open()
        for level in 1...100 {
            try current.makeFolder(aName("d"), mode: 0o755)
            current = try current.folder(aName("d"))
            if level == 99 { _ = try survey(folder) }
        }
        var isTooLarge = false
        do { _ = try PackageSurvey(of: try folder.open()) } catch FolderWalk.Failure.tooLarge { isTooLarge = true }
        #expect(isTooLarge)
    }

    @Test("What vanishes while the package is looked through is left out, folders that are being read included")
    func vanishing() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inner")
        // More than one buffer of names, so that the folder is asked again after it has gone.
        for number in 0..<1_500 { try folder.write("inner/\(number)-" + String(repeating: "n", count: 40)) }
        var count = 0
        _ = try survey(folder) { (_) throws(SyscallError) in
            count += 1
            if count == 1 {
                let inner = try folder.open().folder(aName("inner"))
                var entries = try DirectoryEntries(of: inner)
                var names: [FileName] = []
                while let entry = try entries.next() { names.append(entry.name) }
                for name in names { try entries.directory.removeFile(name) }
                try folder.open().removeFolder(aName("inner"))
            }
        }
        #expect(count == 1)
    }

    @Test("A failure that is no absence is reported")
    func failing() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        var reported: Errno?
        do {
            _ = try PackageSurvey(of: try folder.open()) { (_) throws(SyscallError) in
                throw SyscallError(.openat, .inputOutput)
            }
        } catch FolderWalk.Failure.failed(let error) {
            reported = error.errno
        }
        #expect(reported == .inputOutput)
    }
}

@Suite struct OpenFoldersTests {
    private func folder(_ stage: TemporaryFolder, _ name: String) throws -> (Folder, Inbox) {
        let inbox = Inbox(IntakeStage.configured(BytePath(stage.path)))
        let top = Folder(
            inbox: inbox, location: .top, key: try stage.open().status().identity.file, touched: .now())
        let key = try stage.status(name).identity.file
        return (Folder(inbox: inbox, location: .inside(top, aName(name)), key: key, touched: .now()), inbox)
    }

    @Test("A folder that another has replaced is not used, nor a link in its place")
    func replaced() throws {
        let stage = try TemporaryFolder()
        stage.makeFolder("f")
        let (folder, inbox) = try folder(stage, "f")
        let open = OpenFolders()
        #expect(try open.directory(folder).directory.status().identity.file == folder.key)
        try stage.open().rename(aName("f"), to: try stage.open(), as: aName("g"))
        stage.makeFolder("f")
        // What is open is still itself, until it is forgotten.
        #expect(try open.directory(folder).directory.status().identity.file == folder.key)
        open.forget(folder)
        #expect(Self.isMoved(folder, open))
        rmdir(stage.path + "/f")
        stage.makeLink("f", to: "g")
        #expect(Self.isMoved(folder, open))
        #expect(inbox.watching == .missing)
    }

    /// Whether the cache says of a folder that it is not where it was.
    private static func isMoved(_ folder: Folder, _ open: OpenFolders) -> Bool {
        do throws(FolderError) {
            _ = try open.directory(folder)
            return false
        } catch {
            if case .moved = error { return true }
            return false
        }
    }

    @Test("No more than 32 folders are open at once, and none after the turn")
    func bounded() throws {
        let stage = try TemporaryFolder()
        for number in 0..<80 { stage.makeFolder("f\(number)") }
        let open = OpenFolders()
        var kept: [Folder] = []
        for number in 0..<80 {
            let (folder, _) = try folder(stage, "f\(number)")
            kept.append(folder)
            _ = try open.directory(folder)
            #expect(open.count <= 32)
        }
        #expect(open.count > 0)
        open.clear()
        #expect(open.count == 0)
        #expect(kept.count == 80)
    }
}

@Suite("Surveys of packages on a worker")
struct PackageSurveysTests {
    @Test("A survey on a worker is taken when it has finished; one that is asked for meanwhile follows")
    func worker() throws {
        let folder = try TemporaryFolder()
        for name in ["inbox", "inbox/p.rtfd"] { folder.makeFolder(name) }
        try folder.write("inbox/p.rtfd/a", "123")
        let pool = try FairPool()
        let intake = Intake(
            inotify: nil, pool: pool,
            isPackage: { $0.bytes.suffix(5).elementsEqual(".rtfd".utf8) }, report: { _ in })
        var moment = Moment.current()
        intake.adopt([IntakeStage.configured(BytePath(folder.path + "/inbox"))], at: moment)
        intake.proceed(at: moment)
        #expect(intake.arrivals().isEmpty && intake.isReading)
        // The same name once more, while the first survey is under way.
        intake.requestFullScan(at: moment)
        intake.proceed(at: moment)
        var rounds = 0
        while intake.isReading {
            pool.awaitFinished(until: .now() + .seconds(10))
            try pool.takeFinished()
            intake.parts.inspection.takeSurveys(at: moment)
            intake.proceed(at: moment)
            rounds += 1
            try #require(rounds < 50)
        }
        let arrival = try #require(intake.arrivals().first)
        #expect(arrival.size == 3 && arrival.facts?.package?.hasFiles == true)
        #expect(intake.accounting.seen == 1 && intake.accounting.waiting == 1)
        moment = Moment(now: moment.now + .seconds(6), wall: moment.wall(at: moment.now + .seconds(6)))
        intake.proceed(at: moment)
        #expect(!intake.hasReady, "it is surveyed again first")
        while intake.isReading {
            pool.awaitFinished(until: .now() + .seconds(10))
            try pool.takeFinished()
            intake.parts.inspection.takeSurveys(at: moment)
        }
        #expect(intake.takeReady(most: 1, at: moment).first?.isPackage == true)
    }

    @Test("The longer the surveys of a package take, the rarer they are")
    func cost() {
        let now = Instant(nanoseconds: 1_000_000_000_000)
        var facts = Settling.Facts(kind: .directory, isPackage: true, quietSince: now)
        for (cost, wait) in [(0, 5_000), (100, 5_000), (1_000, 20_000), (10_000, 60_000)] {
            facts.surveyCost = .milliseconds(cost)
            let verdict = Settling.decide(facts, InboxSettings(), at: now)
            #expect(verdict == .wait(.settling, until: now + .milliseconds(wait)), "\(cost) ms")
        }
    }
}
