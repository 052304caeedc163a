import Glibc
import InboxFiling
import InboxLinux
import InboxTestSupport

/// Somebody who works in Documents while documents arrive there: with what was filed, and with files, folders and links
/// of their own, often under the name that a daemon is about to give.
///
/// Nobody else renames, changes or removes anything in Documents: a daemon only adds to it. So what was read there just
/// now is what an operation is about.
final class HandInDocuments {
    /// The names that documents are dropped under.
    static let names: [TestPath] = [
        "scan.pdf", "scan.jpg", "letter", "a b.txt", "archive.tar.gz", "1.txt",
        TestPath([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x74, 0x78, 0x74]), "new\nline",
    ]

    /// The names beside which documents get a number.
    private static let rows = names.compactMap { name in
        FileName(name.bytes).map { (name: name, names: NumberedName($0)) }
    }
    private static let inbox = FileName("Inbox")

    let documents: TestPath
    /// Where things are made that are moved in, and moved to: on the same filesystem.
    let outside: TestPath
    var ledger = DocumentsLedger()
    private var random: SeededRandom
    private var operations = 0
    /// What has appeared in the folders, the newest at the end.
    private var appeared: [TestPath] = []
    /// The last number of a row of names, by the name without a number.
    private var numbers: [TestPath: Int] = [:]
    private let events: Inotify
    private var watched: [Int32: TestPath] = [:]

    init(_ documents: TestPath, outside: TestPath, seed: UInt64) throws {
        self.documents = documents
        self.outside = outside
        random = SeededRandom(seed: seed &+ 1)
        events = try Inotify()
        try watch("")
    }

    /// One operation, whatever the dice say, on something that was filed or made lately, or at a name that is wanted.
    /// - Parameter wanted: a path beneath Documents that a document will be filed under if it is free.
    func step(wanting wanted: TestPath) throws {
        operations += 1
        try readEvents()
        let known = appeared.suffix(Bool.random(using: &random) ? 3 : 200).randomElement(using: &random)
        let dice = Int.random(in: 0..<100, using: &random)
        guard dice < 70, let known, Disk.exists(documents / known) else { return try make(wanted) }
        switch dice {
        case 0..<25: try edit(known)
        case 25..<45: try rename(known, to: Bool.random(using: &random) ? free(beside: known) : free(beside: wanted))
        case 45..<55: try takeAway(known)
        case 55..<60: try remove(known)
        default: try replace(known)
        }
    }

    /// After a kill, before the next start.
    func noteKill(_ crew: [Stage]) throws {
        try readEvents()
        try ledger.noteKill(crew, in: documents, recent: appeared.suffix(200))
    }

    // MARK: What was filed

    private func edit(_ path: TestPath) throws {
        let isPackage = Disk.kind(documents / path) == .folder
        guard Disk.kind(documents / path) != .link, !isPackage || Content.isPackage(path.components.last ?? "") else {
            return
        }
        let before = try Content(of: documents / path)
        let part: TestPath = isPackage ? Content.text : ""
        guard before.parts[part] != nil else { return }
        // Not blocked by a lease: a daemon has the document open until its name is on the disk.
        let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
        let descriptor = (documents / path / part).withCString { open($0, flags) }
        guard descriptor >= 0 else {
            guard errno == EAGAIN else { throw DiskError(call: "open", path: path, code: errno) }
            return
        }
        defer { close(descriptor) }
        let more = Array("an edit \(operations)".utf8)
        try Disk.write(more, to: descriptor, path)
        var after = before
        after.parts[part, default: []] += more
        ledger.edited(path, from: before, to: after)
    }

    private func rename(_ path: TestPath, to target: TestPath) throws {
        guard isOneDocument(path) else { return }
        // A name that makes a folder one document stays one.
        let isFolder = Disk.kind(documents / path) == .folder
        let target = isFolder ? folder(of: target) / TestPath("note \(operations).rtfd") : target
        do throws(SyscallError) {
            try Disk.moveUnlessTaken(documents / path, to: documents / target)
        } catch {
            guard [ENOENT, EEXIST, ENOTDIR].contains(error.errno.rawValue) else { throw error }
            return
        }
        ledger.renamed(path, to: target, try Content(of: documents / target))
        appeared.append(target)
    }

