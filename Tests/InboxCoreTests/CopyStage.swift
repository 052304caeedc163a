import Glibc
import InboxLinux
import Testing

@testable import InboxCore

/// Two folders on two filesystems, and a state folder: what a copy goes from and to. Removed at the end.
final class CopyStage {
    /// Why copies cannot be shown here; nil where they can.
    static let obstacle: Comment? = {
        guard let here = device(of: home), let there = device(of: "/dev/shm"), access("/dev/shm", W_OK) == 0 else {
            return "there is no /dev/shm to write to"
        }
        return here == there ? "/dev/shm and the package lie on one filesystem" : nil
    }()

    static var hasTwoFilesystems: Bool { obstacle == nil }

    private static let home: String = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(package)/.build"
    }()

    let source: String
    let target: String
    let state: OpenFolder
    let journal: CopyJournal
    let history: History
    let abort = CopyAbort()
    private var identifiers = RecordID.Source()

    /// A break of a lease sends a signal, which the daemon blocks and the process of the tests does not.
    private static let ignoresBreaks: Void = {
        signal(ReadLease.breakSignal, SIG_IGN)
    }()

    init(target other: String? = nil) throws {
        Self.ignoresBreaks
        source = try Self.makeFolder(in: "/dev/shm")
        target = try other ?? Self.makeFolder(in: Self.home)
        state = OpenFolder(try Directory.open(path: Array(try Self.makeFolder(in: Self.home).utf8)))
        journal = try CopyJournal(in: state)
        history = try History(in: state, maxSize: 0)
    }

    deinit {
        let places = [source, target, path(of: state)]
        for place in places where !place.isEmpty {
            remove(place)
        }
    }

    private func path(of folder: OpenFolder) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let link = "/proc/self/fd/\(folder.directory.descriptor.number)"
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func remove(_ place: String) {
        chmod(place, 0o700)
        for name in (try? names(in: place)) ?? [] where unlink("\(place)/\(name)") != 0 { remove("\(place)/\(name)") }
        rmdir(place)
    }

    private static func makeFolder(in place: String) throws -> String {
        var template = Array("\(place)/inbox-copy.XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil, "mkdtemp in \(place)")
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func device(of path: String) -> dev_t? {
        var told = stat()
        return stat(path, &told) == 0 ? told.st_dev : nil
    }

    // MARK: What is there

    func names(in place: String) throws -> [String] {
        var entries = try DirectoryEntries(of: try Directory.open(path: Array(place.utf8)))
        var found: [String] = []
        while let entry = try entries.next() { found.append("\(entry.name)") }
        return found.sorted()
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0, "open \(path)")
        defer { close(file) }
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }

    func read(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.reading(path: Array(path.utf8))
        return try file.contents(limit: 1 << 30)
    }

    func status(_ path: String) throws -> FileStatus {
        try FileDescriptor.reading(path: Array(path.utf8)).status()
    }

    var records: [String] {
        get throws {
            let bytes = try state.directory.file(History.name).contents(limit: 1 << 20)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    // MARK: Copies

    /// A document of this name in the source folder, as the filing would hand it over.
    func document(
        _ name: String, in place: String? = nil, proof: FiledRecord.Proof = .lease,
        on filesystem: FilesystemMark? = nil
    ) throws -> CopyDocument {
        let place = place ?? source
        let folder = OpenFolder(try Directory.open(path: Array(place.utf8)))
        let destination = OpenFolder(try Directory.open(path: Array(target.utf8)))
        let fileName = try #require(FileName(name))
        let kind = try folder.directory.status(of: fileName).kind
        let status = try Opened.status(of: fileName, kind, in: folder)
        let content: CopyDocument.Source =
            switch kind {
            case .directory: .package(OpenFolder(try folder.directory.folder(fileName)))
            case .symlink: .link(try folder.directory.target(of: fileName))
            case .regular, .special: .file(OpenFile(try folder.directory.file(fileName)))
            }
        let record = FiledRecord(
            id: identifiers.next(at: .now()), time: .now(), source: BytePath("\(place)/\(name)"),
            destination: BytePath("\(target)/\(name)"), type: "public.data", mime: nil, size: status.size,
            evidence: "none", renamed: false, proof: proof)
        return CopyDocument(
            template: record, source: content, status: status, folder: folder, name: fileName, target: destination,
            targetPath: BytePath(target), filesystem: try filesystem ?? destination.directory.filesystemMark(),
            sourceFilesystem: try folder.directory.filesystemMark(),
            targets: [destination], wanted: fileName,
            progress: CopyProgress(total: status.size))
    }

    func copy(_ documents: [CopyDocument]) -> CopyJob.Report {
        CopyJob(documents: documents, journal: journal, history: history, isDurable: true, abort: abort).perform()
    }

    func copy(_ name: String) throws -> CopyJob.Report { copy([try document(name)]) }
}

extension CopyDocument {
    /// The open file of a document that is one.
    var file: OpenFile {
        get throws {
            guard case .file(let file) = source else { throw SyscallError(.openat, .invalid) }
            return file
        }
    }
}

extension CopyJob.Result {
    /// The words of what came of it, short enough to compare.
    var word: String {
        switch self {
        case .filed: "filed"
        case .doubled: "doubled"
        case .refused(.writer): "writer"
        case .refused(.changed): "changed"
        case .refused(.claimed): "claimed"
        case .refused(.retry): "retry"
        case .refused(.hold(let reason, _)): "held: \(reason.rawValue)"
        case .refused: "refused"
        }
    }
}
