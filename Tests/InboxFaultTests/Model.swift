import Glibc
import InboxLinux
import InboxTestSupport

/// What a random hand has done to its Inboxes, and what has to come of it.
///
/// Nobody else puts documents into them. A daemon takes them away, and may put back what it took: so which document a
/// name leads to is read from the document.
final class Model {
    /// A document that was dropped.
    struct Document {
        var content: [UInt8]
        /// Whether it has to be copied, so that for a moment it is in both places.
        let isAcross: Bool
        var isWithdrawn = false
        /// What it held before somebody appended to it.
        var earlier: [[UInt8]] = []
        /// How often somebody wanted to write to it, or gave it another name.
        var visits = 0

        /// How often its content may exist in Documents.
        ///
        /// Between the name of a copy and the end of its source there is a moment: what its owner removes then was
        /// filed, and what somebody wants to write to or renames then stays in the Inbox, a document of its own.
        var allowed: ClosedRange<Int> {
            let most = isAcross ? 1 + visits : 1
            return isWithdrawn ? 0...(isAcross ? most : 0) : 1...most
        }
    }

    /// A document whose writer is not done.
    private struct Writer {
        let document: Int
        let descriptor: Int32
        let rest: [UInt8]
    }

    let stage: Stage
    /// The daemons that share the Inboxes, that of the stage first.
    let crew: [Stage]
    /// The one inside Documents, and the one on another filesystem where there is one.
    let inboxes: [TestPath]
    var random: SeededRandom
    private(set) var operations = 0
    private(set) var documents: [Document] = []
    /// By their whole paths.
    private var placed: [TestPath: Int] = [:]
    /// By the beginnings of their contents.
    private var heads: [[UInt8]: Int] = [:]
    private var writers: [Writer] = []

    private static let names: [TestPath] = [
        "scan.pdf", "scan.jpg", "letter", "a b.txt", ".profile.d", "archive.tar.gz", "1.txt",
        TestPath([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x74, 0x78, 0x74]), "new\nline",
    ].filter { $0.bytes.first != UInt8(ascii: ".") }
    private static let folders: [TestPath] = ["", "", "", "a", "b", "a/b", "a/b/c", "b/deep/er/yet"]

    init(_ crew: [Stage], on stage: Stage, and other: OtherFilesystem?, seed: UInt64) throws {
        self.stage = stage
        self.crew = crew
        inboxes = [stage.inbox] + (other.map { [$0.path / "Inbox"] } ?? [])
        if let other { for folder: TestPath in ["Inbox", "outside"] { try Disk.makeFolders(other.path / folder) } }
        random = SeededRandom(seed: seed)
    }

    deinit { for writer in writers { close(writer.descriptor) } }

    var dropped: Int { documents.count }

    // MARK: Operations

