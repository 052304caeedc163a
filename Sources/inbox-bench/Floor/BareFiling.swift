import Glibc

/// The floor of filing: what no program can do without, a document after the other and nothing else. It is opened, asked
/// for its status, leased, read, renamed, released and closed.
struct BareFiling: ~Copyable {
    static let name = "a bare loop of open, fstat, lease, read, rename, release, close"

    /// `F_SETLEASE` of fcntl(2), which the Glibc module lacks.
    private static let setLease: Int32 = 1024
    /// Bytes: the part that detection reads of most documents.
    private static let headSize = 4096

    private let from: Int32
    private let to: Int32
    private let buffer: UnsafeMutableRawPointer
    /// Each document and its new folder are synced, as a Maildir's delivery does.
    private let syncs: Bool

    /// Opens the two folders.
    init(from: String, to: String, syncs: Bool = false) throws {
        // A lease that is broken sends it, and its default is to kill.
        signal(SIGIO, SIG_IGN)
        // Both first: nothing is initialized in part where one of them fails.
        let source = try check("open", from, open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let target = try check("open", to, open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        self.from = source
        self.to = target
        self.syncs = syncs
        buffer = .allocate(byteCount: Self.headSize, alignment: 4096)
    }

    deinit {
        close(from)
        close(to)
        buffer.deallocate()
    }

    /// The outcome for one document.
    enum Outcome {
        case filed
        /// Somebody has it open for writing.
        case busy
        /// It is gone, or cannot be filed.
        case missing
    }

    /// Files one document.
    func file(_ name: UnsafePointer<CChar>) -> Outcome {
        let file = openat(from, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return .missing }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .missing }
        guard fcntl(file, Self.setLease, Int32(F_RDLCK)) == 0 else { return errno == EAGAIN ? .busy : .missing }
        guard pread(file, buffer, Self.headSize, 0) >= 0, !syncs || fsync(file) == 0,
            renameat(from, name, to, name) == 0, !syncs || fsync(to) == 0
        else { return .missing }
        return fcntl(file, Self.setLease, Int32(F_UNLCK)) == 0 ? .filed : .missing
    }

    /// Files what is in a folder, so many documents at most; the number of those filed.
    static func run(from: String, to: String, most: Int = .max, syncs: Bool = false) throws -> Int {
        let filing = try BareFiling(from: from, to: to, syncs: syncs)
        let names = try NameArena(of: from, most: most)
        var filed = 0
        names.forEach { if filing.file($0) == .filed { filed += 1 } }
        return filed
    }
}

/// The names of a folder, one after the other in one piece of memory.
struct NameArena {
    private var bytes: [CChar] = []
    private var starts: [Int] = []

    /// Reads the names that do not begin with a dot, so many at most.
    init(of folder: String, most: Int = .max) throws {
        var (bytes, starts): ([CChar], [Int]) = ([], [])
        try Documents.names(in: folder) { name in
            guard name[0] != CChar(UInt8(ascii: ".")), starts.count < most else { return }
            starts.append(bytes.count)
            bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: strlen(name) + 1))
        }
        (self.bytes, self.starts) = (bytes, starts)
    }

    /// Lends each name.
    func forEach(_ body: (UnsafePointer<CChar>) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return }
            for start in starts { body(first + start) }
        }
    }
}
