import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxFiling

@Suite(
    "What an interrupted claim has left is ended by the next start",
    .enabled(if: CopyStage.hasTwoFilesystems, "needs two filesystems"))
struct ClaimRecoveryTests {
    private let stage: CopyStage
    private let id: RecordID

    init() throws {
        stage = try CopyStage()
        var source = RecordID.Source()
        id = source.next(at: .now())
        try stage.write(Array("letter".utf8), to: letter)
    }

    private var letter: String { "\(stage.source)/letter.txt" }
    private var copy: String { "\(stage.target)/letter.txt" }

    private func open(_ path: String) throws -> OpenFolder {
        OpenFolder(try Directory.open(path: BytePath(path)))
    }

    /// The staging folders in the Inbox, all of them locked: a program that another test starts has the lock of `interrupt`
    /// too, until it is that program.
    private func held(in folder: OpenFolder) throws -> StagingFolders.Existing {
        let end = ContinuousClock().now + Deadline.usual
        while true {
            Program.waitForStarts()
            let held = try stage.staging.existing(in: folder, at: BytePath(stage.source))
            guard held.isLocked, ContinuousClock().now < end else { return held }
        }
    }

    /// Claims the letter; `isPublished` copies it too, and `isAnnounced` writes the marks of that copy down.
    private func interrupt(isPublished: Bool = false, isAnnounced: Bool = true, isRecorded: Bool = false) throws {
        stage.staging.begin()
        let folder = try open(stage.source)
        let staging = try #require(try stage.staging.folder(in: folder, at: BytePath(stage.source)).folder)
        let target = try open(stage.target)
        var entry = JournalEntry(
            id: id, source: BytePath(letter), status: try stage.status(letter), destination: BytePath(stage.target),
            name: aName("letter.txt"), filesystem: try target.directory.filesystemMark(), since: stage.history.mark,
            documentType: "Letters",
            claim: JournalEntry.ClaimPlaces(
                from: BytePath(stage.source), into: BytePath(stage.source),
                on: try folder.directory.filesystemMark(), named: staging.instance.folderName,
                making: BytePath(stage.target)))
        try stage.journal.note([entry], isDurable: true)
        let staged = try StagedSource.claim(aName("letter.txt"), from: folder, into: staging, id)
        if isPublished {
            try stage.write(Array("letter".utf8), to: copy)
            let status = try #require(try staged.status())
            entry.copied = JournalEntry.Copied(
                copy: try stage.status(copy).identity, source: status.identity, sourceChanged: status.changed)
            if isAnnounced { try stage.journal.note([entry], isDurable: true) }
        }
        if isRecorded {
            let record = FiledRecord(
                id: id, time: .now(), source: BytePath(letter), destination: BytePath(copy), type: "public.plain-text",
                mime: nil, size: 6, evidence: "name", renamed: false, proof: .lease)
            try stage.history.append(record.line, isDurable: true)
        }
        // The process ends here; a lock goes with it.
        try stage.staging.end()
        Program.waitForStarts()
    }

    private var staged: String {
        get throws {
            let folder = try #require(try stage.names(in: stage.source).first { $0.hasPrefix(".inboxd-") })
            return "\(stage.source)/\(folder)/source-\(id.text)/letter.txt"
        }
    }

    private func expect(inbox: [String], documents: [String], records: Int) throws {
        #expect(try stage.names(in: stage.source) == inbox)
        #expect(try stage.names(in: stage.target) == documents)
        #expect(try stage.records.count == records)
        #expect(try Journal(in: stage.state).interrupted.isEmpty)
    }

    @Test("A source that was claimed and not copied returns to the Inbox")
    func notCopied() throws {
        try interrupt()
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test("A copy that was published and not recorded is recorded, and its source goes")
    func notRecorded() throws {
        try interrupt(isPublished: true)
        #expect(try stage.recover().records.count == 1)
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
    }

    @Test("The source of a recorded copy goes, and nothing is recorded twice")
    func recorded() throws {
        try interrupt(isPublished: true, isRecorded: true)
        #expect(try stage.recover().records.isEmpty)
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
    }

    @Test("A source that somebody has changed since returns to the Inbox, and its copy stays")
    func changed() throws {
        try interrupt(isPublished: true, isRecorded: true)
        try stage.write(Array("LETTER!".utf8), to: try staged)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: ["letter.txt"], records: 1)
        #expect(try stage.read(letter) == Array("LETTER!".utf8))
    }

