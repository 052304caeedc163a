import Glibc
import InboxLinux
import InboxTestSupport

/// What the random hand does with the documents in its Inboxes.
extension Model {
    func write() throws {
        let content = newContent()
        guard let (_, descriptor) = try create(content) else { return }
        defer { close(descriptor) }
        try Disk.write(content, to: descriptor, "a document")
    }

    func beginWriting() throws {
        let content = newContent()
        guard writers.count < 6, let (document, descriptor) = try create(content) else { return }
        // The beginning shows which document it is.
        let written = max(content.count / 2, Content.head(of: content)?.count ?? 0)
        try Disk.write(Array(content[..<written]), to: descriptor, "a document")
        writers.append(Writer(document: document, descriptor: descriptor, rest: Array(content[written...])))
    }

    /// Ends a writer: until now its document may not have been filed.
    func endWriting() throws {
        guard let index = writers.indices.randomElement(using: &random) else { return }
        let writer = writers.remove(at: index)
        defer { close(writer.descriptor) }
        let stands = try Disk.linkTarget(TestPath("/proc/self/fd/\(writer.descriptor)"))
        let isThere = inboxes.contains { stands.bytes.starts(with: $0.path.bytes + [UInt8(ascii: "/")]) }
        let isGone = stands.bytes.suffix(10).elementsEqual(" (deleted)".utf8)
        let isWithdrawn = documents[writer.document].isWithdrawn
        guard isWithdrawn || (isThere && !isGone) else {
            throw Failure("\(stands) was filed while it was open for writing")
        }
        if let late = writer.late, !isWithdrawn { try Disk.put(late.content, at: stands.parent / late.name) }
        try Disk.write(writer.rest, to: writer.descriptor, "a document")
    }

    /// Ends all writers.
    func finish() throws { while !writers.isEmpty { try endWriting() } }

    private func create(_ content: [UInt8]) throws -> (document: Int, descriptor: Int32)? {
        let path = randomPath()
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return try expect([ENOENT, EEXIST, ENOTDIR, EISDIR], "open", path) }
        return (place(Content(file: content), at: path), descriptor)
    }

    func moveIn() throws {
        let (content, path) = (newContent(), randomPath())
        let outside = outside(path)
        try Disk.put(content, at: outside)
        if try move(outside, to: path) { place(Content(file: content), at: path) } else { try Disk.remove(outside) }
    }

    func linkIn() throws {
        let (content, path) = (newContent(), randomPath())
        let outside = outside(path)
        try Disk.put(content, at: outside)
        defer { outside.withCString { _ = unlink($0) } }
        guard outside.withCString({ from in path.withCString { link(from, $0) } }) == 0 else {
            return _ = try expect([ENOENT, EEXIST, ENOTDIR], "link", path) as Never?
        }
        place(Content(file: content), at: path)
    }

    /// A file that has no name until it is complete: O_TMPFILE and linkat(2).
    func linkUnnamed() throws {
        let (content, path) = (newContent(), randomPath())
        // The number of O_TMPFILE, which the Glibc module lacks.
        let descriptor = inbox(of: path).path.withCString { open($0, O_WRONLY | 0x41_0000 | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return _ = try expect([EOPNOTSUPP, ENOENT], "open", path) as Never? }
        defer { close(descriptor) }
        try Disk.write(content, to: descriptor, path)
        let result = path.withCString {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
        }
        guard result == 0 else { return _ = try expect([ENOENT, EEXIST, ENOTDIR], "linkat", path) as Never? }
        place(Content(file: content), at: path)
    }

    /// A symbolic link that leads nowhere: its target shows which one it is.
    func makeLink() throws {
        let (target, path) = (newHead(), randomPath())
        let result = TestPath(target).withCString { to in path.withCString { symlink(to, $0) } }
        guard result == 0 else { return _ = try expect([ENOENT, EEXIST, ENOTDIR], "symlink", path) as Never? }
        place(Content(link: target), at: path)
    }

    func append() throws {
        guard let (path, last) = placed.randomElement(using: &random), !isBeingWritten(last) else { return }
        if documents[last].content.parts[Content.text] != nil { return try writeInPackage(path, last) }
        try append(to: path, last)
    }

    /// Appends to a file, or to a part of a package.
    func append(to path: TestPath, _ last: Int, part: TestPath = "") throws {
        // Not blocked by a lease: whoever holds it is working on the document.
        documents[last].visits += 1
        let flags = O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
        let descriptor = (path / part).withCString { open($0, flags) }
        guard descriptor >= 0 else {
            return _ = try expect([ENOENT, ENOTDIR, EAGAIN, EISDIR, ELOOP], "open", path) as Never?
        }
        defer { close(descriptor) }
        let document = try self.document(at: descriptor, path)
        guard !isBeingWritten(document) else { return }
        if document != last { documents[document].visits += 1 }
        let more = newContent()
        try Disk.write(more, to: descriptor, path)
        var content = documents[document].content
        content.parts[part, default: []] += more
        note(content, of: document)
    }

    func rename() throws {
        guard let (path, document) = placed.randomElement(using: &random) else { return }
        let name = documents[document].content.parts[Content.text] == nil ? nil : packageName(in: inbox(of: path))
        let target = randomPath(in: inbox(of: path), named: name)
        guard try move(path, to: target) else { return }
        placed[path] = nil
        placed[target] = document
        documents[document].visits += 1
    }

    /// Moves a document away, and removes it.
    func withdraw() throws {
        guard let (path, _) = placed.randomElement(using: &random) else { return }
        placed[path] = nil
        let away = outside(path)
        guard try move(path, to: away) else { return }
        // Which one it was is read from it: another one may have been put back under this name.
        let content = try Content(of: away)
        documents[try document(beginningWith: content.head ?? [], path)].isWithdrawn = true
        try Disk.removeTree(away)
    }

    /// A rename that never replaces; false where it comes too late.
    func move(_ path: TestPath, to target: TestPath) throws -> Bool {
        do throws(SyscallError) {
            try Disk.moveUnlessTaken(path, to: target)
            return true
        } catch {
            guard [ENOENT, EEXIST, ENOTDIR].contains(error.errno.rawValue) else { throw error }
            return false
        }
    }

    /// Nothing was done, for one of these reasons: others are a defect of the test.
    func expect<Result>(_ codes: [Int32], _ call: String, _ path: TestPath) throws -> Result? {
        guard codes.contains(errno) else { throw DiskError(call: call, path: path, code: errno) }
        return nil
    }
}

extension Disk {
    /// A rename that never replaces: EEXIST where the name is taken.
    static func moveUnlessTaken(_ path: TestPath, to target: TestPath) throws(SyscallError) {
        guard let name = FileName(path.components.last?.bytes ?? []),
            let other = FileName(target.components.last?.bytes ?? [])
        else { return }
        try Directory.open(path: BytePath(path.parent))
            .rename(name, to: try Directory.open(path: BytePath(target.parent)), as: other)
    }
}
