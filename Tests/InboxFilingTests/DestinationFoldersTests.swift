import Glibc
import InboxTestSupport
import Testing

@testable import InboxFiling
@testable import InboxLinux

extension DestinationRoot {
    /// A folder that documents go to.
    static func over(_ path: BytePath) throws -> DestinationRoot {
        let roots = Roots(home: path.parent)
        roots.documents = path
        return try roots.destination(by: FolderMaking().make)
    }
}

@Suite struct DestinationFoldersTests {
    private func folders(_ folder: TemporaryFolder, inboxes: Set<FileKey> = []) throws -> DestinationFolders {
        DestinationFolders(try .over(BytePath(folder.path)), inboxFolders: inboxes)
    }

    private func reach(_ folders: DestinationFolders, _ names: String...) throws -> String {
        try folders.reach(names.map { aName($0) }).path.displayText
    }

    @Test("Missing folders are created with the owner and the mode of the folder around them")
    func made() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o2775)
        let folders = try folders(folder)
        #expect(try reach(folders, "a", "b") == folder.path + "/a/b")
        let (parent, made) = (try folder.open().status(), try folder.status("a"))
        #expect(made.permissions == 0o2775)
        #expect(made.owner == parent.owner && made.group == parent.group)
        #expect(folders.made.count == 2)
        #expect(try reach(folders, "a", "b") == folder.path + "/a/b")
        #expect(folders.made.count == 2)
    }

    @Test(
        "A default access list that gives a new folder's owner less takes nothing from its mode",
        arguments: [0o2775, 0o700] as [mode_t])
    func defaultList(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, mode)
        let list = TestAccessList([(.owner, 5), (.group, 5), (.others, 5)])
        try folder.open().descriptor.setAttribute(.defaultList, to: list.bytes)
        #expect(try reach(try folders(folder), "a", "b") == folder.path + "/a/b")
        for name in ["a", "a/b"] { #expect(try folder.status(name).permissions == UInt32(mode), "\(name)") }
    }

    @Test("A folder for somebody else gets that owner", .enabled(if: geteuid() == 0, "only root gives folders away"))
    func givenAway() throws {
        let folder = try TemporaryFolder()
        chown(folder.path, 12_345, 54_321)
        chmod(folder.path, 0o2770)
        #expect(try reach(try folders(folder), "c") == folder.path + "/c")
        let status = try folder.status("c")
        #expect(status.owner == 12_345 && status.group == 54_321 && status.permissions == 0o2770)
    }

    @Test("A file or a link that leads nowhere is spared: a numbered folder serves")
    func inTheWay() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        folder.makeFolder("elsewhere")
        folder.makeLink("a-1", to: "nowhere")
        folder.makeLink("a-2", to: "a")
        #expect(try reach(try folders(folder), "a", "b") == folder.path + "/a-3/b")
        #expect(try folder.status("a").kind == .regular)
        #expect(failureOf { _ = try folder.status("elsewhere/b") } != nil)
    }

    @Test("A link that the owner has made is followed, inside and outside, and not into an Inbox")
    func ownLinks() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        folder.makeFolder("inside")
        folder.makeLink("a", to: "inside")
        folder.makeLink("b", to: other.path)
        folder.makeFolder("Inbox")
        folder.makeLink("c", to: "Inbox")
        #expect(try reach(try folders(folder), "a", "x") == folder.path + "/a/x")
        #expect(try folder.status("inside/x").kind == .directory)
        #expect(try reach(try folders(folder), "b", "y") == folder.path + "/b/y")
        #expect(try other.status("y").kind == .directory)
        let key = try folder.status("Inbox").identity.file
        var isLoop = false
        do { _ = try reach(try folders(folder, inboxes: [key]), "c") } catch DestinationError.loops { isLoop = true }
        #expect(isLoop)
    }

    @Test(
        "A link that somebody else has made is passed over, wherever it leads",
        .enabled(if: geteuid() == 0, "only root makes links for others"))
    func linksOfOthers() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        folder.makeLink("a", to: other.path)
        lchown(folder.path + "/a", 12_345, 12_345)
        #expect(try reach(try folders(folder), "a", "x") == folder.path + "/a-1/x")
        // Its own is not taken for the owner's by way of the folder at its end.
        chown(other.path, 12_345, 12_345)
        #expect(try reach(try folders(folder), "a", "x") == folder.path + "/a-1/x")
        #expect(failureOf { _ = try other.status("x") } != nil)
    }

    @Test("An Inbox on the way is not entered, under whatever name")
    func loops() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("Inbox")
        let key = try folder.status("Inbox").identity.file
        let folders = try folders(folder, inboxes: [key])
        var isLoop = false
        do { _ = try reach(folders, "Inbox", "a") } catch DestinationError.loops { isLoop = true }
        #expect(isLoop)
        #expect(failureOf { _ = try folder.open().folder(aName("Inbox")).status(of: aName("a")) } == .noEntry)
        #expect(try reach(folders, "other") == folder.path + "/other")
    }

    @Test("Among 20,000 files of its row the number of a folder is found by few calls")
    func manyInTheWay() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        for number in 1..<20_000 { try folder.write("a-\(number)") }
        let folders = try folders(folder)
        var path = ""
        let spent = try ContinuousClock().measure { path = try reach(folders, "a") }
        #expect(path == folder.path + "/a-20000")
        #expect(spent < .milliseconds(100), "\(spent)")
    }
}

