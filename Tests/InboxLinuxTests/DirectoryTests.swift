import Glibc
import InboxTestSupport
import Testing

@testable import InboxLinux

@Suite struct DirectoryTests {
    @Test("A folder of 10,000 names is read whole, every odd name byte for byte and none twice")
    func entries() throws {
        let folder = try TemporaryFolder()
        let opened = try folder.open()
        var wanted: Set<FileName> = [
            aName("..."), aName(" "), aName("\n"), aName("-rf"), aName("a\\x00"),
            aName(String(repeating: "n", count: 255)),
            try #require(FileName([0xFF, 0xFE])), try #require(FileName([UInt8](repeating: 0xC3, count: 255))),
        ]
        for number in 0..<10_000 { wanted.insert(aName("file-\(number)")) }
        for name in wanted { _ = try opened.appendingFile(name) }
        folder.makeFolder("inner")
        folder.makeLink("link", to: "nowhere")
        mkfifo(folder.path + "/fifo", 0o600)
        var found: [FileName: DirectoryEntries.Entry] = [:]
        var entries = try DirectoryEntries(of: opened)
        var count = 0
        while let entry = try entries.next() {
            found[entry.name] = entry
            count += 1
        }
        #expect(count == wanted.count + 3)
        #expect(Set(found.keys) == wanted.union([aName("inner"), aName("link"), aName("fifo")]))
        // Filesystems may leave the kind out, but never report a wrong one.
        #expect([nil, .directory].contains(found[aName("inner")]?.kind))
        #expect([nil, .symlink].contains(found[aName("link")]?.kind))
        #expect([nil, .special].contains(found[aName("fifo")]?.kind))
        #expect([nil, .regular].contains(found[aName(" ")]?.kind))
        let status = try entries.directory.status(of: aName(" "))
        #expect(found[aName(" ")]?.inode == status.identity.file.inode)
        #expect(try entries.next() == nil)
    }

