import Glibc
import InboxDetection
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling

/// Two folders on two filesystems, and a state folder: what a copy goes from and to. Removed at the end.
final class CopyStage {
    /// Why copies cannot be shown here; nil where they can.
    static let obstacle: Comment? = {
        guard let here = device(of: home), let there = device(of: "/dev/shm"), access("/dev/shm", W_OK) == 0 else {
            return "there is no /dev/shm to write to"
        }
        return here == there ? "there is no other filesystem than that of /dev/shm to write to" : nil
    }()

    static var hasTwoFilesystems: Bool { obstacle == nil }

    private static let home = (OtherFilesystem.place(than: "/dev/shm") ?? "/dev/shm").description

    let source: String
    let target: String
    let state: OpenFolder
    let journal: Journal
    let history: History
    let staging: StagingFolders
    let abandonment = Abandonment()
    private var nextNumber: UInt64 = 0

    init(target other: String? = nil) throws {
        source = try Self.makeFolder(in: "/dev/shm")
        target = try other ?? Self.makeFolder(in: Self.home)
        state = OpenFolder(try Directory.open(path: BytePath(try Self.makeFolder(in: Self.home))))
        journal = try Journal(in: state)
        history = try History(in: state, maxSize: 0)
        staging = try StagingFolders(state: state, at: BytePath("/state"))
    }

    /// An empty file that a copy goes into.
    func newCopy(_ name: String = "copy") throws -> OpenFile {
        OpenFile(try Directory.open(path: BytePath(target)).newFile(aName(name)))
    }

    /// Copies the content of a file alone.
    func copyContent(
        of path: String, into copy: OpenFile, _ progress: CopyProgress = CopyProgress(total: 0),
        goOn: @escaping () throws(CopyFailure) -> Void
    ) throws {
        let source = OpenFile(try FileDescriptor.reading(path: BytePath(path)))
        var content = CopyContent(of: source, try source.descriptor.status(), into: copy, progress, goOn: goOn)
        try content.run()
    }

    /// Makes a source for which all of its room is taken; returns its path.
    func newSource(_ name: String, room: Int64) throws -> String {
        try Directory.open(path: BytePath(source)).newFile(aName(name)).reserve(from: 0, count: room)
        return "\(source)/\(name)"
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
        try TestRun.current.makeFolder(in: TestPath(place)).description
    }

    private static func device(of path: String) -> dev_t? {
        var reported = stat()
        return stat(path, &reported) == 0 ? reported.st_dev : nil
    }

    // MARK: What is there

    func names(in place: String) throws -> [String] {
        var entries = try DirectoryEntries(of: try Directory.open(path: BytePath(place)))
        var found: [String] = []
        while let entry = try entries.next() { found.append("\(entry.name)") }
        return found.sorted()
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        try Program.starting.withLock { _ in
            let file = open(path, O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0o644)
            try #require(file >= 0, "open \(path)")
            defer { close(file) }
            try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        }
        Program.waitForStarts()
    }

    func read(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.reading(path: BytePath(path))
        return try file.contents(limit: 1 << 30) ?? []
    }

    func status(_ path: String) throws -> FileStatus {
        try FileDescriptor.reading(path: BytePath(path)).status()
    }