    /// One operation on the tree, whatever the dice say. One that comes too late does nothing.
    func step() throws {
        operations += 1
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: try write()
        case 25..<37: try moveIn()
        case 37..<45: try linkIn()
        case 45..<50: try linkUnnamed()
        case 50..<58: try beginWriting()
        case 58..<66: try endWriting()
        case 66..<72: try append()
        case 72..<80: try rename()
        case 80..<85: try withdraw()
        case 85..<89: try makeFolders()
        case 89..<93: moveFolder()
        case 93..<96: try moveTreeIn()
        default:
            // An Inbox itself is made anew by the daemon, but has no name until then.
            let folder = somewhere(in: anInbox())
            if !inboxes.contains(folder) { _ = cPath(folder) { rmdir($0) } }
        }
    }

    private func write() throws {
        guard let (document, descriptor) = try create() else { return }
        defer { close(descriptor) }
        try Disk.write(documents[document].content, to: descriptor, "a document")
    }

    private func beginWriting() throws {
        guard writers.count < 6, let (document, descriptor) = try create() else { return }
        let content = documents[document].content
        let half = content.count / 2
        try Disk.write(Array(content[..<half]), to: descriptor, "a document")
        writers.append(Writer(document: document, descriptor: descriptor, rest: Array(content[half...])))
    }

    /// Ends a writer: until now its document may not have been filed.
    private func endWriting() throws {
        guard let index = writers.indices.randomElement(using: &random) else { return }
        let writer = writers.remove(at: index)
        defer { close(writer.descriptor) }
        let stands = try Disk.linkTarget(TestPath("/proc/self/fd/\(writer.descriptor)"))
        let isThere = inboxes.contains { stands.bytes.starts(with: $0.bytes + [0x2F]) }
        let isGone = stands.bytes.suffix(10).elementsEqual(" (deleted)".utf8)
        guard documents[writer.document].isWithdrawn || (isThere && !isGone) else {
            throw Failure("\(stands) was filed while it was open for writing")
        }
        try Disk.write(writer.rest, to: writer.descriptor, "a document")
    }

    private func create() throws -> (document: Int, descriptor: Int32)? {
        let path = randomPath()
        let descriptor = cPath(path) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return try expect([ENOENT, EEXIST, ENOTDIR, EISDIR], "open", path) }
        return (place(newContent(), at: path), descriptor)
    }

    private func moveIn() throws {
        let (content, path) = (newContent(), randomPath())
        let outside = outside(path)
        try Disk.put(content, at: outside)
        if try move(outside, to: path) { place(content, at: path) } else { try Disk.remove(outside) }
    }

    private func linkIn() throws {
        let (content, path) = (newContent(), randomPath())
        let outside = outside(path)
        try Disk.put(content, at: outside)
        defer { cPath(outside) { _ = unlink($0) } }
        guard cPath(outside, { from in cPath(path) { link(from, $0) } }) == 0 else {
            return _ = try expect([ENOENT, EEXIST, ENOTDIR], "link", path) as Never?
        }
        place(content, at: path)
    }

    /// A file that has no name until it is complete: O_TMPFILE and linkat(2).
    private func linkUnnamed() throws {
        let (content, path) = (newContent(), randomPath())
        // The number of O_TMPFILE, which the Glibc module lacks.
        let descriptor = cPath(inbox(of: path)) { open($0, O_WRONLY | 0x41_0000 | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { return _ = try expect([EOPNOTSUPP, ENOENT], "open", path) as Never? }
        defer { close(descriptor) }
        try Disk.write(content, to: descriptor, path)
        let result = cPath(path) {
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
        }
        guard result == 0 else { return _ = try expect([ENOENT, EEXIST, ENOTDIR], "linkat", path) as Never? }
        place(content, at: path)
    }

    private func append() throws {
        guard let (path, last) = placed.randomElement(using: &random), !isBeingWritten(last) else { return }
        // Not blocked by a lease: whoever holds it is working on the document.
        documents[last].visits += 1
        let descriptor = cPath(path) { open($0, O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return _ = try expect([ENOENT, ENOTDIR, EAGAIN, EISDIR], "open", path) as Never? }
        defer { close(descriptor) }
        let document = try self.document(at: descriptor, path)
        guard !isBeingWritten(document) else { return }
        if document != last { documents[document].visits += 1 }
        let more = newContent()
        try Disk.write(more, to: descriptor, path)
        if documents[document].isAcross { documents[document].earlier.append(documents[document].content) }
        documents[document].content += more
    }

    private func rename() throws {
        guard let (path, document) = placed.randomElement(using: &random) else { return }
        let target = randomPath(in: inbox(of: path))
        guard try move(path, to: target) else { return }
        placed[path] = nil
        placed[target] = document
        documents[document].visits += 1
    }

    /// Moves a document away, and removes it.
    private func withdraw() throws {
        guard let (path, _) = placed.randomElement(using: &random) else { return }
        placed[path] = nil
        let away = outside(path)
        guard try move(path, to: away) else { return }
        let descriptor = try Disk.open(away, O_RDONLY)
        defer { close(descriptor) }
        documents[try document(at: descriptor, path)].isWithdrawn = true
        try Disk.remove(away)
    }

    /// Which document this is: one that is being written may lack the end of its beginning.
    private func document(at descriptor: Int32, _ path: TestPath) throws -> Int {
        let here = try inode(of: descriptor)
        if let writer = try writers.first(where: { try inode(of: $0.descriptor) == here }) { return writer.document }
        var head = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &head, head.count, 0)
        let end = head.prefix(max(0, count)).firstIndex(of: UInt8(ascii: ">"))
        guard let end, let document = heads[Array(head[...end])] else {
            throw Failure("\(path) begins with \(escaped(head.prefix(max(0, count)))), which nobody dropped")
        }
        return document
    }

    private func inode(of descriptor: Int32) throws -> [UInt] {
        var status = stat()
        try Disk.check("fstat", "a document", fstat(descriptor, &status))
        return [UInt(status.st_dev), UInt(status.st_ino)]
    }

    private func makeFolders() throws {
        var path = anInbox()
        for name in somewhere().components {
            path = path / name
            if cPath(path, { mkdir($0, 0o755) }) != 0 {
                _ = try expect([EEXIST, ENOENT, ENOTDIR], "mkdir", path) as Never?
            }
        }
    }

    private func moveFolder() {
        let inbox = anInbox()
        let (from, to) = (somewhere(in: inbox), somewhere(in: inbox))
        guard from != inbox, to != inbox, from != to else { return }
        guard cPath(from, { old in cPath(to) { Glibc.rename(old, $0) } }) == 0 else { return }
        for (path, document) in placed where path.components.starts(with: from.components) {
            documents[document].visits += 1
            placed[path] = nil
            placed[path.components.dropFirst(from.components.count).reduce(to, /)] = document
        }
        if let document = placed.removeValue(forKey: from) { placed[to] = document }
    }

    private func moveTreeIn() throws {
        let inbox = anInbox()
        let tree = outside(inbox).parent / "tree"
        var contents: [TestPath: [UInt8]] = [:]
        for folder: TestPath in ["", "b", "b/c"] {
            try Disk.makeFolders(tree / folder)
            let name = folder / (Self.names.randomElement(using: &random) ?? "x")
            contents[name] = newContent()
            try Disk.put(contents[name] ?? [], at: tree / name)
        }
        let target = inbox / TestPath("tree \(Int.random(in: 0..<3, using: &random))")
        if try move(tree, to: target) {
            for (name, content) in contents { place(content, at: target / name) }
        } else {
            try Disk.removeTree(tree)
        }
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

    /// Ends all writers.
    func finish() throws { while !writers.isEmpty { try endWriting() } }

    // MARK: Small things

    private func inbox(of path: TestPath) -> TestPath {
        inboxes.first { path.components.starts(with: $0.components) } ?? stage.inbox
    }

    /// Where a document is made that is moved to this path: on the same filesystem.
    private func outside(_ path: TestPath) -> TestPath {
        inbox(of: path) == stage.inbox ? stage.root / "outside/one" : inbox(of: path).parent / "outside/one"
    }

    private func anInbox() -> TestPath { inboxes.randomElement(using: &random) ?? stage.inbox }

    private func somewhere(in inbox: TestPath = "") -> TestPath {
        inbox / (Self.folders.randomElement(using: &random) ?? "")
    }

    private func randomPath(in inbox: TestPath? = nil) -> TestPath {
        somewhere(in: inbox ?? anInbox()) / (Self.names.randomElement(using: &random) ?? "x")
    }

    private func newContent() -> [UInt8] {
        let length = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0...20_000, using: &random) : 30
        return Array("<\(operations) \(UInt64.random(in: .min ... .max, using: &random))>".utf8)
            + [UInt8](repeating: UInt8.random(in: 32...126, using: &random), count: length)
    }

    @discardableResult
    private func place(_ content: [UInt8], at path: TestPath) -> Int {
        documents.append(Document(content: content, isAcross: inbox(of: path) != stage.inbox))
        placed[path] = documents.count - 1
        heads[Array(content.prefix { $0 != UInt8(ascii: ">") }) + [UInt8(ascii: ">")]] = documents.count - 1
        return documents.count - 1
    }

    private func isBeingWritten(_ document: Int) -> Bool { writers.contains { $0.document == document } }

    /// A rename that never replaces; false where it comes too late.
    private func move(_ path: TestPath, to target: TestPath) throws -> Bool {
        guard let name = FileName(path.components.last?.bytes ?? []),
            let other = FileName(target.components.last?.bytes ?? [])
        else { return false }
        do throws(SyscallError) {
            try Directory.open(path: BytePath(path.parent))
                .rename(name, to: try Directory.open(path: BytePath(target.parent)), as: other)
            return true
        } catch {
            guard [ENOENT, EEXIST, ENOTDIR].contains(error.errno.rawValue) else { throw error }
            return false
        }
    }

    /// Nothing was done, for one of these reasons: others are a defect of the test.
    private func expect<Result>(_ codes: [Int32], _ call: String, _ path: TestPath) throws -> Result? {
        guard codes.contains(errno) else { throw DiskError(call: call, path: path, code: errno) }
        return nil
    }

    @discardableResult
    private func cPath<Result>(_ path: TestPath, _ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try path.withCString(body)
    }
}