    @Test("A copy that its owner has edited stays as it is")
    func edited() throws {
        try interrupt(isPublished: true)
        try stage.write(Array("edited".utf8), to: copy)
        _ = try stage.recover()
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
        #expect(try stage.read(copy) == Array("edited".utf8))
    }

    @Test("A file that somebody else put under the wanted name is not taken for the copy")
    func other() throws {
        try interrupt(isPublished: true, isAnnounced: false)
        _ = try stage.recover()
        try expect(inbox: ["letter.txt"], documents: ["letter.txt"], records: 0)
    }

    @Test("A source that has to be compared with its copy is left to a recovery of its own once the copy is recorded")
    func compared() throws {
        try interrupt(isPublished: true)
        // Only its change time is another one now.
        #expect(chmod(try staged, 0o600) == 0)
        let recovery = try #require(
            try Recovery.started(
                in: stage.state, stage.history, documents: stage.target, inboxes: [stage.source]
            ).first)
        let findings = recovery.perform()
        #expect(findings.records.map(\.id) == [id] && findings.ended.isEmpty && findings.open.isEmpty)
        let share = try #require(findings.comparisons.first)
        #expect(share.comparing == [geteuid()] && Array(share.entries.claims.keys) == [id])
        #expect(recovery.of(share).perform().ended.map(\.id) == [id])
        // The staging folder goes with the roots.
        _ = try stage.recover()
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
    }

    @Test("A source whose writer has it open waits until that is closed")
    func written() throws {
        try interrupt(isPublished: true, isRecorded: true)
        let writer = Glibc.open(try staged, O_WRONLY | O_CLOEXEC)
        #expect(try stage.recover().open.count == 1)
        #expect(close(writer) == 0)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
    }

    @Test("With the journal lost, a source in the daemon's own staging folder returns to the Inbox")
    func journalLost() throws {
        try interrupt()
        try stage.journal.end([id])
        #expect(try stage.recover().notices.count == 1)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test("With the state folder lost, a source in a staging folder that nobody uses returns to the Inbox")
    func stateLost() throws {
        try interrupt()
        try stage.journal.end([id])
        try stage.state.directory.removeFile(aName("instance"))
        #expect(try stage.recover().notices.count == 1)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test("A staging folder that a killed run still has locked is waited for: its source is not taken for gone")
    func locked() async throws {
        try interrupt()
        let instance = try #require(try Instance.load(from: stage.state).last)
        var held: StagingFolder?
        // A program that another test starts has the lock too, until execve(2) has closed it there.
        try await eventually {
            held = try StagingFolder.find(in: try open(stage.source), at: BytePath(stage.source), instance).folder
            return held == nil ? "the run that was interrupted still has it" : nil
        }
        #expect(try stage.recover(isPatient: false).lockedStaging == BytePath(stage.source))
        #expect(try !Journal(in: stage.state).interrupted.isEmpty)
        // As when a server learns of the end of a client's process.
        held = nil
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test("A copied source that its owner keeps for himself by a lease ends no recovery, and goes once that is over")
    func leased() throws {
        try interrupt(isPublished: true, isRecorded: true)
        signal(SIGIO, SIG_IGN)
        let lease = Glibc.open(try staged, O_RDONLY | O_CLOEXEC)
        let (setLease, writeLease) = (Int32(1024), Int32(F_WRLCK))
        try #require(fcntl(lease, setLease, writeLease) == 0)
        let findings = try stage.recover()
        #expect(findings.failure == nil && findings.open.count == 1)
        close(lease)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: [], documents: ["letter.txt"], records: 1)
    }

    /// The staging folder that an interrupted claim has left.
    private func leftFolder() throws -> String {
        try interrupt()
        return "\(stage.source)/\(try #require(try stage.names(in: stage.source).first))"
    }

    @Test(
        "A staging folder that others may look into since is closed again, and what is in it is ended",
        arguments: [0o755, 0o711, 0o500] as [mode_t])
    func shown(mode: mode_t) throws {
        let folder = try leftFolder()
        #expect(chmod(folder, mode) == 0)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test(
        "What is in a staging folder that others may write in since is neither believed nor forgotten",
        arguments: [0o775, 0o702, 0o1777] as [mode_t], [true, false])
    func exposed(mode: mode_t, isJournaled: Bool) throws {
        let folder = try leftFolder()
        if !isJournaled { try stage.journal.end([id]) }
        #expect(chmod(folder, mode) == 0)
        let open = try stage.recover().open
        #expect(open.count == 1)
        let text = "others may write in \(folder.split(separator: "/").last ?? "") in \(stage.source) (mode "
        #expect(open.first?.reason.hasPrefix(text + String(mode & 0o777, radix: 8)) == true, "\(open)")
        #expect(try Journal(in: stage.state).interrupted.claims.count == (isJournaled ? 1 : 0))
        // Nobody can accept what he cannot see.
        #expect(try stage.recover(isAccepting: true).open.count == 1)
        #expect(try Journal(in: stage.state).interrupted.claims.count == (isJournaled ? 1 : 0))
        #expect(chmod(folder, 0o700) == 0)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test(
        "What was claimed is not forgotten while its staging folder belongs to another user",
        .enabled(if: geteuid() == 0, "needs root"))
    func givenAway() throws {
        let folder = try leftFolder()
        #expect(chown(folder, 65534, 65534) == 0)
        for isAccepting in [false, true] {
            let open = try stage.recover(isAccepting: isAccepting).open
            #expect(open.count == 1 && open.first?.reason.contains("belongs to user 65534") == true, "\(open)")
            #expect(try Journal(in: stage.state).interrupted.claims.count == 1)
        }
        #expect(chown(folder, 0, 0) == 0)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test(
        "What was claimed is not forgotten while a link, a file or a folder is in the place of its staging folder",
        arguments: ["link", "file", "folder"])
    func replaced(by kind: String) throws {
        let folder = try leftFolder()
        let aside = stage.source + "-aside"
        #expect(rename(folder, aside) == 0)
        switch kind {
        case "link": #expect(symlink(aside, folder) == 0)
        case "file": try stage.write([], to: folder)
        default: #expect(mkdir(folder, 0o755) == 0)
        }
        for isAccepting in [false, true] {
            let open = try stage.recover(isAccepting: isAccepting).open
            #expect(open.count == 1 && open.first?.reason.contains("is covered or replaced") == true, "\(open)")
            #expect(try Journal(in: stage.state).interrupted.claims.count == 1)
        }
        #expect(remove(folder) == 0 && rename(aside, folder) == 0)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }

    @Test(
        "A staging folder that was given to the owner of the Inbox is told of without a journal too, a stranger's is not",
        .enabled(if: geteuid() == 0, "needs root"), arguments: [(12345, 1), (23456, 0)] as [(uid_t, Int)])
    func givenToOwner(owner: uid_t, count: Int) throws {
        let folder = try leftFolder()
        try stage.journal.end([id])
        #expect(chown(stage.source, 12345, 12345) == 0 && chown(folder, owner, owner) == 0)
        #expect(try stage.recover().open.count == count)
    }

    @Test("A staging folder that another daemon uses is neither entered nor reported, and looked for again")
    func foreign() throws {
        try interrupt()
        try stage.journal.end([id])
        let folder = try open(stage.source)
        stage.staging.begin()
        let held = try held(in: folder)
        try stage.state.directory.removeFile(aName("instance"))
        let findings = try stage.recover(isPatient: false)
        #expect(findings.open.isEmpty && findings.hasOthers)
        #expect(try stage.names(in: stage.source).count == 1)
        #expect(held.folders.count == 1)
        try stage.staging.end()
    }

    @Test("What is only named like a staging folder stays, is not reported, and is looked at less and less often")
    func namesakes() throws {
        let (folder, file) = (stage.source + "/.inboxd-0123456789abcdef", stage.source + "/.inboxd-0123456789abcdea")
        mkdir(folder, 0o755)
        try stage.write([], to: file)
        let findings = try stage.recover()
        #expect(findings.open.isEmpty && findings.notices.isEmpty && findings.hasOthers)
        #expect(rmdir(folder) == 0 && unlink(file) == 0)
        #expect(try !stage.recover().hasOthers)
    }

    @Test(
        "An Inbox that somebody has replaced by a link gets nothing back, and nothing is put where the link leads",
        .enabled(if: geteuid() == 0, "only root gives links away"))
    func link() throws {
        try interrupt()
        let (moved, outside) = (stage.source + ".moved", stage.target + "/outside")
        mkdir(outside, 0o777)
        #expect(rename(stage.source, moved) == 0)
        #expect(symlink(outside, stage.source) == 0)
        #expect(lchown(stage.source, 12345, 12345) == 0)
        #expect(try stage.recover().open.count == 1)
        #expect(try stage.names(in: outside).isEmpty)
        // The Inbox is back.
        #expect(unlink(stage.source) == 0)
        #expect(rename(moved, stage.source) == 0)
        rmdir(outside)
        #expect(try stage.recover().open.isEmpty)
        try expect(inbox: ["letter.txt"], documents: [], records: 0)
    }
}