/// What is in the place of a folder that was just created.
@Suite("Folders that somebody exchanges")
struct ExchangedFolderTests {
    private func finish(_ name: String, in folder: TemporaryFolder) throws {
        let parent = try folder.open()
        let model = try parent.status()
        try FolderMaking.finish(aName(name), in: parent, like: model, createdAfter: model.changed)
    }

    @Test(
        "A folder that an interrupted run has made for another owner is finished though its mode was changed since",
        .enabled(if: geteuid() == 0, "only root gives folders away"))
    func known() throws {
        let folder = try TemporaryFolder()
        try #require(chown(folder.path, 4242, 4242) == 0)
        chmod(folder.path, 0o2775)
        folder.makeFolder("made")
        chmod(folder.path + "/made", 0o755)
        let parent = try folder.open()
        let made = try folder.status("made")
        try FolderMaking.finish(aName("made"), in: parent, like: try parent.status(), known: made.identity.file)
        let status = try folder.status("made")
        #expect(status.owner == 4242 && status.permissions == 0o2775)
    }

    @Test("One of which the umask has left less gets its mode, and an older one of such a mode keeps it")
    func smaller() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o2775)
        for mode: mode_t in [0o700, 0o500, 0o1500] {
            let (old, new) = ("old\(mode)", "new\(mode)")
            for name in [old, new] {
                folder.makeFolder(name)
                chmod(folder.path + "/" + name, mode)
                if name == new { continue }
                usleep(20_000)
                try folder.write("later\(mode)")
            }
            let parent = try folder.open()
            let model = try parent.status()
            let before = try folder.status("later\(mode)").changed
            for name in [old, new] {
                try FolderMaking.finish(aName(name), in: parent, like: model, createdAfter: before)
            }
            #expect(try folder.status(new).permissions == 0o2775)
            #expect(try folder.status(old).permissions == UInt32(mode))
        }
    }

    @Test("A folder with something in it keeps its mode: it is not the one that was created")
    func full() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("private")
        chmod(folder.path + "/private", 0o700)
        try folder.write("private/letter.txt")
        try finish("private", in: folder)
        #expect(try folder.status("private").permissions == 0o700)
    }

    @Test("An older folder keeps its mode, though it is empty and of the same owner")
    func older() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("private")
        chmod(folder.path + "/private", 0o700)
        try #require(try folder.status("private").identity.file.birth != nil)
        usleep(20_000)
        try folder.write("later")
        try finish("private", in: folder)
        #expect(try folder.status("private").permissions == 0o700)
    }

    @Test("Another's folder keeps its owner and mode", .enabled(if: geteuid() == 0, "only root gives folders away"))
    func foreign() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o2775)
        folder.makeFolder("private")
        chown(folder.path + "/private", 4242, 4242)
        chmod(folder.path + "/private", 0o700)
        try finish("private", in: folder)
        let status = try folder.status("private")
        #expect(status.owner == 4242 && status.permissions == 0o700)
    }

    @Test("A folder with a mode that lets others in keeps it: what was created keeps them out")
    func open() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("other")
        chmod(folder.path + "/other", 0o755)
        chmod(folder.path, 0o2775)
        try finish("other", in: folder)
        #expect(try folder.status("other").permissions == 0o755)
    }
}