    @Test("Reading begins anew at the first name, though the descriptor was read before")
    func again() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        var entries = try DirectoryEntries(of: try folder.open())
        #expect(try entries.next()?.name == aName("a"))
        var second = try DirectoryEntries(of: try entries.directory.folder(beneath: []))
        #expect(try second.next()?.name == aName("a"))
        #expect(try second.next() == nil)
    }

    @Test("Reading a folder that was removed meanwhile says so")
    func removed() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inner")
        var entries = try DirectoryEntries(of: try folder.open().folder(aName("inner")))
        rmdir(folder.path + "/inner")
        var reported: Errno?
        do { _ = try entries.next() } catch { reported = error.errno }
        #expect(reported == .noEntry)
    }

    @Test("A way beneath a folder goes through no link, wherever it leads and wherever on the way it is")
    func beneath() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("a")
        folder.makeFolder("a/b")
        folder.makeFolder("outside")
        folder.makeLink("a/up", to: "..")
        folder.makeLink("a/here", to: "b")
        folder.makeLink("a/absolute", to: folder.path + "/outside")
        folder.makeLink("a/process", to: "/proc/self/cwd")
        try folder.write("a/file")
        let opened = try folder.open()
        let key = try opened.folder(aName("a")).folder(aName("b")).status().identity.file
        #expect(try opened.folder(beneath: [aName("a"), aName("b")]).status().identity.file == key)
        #expect(try opened.folder(beneath: []).status().identity.file == opened.status().identity.file)
        for link in ["up", "here", "absolute", "process"] {
            let last = failureOf { _ = try opened.folder(beneath: [aName("a"), aName(link)]) }
            let middle = failureOf { _ = try opened.folder(beneath: [aName("a"), aName(link), aName("b")]) }
            let direct = failureOf { _ = try opened.folder(aName("a")).folder(aName(link)) }
            #expect(last?.isAbsent == true && middle?.isAbsent == true && direct?.isAbsent == true, "\(link)")
        }
        #expect(failureOf { _ = try opened.folder(beneath: [aName("a"), aName("file")]) } == .notDirectory)
        #expect(failureOf { _ = try opened.folder(beneath: [aName("none")]) } == .noEntry)
    }

    @Test("A way longer than PATH_MAX is walked in parts, and a link in its last part is refused")
    func longPath() throws {
        let folder = try TemporaryFolder()
        var path: [FileName] = []
        var current = try folder.open()
        for level in 0..<40 {
            let inner = aName("\(level)-" + String(repeating: "d", count: 240))
            try current.makeFolder(inner, mode: 0o755)
            current = try current.folder(inner)
            path.append(inner)
        }
        #expect(path.reduce(0) { $0 + $1.count + 1 } > 2 * 4096)
        let reached = try folder.open().folder(beneath: path)
        #expect(try reached.status().identity.file == current.status().identity.file)
        symlinkat("..", reached.descriptor.number, "up")
        #expect(failureOf { _ = try folder.open().folder(beneath: path + [aName("up")]) }?.isAbsent == true)
    }

    @Test("A folder that was swapped for a link is not followed; one that is held open is still itself")
    func swapped() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inbox")
        folder.makeFolder("victim")
        try folder.write("victim/secret", "s")
        let root = try folder.open()
        let held = try root.folder(aName("inbox"))
        try root.rename(aName("inbox"), to: root, as: aName("gone"))
        folder.makeLink("inbox", to: "victim")
        #expect(failureOf { _ = try root.folder(aName("inbox")) }?.isAbsent == true)
        #expect(failureOf { _ = try root.folder(beneath: [aName("inbox")]) }?.isAbsent == true)
        #expect(failureOf { _ = try held.status(of: aName("secret")) } == .noEntry)
        #expect(try root.status(of: aName("inbox")).kind == .symlink)
    }

    @Test("A file is opened through no link, and a FIFO without waiting")
    func file() throws {
        let folder = try TemporaryFolder()
        try folder.write("real", "content")
        folder.makeLink("link", to: "real")
        mkfifo(folder.path + "/fifo", 0o600)
        let opened = try folder.open()
        #expect(try opened.file(aName("real")).contents(limit: 7) == Array("content".utf8))
        #expect(try opened.file(aName("real")).contents(limit: 6) == nil)
        #expect(failureOf { _ = try opened.file(aName("link")) }?.isAbsent == true)
        #expect(failureOf { _ = try opened.appendingFile(aName("link")) }?.isAbsent == true)
        #expect(try opened.file(aName("fifo")).status().kind == .special)
    }

    @Test("No path holds a NUL, which would name what its beginning names")
    func nul() {
        #expect(BytePath(bytes: [0x61, 0, 0x62]) == nil)
        #expect(BytePath(escapedText: "a\\x00b") == nil)
        #expect(BytePath(escapedText: "a\\xffb") == BytePath(bytes: [0x61, 0xFF, 0x62]))
    }

    @Test("A path whose name is too long, alone or beyond what one call takes, is refused by the kernel")
    func longName() throws {
        let folder = try TemporaryFolder()
        for count in [256, 4001, 5000] {
            let path = folder.bytePath(String(repeating: "n", count: count))
            #expect(failureOf { _ = try Directory.open(path: path) }?.rawValue == ENAMETOOLONG)
        }
    }
}