    private func takeAway(_ path: TestPath) throws {
        guard isOneDocument(path) else { return }
        let away = outside / "taken"
        try Disk.move(documents / path, to: away)
        ledger.took(path, try Content(of: away))
        try Disk.removeTree(away)
    }

    private func remove(_ path: TestPath) throws {
        guard isOneDocument(path) else { return }
        let content = try Content(of: documents / path)
        try Disk.removeTree(documents / path)
        ledger.took(path, content)
    }

    /// Puts something else in its place at one instant, as a program does that saves.
    private func replace(_ path: TestPath) throws {
        guard isOneDocument(path), Disk.kind(documents / path) != .folder else { return }
        let content = try Content(of: documents / path)
        let saved = outside / "saved"
        try Disk.put(newContent(), at: saved)
        try Disk.move(saved, to: documents / path)
        ledger.took(path, content)
        try ledger.made(path, in: documents)
    }

    // MARK: Their own

    private enum Kind { case file, folder, link }

    /// Makes something under a wanted name, or under the number that comes next.
    private func make(_ wanted: TestPath) throws {
        var folder: TestPath = ""
        for name in wanted.components.dropLast() {
            folder = folder / name
            // Now and then a file has the name of a folder that documents are to be filed into.
            let isFile = Int.random(in: 0..<20, using: &random) == 0
            try make(isFile ? .file : .folder, at: folder)
        }
        let kinds: [Kind] = [.file, .file, .file, .folder, .link]
        try make(kinds.randomElement(using: &random) ?? .file, at: free(beside: wanted))
    }

    /// Does nothing where something has the name already: a daemon may have been faster.
    private func make(_ kind: Kind, at path: TestPath) throws {
        let place = documents / path
        let descriptor: Int32
        switch kind {
        case .folder: descriptor = place.withCString { mkdir($0, 0o750) }
        case .link: descriptor = place.withCString { symlink("nowhere", $0) }
        case .file: descriptor = place.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640) }
        }
        guard descriptor >= 0 else {
            guard [EEXIST, ENOENT, ENOTDIR].contains(errno) else {
                throw DiskError(call: "make", path: path, code: errno)
            }
            return
        }
        if kind == .file {
            defer { close(descriptor) }
            try Disk.write(newContent(), to: descriptor, path)
        }
        try ledger.made(path, in: documents)
    }

    private func newContent() -> [UInt8] { Array("own \(operations)".utf8) }

    /// The wanted name, or one of the next of its row.
    private func free(beside path: TestPath) -> TestPath {
        guard let name = FileName(path.components.last?.bytes ?? []) else { return path }
        let last = numbers[path] ?? 0
        let number = Int.random(in: 0..<3, using: &random) == 0 ? 0 : last + Int.random(in: 1...3, using: &random)
        return NumberedName(name).numbered(number).map { folder(of: path) / TestPath($0.bytes) } ?? path
    }

    private func folder(of path: TestPath) -> TestPath { path.components.dropLast().reduce("", /) }

    /// A file, a link or a package, and no folder that documents are filed into.
    private func isOneDocument(_ path: TestPath) -> Bool {
        guard let kind = Disk.kind(documents / path) else { return false }
        return kind != .folder || Content.isPackage(path.components.last ?? "")
    }

    // MARK: What appears

    private func watch(_ folder: TestPath) throws {
        let opened = try Directory.open(path: BytePath(documents / folder))
        watched[try events.watch(opened, for: [.created, .movedTo, .onlyFolder])] = folder
    }

    private func readEvents() throws {
        var folders: [TestPath] = []
        var isRead = true
        while isRead {
            isRead = try events.read { event in
                guard let name = event.name, let folder = watched[event.watch] else { return }
                let path = folder / TestPath(name.bytes)
                if name == Self.inbox || name.bytes.starts(with: ".inboxd-".utf8) { return }
                if event.mask.contains(.isFolder), !Content.isPackage(TestPath(name.bytes)) { folders.append(path) }
                appeared.append(path)
                for row in Self.rows {
                    if let number = row.names.number(of: name) { numbers[folder / row.name] = number }
                }
            }
        }
        if appeared.count > 1000 { appeared.removeFirst(appeared.count - 500) }
        for folder in folders where Disk.kind(documents / folder) == .folder { try watch(folder) }
    }
}
