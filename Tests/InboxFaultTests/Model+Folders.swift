import Glibc
import InboxTestSupport

/// What the random hand does with folders, and with packages, which are folders that are one document.
extension Model {
    func makeFolders() throws {
        var path = aMirroredInbox()
        for name in somewhere().components {
            path = path / name
            guard path.withCString({ mkdir($0, 0o755) }) != 0 else { continue }
            guard let _: Never = try expect([EEXIST], "mkdir", path) else { continue }
        }
    }

    func moveFolder() {
        let inbox = aMirroredInbox()
        let (from, to) = (somewhere(in: inbox), somewhere(in: inbox))
        guard from != inbox, to != inbox, from != to else { return }
        guard from.withCString({ old in to.withCString { Glibc.rename(old, $0) } }) == 0 else { return }
        for (path, document) in placed where path.components.starts(with: from.components) {
            documents[document].visits += 1
            placed[path] = nil
            placed[path.components.dropFirst(from.components.count).reduce(to, /)] = document
        }
        if let document = placed.removeValue(forKey: from) { placed[to] = document }
    }

    func moveTreeIn() throws {
        let inbox = aMirroredInbox()
        let tree = outside(inbox).parent / "tree"
        var contents: [TestPath: Content] = [:]
        for folder: TestPath in ["", "b", "b/c"] {
            try Disk.makeFolders(tree / folder)
            let name = folder / randomName()
            contents[name] = Content(file: newContent())
        }
        contents["b" / packageName(in: self.inbox(of: inbox))] = newPackage()
        for (name, content) in contents { try put(content, at: tree / name) }
        let target = inbox / TestPath("tree \(Int.random(in: 0..<3, using: &random))")
        if try move(tree, to: target) {
            for (name, content) in contents { place(content, at: target / name) }
        } else {
            try Disk.removeTree(tree)
        }
    }

    func removeFolder() {
        // An Inbox itself is made anew by the daemon, but has no name until then.
        let inbox = aMirroredInbox()
        let folder = somewhere(in: inbox)
        if folder != inbox { _ = folder.withCString { rmdir($0) } }
    }

    /// Two names in and out so often that the kernel's queue runs over while nobody reads it.
    func flood(_ times: Int) throws {
        let inside = stage.inbox / "ball"
        let outside = outside(inside)
        try Disk.put([1], at: outside)
        for _ in 0..<times {
            try Disk.move(outside, to: inside)
            try Disk.move(inside, to: outside)
        }
        try Disk.remove(outside)
    }

    // MARK: Packages

    /// A name that makes a folder one document.
    func packageName(in inbox: Inbox) -> TestPath {
        let albums: [TestPath] = inbox.isWhole ? ["album", "album.d", "album 2"] : []
        return (["note.rtfd", "a sketch.rtfd"] + albums).randomElement(using: &random) ?? "note.rtfd"
    }

    private func newPackage() -> Content {
        let head = newHead()
        let names: [TestPath] = [Content.text, "pictures/one.png", "pictures/two.png"]
        return Content(parts: Dictionary(uniqueKeysWithValues: names.map { ($0, newContent(after: head)) }))
    }

    private func put(_ content: Content, at path: TestPath) throws {
        for (part, bytes) in content.parts {
            try Disk.makeFolders((path / part).parent)
            try Disk.put(bytes, at: path / part)
        }
    }

    /// A package that is complete, or in which a file is still open and another one is missing.
    func movePackageIn() throws {
        let inbox = anInbox()
        let path = randomPath(in: inbox, named: packageName(in: inbox))
        let outside = outside(path)
        var content = newPackage()
        try put(content, at: outside)
        guard writers.count < 6, Bool.random(using: &random) else {
            if try move(outside, to: path) { place(content, at: path) } else { try Disk.removeTree(outside) }
            return
        }
        let (rest, head) = (newContent(), content.head ?? [])
        let late = (name: "late.txt" as TestPath, content: newContent(after: head))
        // Opened before it is moved in: never is it there without its writer.
        let descriptor = try Disk.open(outside / Content.text, O_WRONLY | O_APPEND)
        guard try move(outside, to: path) else {
            close(descriptor)
            return try Disk.removeTree(outside)
        }
        content.parts[Content.text, default: []] += rest
        content.parts[late.name] = late.content
        let document = place(content, at: path)
        writers.append(Writer(document: document, descriptor: descriptor, rest: rest, late: late))
    }

    /// Appends to a file of a package, or adds one.
    func writeInPackage(_ path: TestPath, _ last: Int) throws {
        guard Bool.random(using: &random) else { return try append(to: path, last, part: Content.text) }
        documents[last].visits += 1
        let part = TestPath("added \(operations)")
        let descriptor = (path / part).withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return _ = try expect([ENOENT, ENOTDIR], "open", path) as Never? }
        defer { close(descriptor) }
        let document = try self.document(beginningWith: textBeside(descriptor), path)
        if document != last { documents[document].visits += 1 }
        var content = documents[document].content
        let bytes = newContent(after: content.head ?? [])
        try Disk.write(bytes, to: descriptor, path)
        content.parts[part] = bytes
        note(content, of: document)
    }

    /// The main part of the package in which a file is open for writing. A daemon that claims the package at this moment
    /// puts it back: so it is read wherever it is.
    private func textBeside(_ descriptor: Int32) throws -> [UInt8] {
        let own = TestPath("/proc/self/fd/\(descriptor)")
        var tries = 0
        while true {
            do { return try Disk.read(try Disk.linkTarget(own).parent / Content.text) } catch let error as DiskError
                where error.code == ENOENT && tries < 1000
            {
                tries += 1
            }
        }
    }
}