@Suite struct MovingNamesTests {
    @Test(
        "A rename replaces nothing, whatever has the name", arguments: ["file", "folder", "link", "dangling", "fifo"])
    func noReplace(_ kind: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "mine")
        switch kind {
        case "file": try folder.write("b", "theirs")
        case "folder": folder.makeFolder("b")
        case "link": folder.makeLink("b", to: "a")
        case "dangling": folder.makeLink("b", to: "nowhere")
        default: mkfifo(folder.path + "/b", 0o600)
        }
        let opened = try folder.open()
        let before = try opened.status(of: aName("b")).identity
        #expect(failureOf { try opened.rename(aName("a"), to: opened, as: aName("b")) } == .exists)
        #expect(failureOf { try opened.link(aName("a"), to: opened, as: aName("b")) } == .exists)
        #expect(try opened.status(of: aName("b")).identity == before)
        #expect(try folder.read("a") == "mine")
        try opened.rename(aName("a"), to: opened, as: aName("c"))
        #expect(try folder.read("c") == "mine")
        #expect(failureOf { _ = try opened.status(of: aName("a")) } == .noEntry)
    }

    @Test("A folder replaces an empty folder alone")
    func overEmptyFolder() throws {
        let folder = try TemporaryFolder()
        for made in ["from", "full", "empty"] { folder.makeFolder(made) }
        try folder.write("from/a", "content")
        try folder.write("full/b")
        try folder.write("file")
        let opened = try folder.open()
        let full = failureOf { try opened.renameOverEmptyFolder(aName("from"), to: opened, as: aName("full")) }
        #expect(full == .notEmpty || full == .exists)
        let file = failureOf { try opened.renameOverEmptyFolder(aName("from"), to: opened, as: aName("file")) }
        #expect(file == .notDirectory)
        try opened.renameOverEmptyFolder(aName("from"), to: opened, as: aName("empty"))
        #expect(try folder.read("empty/a") == "content")
    }

    @Test("A second name of a link is a link, and of a file the same file")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        folder.makeLink("l", to: "a")
        let opened = try folder.open()
        try opened.link(aName("a"), to: opened, as: aName("b"))
        try opened.link(aName("l"), to: opened, as: aName("m"))
        #expect(try opened.status(of: aName("b")).links == 2)
        #expect(try opened.status(of: aName("a")).identity == opened.status(of: aName("b")).identity)
        #expect(try opened.status(of: aName("m")).kind == .symlink)
    }

    @Test("Removing a name spares the other kind")
    func remove() throws {
        let folder = try TemporaryFolder()
        try folder.write("file")
        folder.makeFolder("folder")
        try folder.write("folder/inner")
        let opened = try folder.open()
        #expect(failureOf { try opened.removeFile(aName("folder")) } != nil)
        #expect(failureOf { try opened.removeFolder(aName("file")) } == .notDirectory)
        #expect(failureOf { try opened.removeFolder(aName("folder")) } == .notEmpty)
        #expect(failureOf { try opened.makeFolder(aName("file"), mode: 0o700) } == .exists)
        try opened.removeFile(aName("file"))
        #expect(failureOf { _ = try opened.status(of: aName("file")) } == .noEntry)
    }

    @Test("What is moved elsewhere while it is opened is missing or open, and not taken for a mount")
    func movedAway() throws {
        let folder = try TemporaryFolder()
        for name in ["in", "out", "in/package"] { folder.makeFolder(name) }
        try folder.write("in/a", "a")
        let inside = try Directory.open(path: BytePath(folder.path + "/in"))
        let isOver = Once { true }
        let path = folder.path
        try BackgroundThread.start {
            while !isOver.isMade {
                for name in ["a", "package"] {
                    rename("\(path)/in/\(name)", "\(path)/out/\(name)")
                    rename("\(path)/out/\(name)", "\(path)/in/\(name)")
                }
            }
        }
        defer { _ = isOver.value }
        var errors: Set<Errno> = []
        func note(_ call: () throws(SyscallError) -> Void) {
            do throws(SyscallError) { try call() } catch { errors.insert(error.errno) }
        }
        for _ in 0..<Extent.times(100_000, part: 20_000) {
            note { () throws(SyscallError) in _ = try inside.file(aName("a"), mayCross: false) }
            note { () throws(SyscallError) in _ = try inside.folder(aName("package"), mayCross: false) }
        }
        #expect(errors.isSubset(of: [.noEntry]), "\(errors)")
    }
}
