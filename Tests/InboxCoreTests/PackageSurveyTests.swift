import Glibc
import InboxLinux
import Testing

@testable import InboxCore

@Suite struct PackageSurveyTests {
    private func survey(
        _ folder: UnitFolder, _ visit: (borrowing Directory, FileName) throws(SyscallError) -> Void = { _, _ in }
    ) throws -> PackageSurvey {
        try PackageSurvey(of: try folder.open(), visit: visit)
    }

    @Test("A package is as large as its files, and as young as its youngest part")
    func sum() throws {
        let folder = try UnitFolder()
        folder.makeFolder("inner")
        folder.makeFolder("inner/deep")
        try folder.write("a", "12345")
        try folder.write("inner/deep/b", "123")
        folder.makeLink("inner/link", to: "/")
        mkfifo(folder.path + "/fifo", 0o600)
        var visited: [FileName] = []
        let survey = try survey(folder) { (_, name) throws(SyscallError) in visited.append(name) }
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
        let folder = try UnitFolder()
        folder.makeFolder("inner")
        #expect(try !survey(folder).hasFiles)
        try folder.write("inner/a.crdownload")
        #expect(try survey(folder).hasPartial)
    }

    @Test("A package deeper than can be walked is too large, one level less is not")
    func depth() throws {
        let folder = try UnitFolder()
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
        let folder = try UnitFolder()
        folder.makeFolder("inner")
        // More than one buffer of names, so that the folder is asked again after it has gone.
        for number in 0..<1_500 { try folder.write("inner/\(number)-" + String(repeating: "n", count: 40)) }
        var count = 0
        _ = try survey(folder) { (_, _) throws(SyscallError) in
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

    @Test("A failure that is no absence is told")
    func failing() throws {
        let folder = try UnitFolder()
        try folder.write("a")
        var told: Errno?
        do {
            _ = try PackageSurvey(of: try folder.open()) { (_, _) throws(SyscallError) in
                throw SyscallError(.openat, .inputOutput)
            }
        } catch FolderWalk.Failure.failed(let error) {
            told = error.errno
        }
        #expect(told == .inputOutput)
    }
}

@Suite struct DestinationFoldersTests {
    private func reach(_ folders: DestinationFolders, _ names: [String], inboxes: Set<FileKey> = []) throws -> String {
        try folders.reach(names.map { aName($0) }) { inboxes.contains($0) }.path.displayText
    }

    @Test("Folders that are missing are made, with the owner and the mode of the folder around them")
    func made() throws {
        let folder = try UnitFolder()
        chmod(folder.path, 0o2775)
        let folders = DestinationFolders(Places(documents: BytePath(folder.path)))
        #expect(try reach(folders, ["a", "b"]) == folder.path + "/a/b")
        let (parent, made) = (try folder.open().status(), try folder.status("a"))
        #expect(made.permissions == 0o2775)
        #expect(made.owner == parent.owner && made.group == parent.group)
        #expect(folders.made.count == 2)
        #expect(try reach(folders, ["a", "b"]) == folder.path + "/a/b")
        #expect(folders.made.count == 2)
        if geteuid() == 0 {
            chown(folder.path, 12_345, 54_321)
            chmod(folder.path, 0o2770)
            folders.close()
            _ = try reach(folders, ["c"])
            let status = try folder.status("c")
            #expect(status.owner == 12_345 && status.group == 54_321 && status.permissions == 0o2770)
        }
    }

    @Test("A file or a link in the way is spared: a numbered folder serves")
    func inTheWay() throws {
        let folder = try UnitFolder()
        try folder.write("a")
        folder.makeFolder("elsewhere")
        folder.makeLink("a-1", to: "elsewhere")
        folder.makeLink("a-2", to: "nowhere")
        let folders = DestinationFolders(Places(documents: BytePath(folder.path)))
        #expect(try reach(folders, ["a", "b"]) == folder.path + "/a-3/b")
        #expect(try folder.status("a").kind == .regular)
        #expect(failureOf { _ = try folder.status("elsewhere/b") } != nil)
    }

    @Test("An Inbox on the way is not entered, under whatever name")
    func loops() throws {
        let folder = try UnitFolder()
        folder.makeFolder("Inbox")
        let folders = DestinationFolders(Places(documents: BytePath(folder.path)))
        let key = try folder.status("Inbox").identity.file
        var isLoop = false
        do { _ = try reach(folders, ["Inbox", "a"], inboxes: [key]) } catch DestinationError.loops { isLoop = true }
        #expect(isLoop)
        #expect(failureOf { _ = try folder.open().folder(aName("Inbox")).status(of: aName("a")) } == .noEntry)
        #expect(try reach(folders, ["other"], inboxes: [key]) == folder.path + "/other")
    }

    @Test("Documents that is missing is told as such, and not made")
    func missing() throws {
        let folder = try UnitFolder()
        let folders = DestinationFolders(Places(documents: BytePath(folder.path + "/none")))
        var told: Errno?
        do { _ = try reach(folders, ["a"]) } catch DestinationError.failed(_, let error) { told = error.errno }
        #expect(told == .noEntry)
    }
}

@Suite struct OpenFoldersTests {
    private func folder(_ stage: UnitFolder, _ name: String) throws -> (Folder, Inbox) {
        let inbox = Inbox(IntakeStage.configured(BytePath(stage.path)))
        let top = Folder(
            inbox: inbox, place: .top, key: try stage.open().status().identity.file, depth: 0, touched: .now())
        let key = try stage.status(name).identity.file
        return (Folder(inbox: inbox, place: .inside(top, aName(name)), key: key, depth: 1, touched: .now()), inbox)
    }

    @Test("A folder that another has replaced is not used, nor a link in its place")
    func replaced() throws {
        let stage = try UnitFolder()
        stage.makeFolder("f")
        let (folder, inbox) = try folder(stage, "f")
        let open = OpenFolders()
        #expect(try open.directory(folder).directory.status().identity.file == folder.key)
        try stage.open().rename(aName("f"), to: try stage.open(), as: aName("g"))
        stage.makeFolder("f")
        // What is open is still itself, until it is forgotten.
        #expect(try open.directory(folder).directory.status().identity.file == folder.key)
        open.forget(folder)
        #expect(failureOf { _ = try open.directory(folder) } == .noEntry)
        rmdir(stage.path + "/f")
        stage.makeLink("f", to: "g")
        #expect(failureOf { _ = try open.directory(folder) }?.isAbsent == true)
        #expect(inbox.watching == .missing)
    }

    @Test("No more than 32 folders are open at once, and none after the turn")
    func bounded() throws {
        let stage = try UnitFolder()
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