    var records: [String] {
        get throws {
            let bytes = try state.directory.file(History.name).contents(limit: 1 << 20) ?? []
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    // MARK: Copies

    /// The request for a document of this name in the source folder, as the intake would make it.
    func request(_ name: String, in folders: [String] = []) throws -> FilingRequest {
        let place = ([source] + folders).joined(separator: "/")
        let folder = OpenFolder(try Directory.open(path: BytePath(place)))
        let fileName = try #require(FileName(name))
        let kind = try folder.directory.status(of: fileName).kind
        nextNumber += 1
        return FilingRequest(
            id: ArrivalID(number: nextNumber), inbox: BytePath(source), settings: settings,
            folder: FilingRequest.FolderLocation(
                names: folders.map { aName($0) }, key: try folder.directory.status().identity.file),
            name: fileName, status: try #require(try OpenedSource.status(of: fileName, kind, in: folder)),
            isPackage: kind == .directory, acceptance: .lease, writerSeen: nil)
    }

    private var settings: InboxSettings {
        var settings = InboxSettings()
        settings.folders = .flatten
        return settings
    }

    var means: FilingMeans {
        FilingMeans(
            detector: Detector(places: .none), routing: RoutingRules(documents: BytePath(target)),
            making: FolderMaking())
    }

    var runs: FilingRun.Means {
        FilingRun.Means(
            journal: journal, log: RecordLog(journal: journal, history: history), staging: staging,
            abandonment: abandonment)
    }

    func destinations() throws -> FilingJob.Destinations {
        FilingJob.Destinations(to: try root(), inboxFolders: [], comparing: .unlimited, by: means)
    }

    func root() throws -> DestinationRoot {
        let roots = Roots(home: nil)
        roots.documents = BytePath(target)
        return try roots.destination(by: FolderMaking().make)
    }

    func copy(_ requests: [FilingRequest]) throws -> FilingReport {
        FilingJob(
            copying: requests.map { FilingJob.Task($0, CopyProgress(total: $0.status.size)) }, try destinations(), runs
        ).perform()
    }

    func copy(_ name: String) throws -> FilingReport { try copy([try request(name)]) }

    /// Recovery as the next start does it.
    /// - Parameter isPatient: waits for locks: a program that another test starts has them too, until it is that program.
    func recover(isAccepting: Bool = false, isPatient: Bool = true) throws -> Recovery.Findings {
        let end = ContinuousClock().now + Deadline.usual
        var records: [FiledRecord] = []
        while true {
            Program.waitForStarts()
            var findings = try Recovery.started(
                in: state, history, documents: target, inboxes: [source],
                Recovery.Wish(isAccepting: isAccepting)
            ).perform()
            records += findings.records
            findings.records = records
            guard isPatient, findings.lockedStaging != nil, ContinuousClock().now < end else { return findings }
        }
    }
}

extension Recovery {
    /// Recovery as the next start does it, where nothing lies on a server.
    static func started(
        in state: OpenFolder, _ history: History, documents: String, inboxes: [String] = [],
        _ wish: Recovery.Wish = Recovery.Wish()
    ) throws -> [Recovery] {
        try shares(in: state, try Journal(in: state), history, documents: documents, inboxes: inboxes, wish)
    }

    /// A recovery for each share.
    static func shares(
        in state: OpenFolder, _ journal: Journal, _ history: History, documents: String, inboxes: [String],
        servers: FolderSet = [], silent: FolderSet = [], _ wish: Recovery.Wish = Recovery.Wish()
    ) throws -> [Recovery] {
        let undone = try UndoneFile(in: state)
        let staging = try StagingFolders(state: state, at: BytePath("/state"))
        let roots = ([documents] + inboxes).map { BytePath($0) }
        return RecoveryShare.divide(journal.interrupted, sweeping: roots, among: servers).map { share in
            Recovery(
                journal: journal, history: history, staging: staging, detector: Detector(places: .none),
                routing: RoutingRules(documents: BytePath(documents)), documents: BytePath(documents),
                inboxes: inboxes.map { BytePath($0) }, outerRoots: [],
                wish: wish,
                hold: { (document) throws(SyscallError) in try undone.hold(document) }, silent: silent, share: share,
                abandonment: Abandonment())
        }
    }
}

extension [Recovery] {
    /// Ends what can be ended, one share after the other.
    func perform() -> Recovery.Findings {
        reduce(into: Recovery.Findings()) { sum, recovery in
            var findings = recovery.perform()
            let comparisons = findings.comparisons
            findings.comparisons = []
            sum.add(findings)
            for share in comparisons { sum.add(recovery.of(share).perform()) }
        }
    }
}

extension FilingResult {
    /// The words of what came of it, short enough to compare.
    var word: String {
        switch self {
        case .filed: "filed"
        case .returned: "returned"
        case .unrecorded: "unrecorded"
        case .discarded: "discarded"
        case .refused(.writer): "writer"
        case .refused(.changed): "changed"
        case .refused(.retry): "retry"
        case .refused(.obstructed): "obstructed"
        case .refused(.hold(let reason, _)): "held: \(reason.rawValue)"
        case .refused: "refused"
        case .left: "left"
        }
    }
}
