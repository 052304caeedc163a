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
            name("..."), name(" "), name("\n"), name("-rf"), name("a\\x00"), name(String(repeating: "n", count: 255)),
            try #require(FileName([0xFF, 0xFE])), try #require(FileName([UInt8](repeating: 0xC3, count: 255))),
        ]
        for number in 0..<10_000 { wanted.insert(name("file-\(number)")) }
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
        #expect(Set(found.keys) == wanted.union([name("inner"), name("link"), name("fifo")]))
        // Filesystems may leave the kind out, but never tell a wrong one.
        #expect([nil, .directory].contains(found[name("inner")]?.kind))
        #expect([nil, .symlink].contains(found[name("link")]?.kind))
        #expect([nil, .special].contains(found[name("fifo")]?.kind))
        #expect([nil, .regular].contains(found[name(" ")]?.kind))
        let status = try entries.directory.status(of: name(" "))
        #expect(found[name(" ")]?.inode == status.identity.file.inode)
        #expect(try entries.next() == nil)
    }

    @Test("Reading begins anew at the first name, though the descriptor was read before")
    func again() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        var entries = try DirectoryEntries(of: try folder.open())
        #expect(try entries.next()?.name == name("a"))
        var second = try DirectoryEntries(of: try entries.directory.folder(beneath: []))
        #expect(try second.next()?.name == name("a"))
        #expect(try second.next() == nil)
    }

    @Test("Reading a folder that was removed meanwhile says so")
    func removed() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inner")
        var entries = try DirectoryEntries(of: try folder.open().folder(name("inner")))
        rmdir(folder.path + "/inner")
        var told: Errno?
        do { _ = try entries.next() } catch { told = error.errno }
        #expect(told == .noEntry)
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
        let key = try opened.folder(name("a")).folder(name("b")).status().identity.file
        #expect(try opened.folder(beneath: [name("a"), name("b")]).status().identity.file == key)
        #expect(try opened.folder(beneath: []).status().identity.file == opened.status().identity.file)
        for link in ["up", "here", "absolute", "process"] {
            let last = failure { _ = try opened.folder(beneath: [name("a"), name(link)]) }
            let middle = failure { _ = try opened.folder(beneath: [name("a"), name(link), name("b")]) }
            let direct = failure { _ = try opened.folder(name("a")).folder(name(link)) }
            #expect(last?.isAbsent == true && middle?.isAbsent == true && direct?.isAbsent == true, "\(link)")
        }
        #expect(failure { _ = try opened.folder(beneath: [name("a"), name("file")]) } == .notDirectory)
        #expect(failure { _ = try opened.folder(beneath: [name("none")]) } == .noEntry)
    }

    @Test("A way longer than PATH_MAX is walked in parts, and a link in its last part is refused")
    func longPath() throws {
        let folder = try TemporaryFolder()
        var path: [FileName] = []
        var current = try folder.open()
        for level in 0..<40 {
            let inner = name("\(level)-" + String(repeating: "d", count: 240))
            try current.makeFolder(inner, mode: 0o755)
            current = try current.folder(inner)
            path.append(inner)
        }
        #expect(path.reduce(0) { $0 + $1.count + 1 } > 2 * 4096)
        let reached = try folder.open().folder(beneath: path)
        #expect(try reached.status().identity.file == current.status().identity.file)
        symlinkat("..", reached.descriptor.number, "up")
        #expect(failure { _ = try folder.open().folder(beneath: path + [name("up")]) }?.isAbsent == true)
    }

    @Test("A folder that was swapped for a link is not followed; one that is held open is still itself")
    func swapped() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("inbox")
        folder.makeFolder("victim")
        try folder.write("victim/secret", "s")
        let root = try folder.open()
        let held = try root.folder(name("inbox"))
        try root.rename(name("inbox"), to: root, as: name("gone"))
        folder.makeLink("inbox", to: "victim")
        #expect(failure { _ = try root.folder(name("inbox")) }?.isAbsent == true)
        #expect(failure { _ = try root.folder(beneath: [name("inbox")]) }?.isAbsent == true)
        #expect(failure { _ = try held.status(of: name("secret")) } == .noEntry)
        #expect(try root.status(of: name("inbox")).kind == .symlink)
    }

    @Test("A file is opened through no link, and a FIFO without waiting")
    func file() throws {
        let folder = try TemporaryFolder()
        try folder.write("real", "content")
        folder.makeLink("link", to: "real")
        mkfifo(folder.path + "/fifo", 0o600)
        let opened = try folder.open()
        #expect(try opened.file(name("real")).contents(limit: 7) == Array("content".utf8))
        #expect(failure { _ = try opened.file(name("real")).contents(limit: 6) } == Errno(rawValue: EFBIG))
        #expect(failure { _ = try opened.file(name("link")) }?.isAbsent == true)
        #expect(failure { _ = try opened.appendingFile(name("link")) }?.isAbsent == true)
        #expect(try opened.file(name("fifo")).status().kind == .special)
    }

    @Test("A path with a NUL in it opens nothing, rather than what its beginning names")
    func nul() throws {
        let folder = try TemporaryFolder()
        #expect(failure { _ = try Directory.open(path: folder.bytes() + [0, 0x61]) } == .invalid)
        #expect(failure { _ = try FileDescriptor.reading(path: folder.bytes() + [0]) } == .invalid)
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
        let before = try opened.status(of: name("b")).identity
        #expect(failure { try opened.rename(name("a"), to: opened, as: name("b")) } == .exists)
        #expect(failure { try opened.link(name("a"), to: opened, as: name("b")) } == .exists)
        #expect(try opened.status(of: name("b")).identity == before)
        #expect(try folder.read("a") == "mine")
        try opened.rename(name("a"), to: opened, as: name("c"))
        #expect(try folder.read("c") == "mine")
        #expect(failure { _ = try opened.status(of: name("a")) } == .noEntry)
    }

    @Test("A folder replaces an empty folder alone")
    func overEmptyFolder() throws {
        let folder = try TemporaryFolder()
        for made in ["from", "full", "empty"] { folder.makeFolder(made) }
        try folder.write("from/a", "content")
        try folder.write("full/b")
        try folder.write("file")
        let opened = try folder.open()
        let full = failure { try opened.renameOverEmptyFolder(name("from"), to: opened, as: name("full")) }
        #expect(full == .notEmpty || full == .exists)
        let file = failure { try opened.renameOverEmptyFolder(name("from"), to: opened, as: name("file")) }
        #expect(file == .notDirectory)
        try opened.renameOverEmptyFolder(name("from"), to: opened, as: name("empty"))
        #expect(try folder.read("empty/a") == "content")
    }

    @Test("A second name of a link is a link, and of a file the same file")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.write("a")
        folder.makeLink("l", to: "a")
        let opened = try folder.open()
        try opened.link(name("a"), to: opened, as: name("b"))
        try opened.link(name("l"), to: opened, as: name("m"))
        #expect(try opened.status(of: name("b")).links == 2)
        #expect(try opened.status(of: name("a")).identity == opened.status(of: name("b")).identity)
        #expect(try opened.status(of: name("m")).kind == .symlink)
    }

    @Test("Removing a name spares the other kind")
    func remove() throws {
        let folder = try TemporaryFolder()
        try folder.write("file")
        folder.makeFolder("folder")
        try folder.write("folder/inner")
        let opened = try folder.open()
        #expect(failure { try opened.removeFile(name("folder")) } != nil)
        #expect(failure { try opened.removeFolder(name("file")) } == .notDirectory)
        #expect(failure { try opened.removeFolder(name("folder")) } == .notEmpty)
        #expect(failure { try opened.makeFolder(name("file"), mode: 0o700) } == .exists)
        try opened.removeFile(name("file"))
        #expect(failure { _ = try opened.status(of: name("file")) } == .noEntry)
    }
}