/// Guarantee 5: existing folders of others below a destination.
@Suite("Private folders of others")
struct FolderRestrictionsTests {
    private func status(owner: UInt32, group: UInt32, mode: UInt32) throws -> FileStatus {
        let folder = try TemporaryFolder()
        folder.makeFolder("a")
        try #require(chown(folder.path + "/a", owner, group) == 0)
        chmod(folder.path + "/a", mode)
        return try folder.status("a")
    }

    private struct Case: CustomTestStringConvertible {
        let name: String
        let owner: UInt32
        var group: UInt32 = 77
        let mode: UInt32
        let admits: [UInt32]
        /// What its access list permits the owning group; nil where it has none.
        var groupList: UInt8?
        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "private", owner: 2000, mode: 0o700, admits: [2000]),
        Case(name: "writable for everybody", owner: 2000, mode: 0o777, admits: [2000, 3000]),
        Case(name: "writable for everybody, and not readable", owner: 2000, mode: 0o733, admits: [2000, 3000]),
        Case(name: "writable for everybody who cannot enter it", owner: 2000, mode: 0o722, admits: [2000]),
        Case(name: "writable for everybody but its group", owner: 2000, group: 100, mode: 0o707, admits: [2000]),
        Case(
            name: "writable for everybody but its group by its list", owner: 2000, mode: 0o777, admits: [2000],
            groupList: 5),
        Case(name: "writable for the destination's group", owner: 2000, group: 100, mode: 0o770, admits: [2000, 3000]),
        Case(
            name: "writable for somebody whom its list names", owner: 2000, group: 100, mode: 0o770, admits: [2000],
            groupList: 0),
        Case(
            name: "writable for the destination's group by its list", owner: 2000, group: 100, mode: 0o770,
            admits: [2000, 3000], groupList: 7),
        Case(name: "writable for another group", owner: 2000, mode: 0o770, admits: [2000]),
        Case(name: "readable for everybody", owner: 2000, mode: 0o755, admits: [2000]),
        Case(name: "of the destination's owner", owner: 1000, mode: 0o700, admits: [2000, 3000]),
        Case(name: "root's", owner: 0, mode: 0o700, admits: [2000, 3000]),
    ]

    /// An access list in which 61000 may do everything, and the owning group this.
    private static func list(group: UInt8) -> AccessList {
        AccessList(
            TestAccessList([
                (.owner, 7), (.user(61000), 7), (.group, UInt16(group)), (.mask, 7), (.others, 0),
            ]).bytes)
    }

    @Test(
        "A document enters only where its owner could have put it",
        .enabled(if: geteuid() == 0, "only root gives folders away"), arguments: cases)
    private func rule(_ row: Case) throws {
        let destination = FolderRestrictions(ofDestination: try status(owner: 1000, group: 100, mode: 0o2770))
        let path = BytePath("/documents/a")
        let folder = try status(owner: row.owner, group: row.group, mode: row.mode)
        let inside = destination.entering(path, folder) { row.groupList.map(Self.list) }
        for owner: UInt32 in [2000, 3000] {
            let isAdmitted = inside.denying(owner: owner) == nil
            #expect(isAdmitted == row.admits.contains(owner), "\(row.name), owner \(owner)")
        }
        // What lies deeper is no way round it.
        let deeper = inside.entering(BytePath("/documents/a/b"), try status(owner: 1000, group: 100, mode: 0o777)) {
            nil
        }
        #expect(deeper.denying(owner: 3000) == (row.admits.contains(3000) ? nil : path))
    }
}
