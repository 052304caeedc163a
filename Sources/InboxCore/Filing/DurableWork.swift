import InboxLinux

/// The part of a batch that can block for long, done on a worker: what must be on the disk before the next step.
enum DurableJob: Sendable {
    /// Before the names move: the contents, and the intents in the journal.
    case prepare(files: [OpenFile], packages: [OpenFolder], journal: OpenFile, intents: [UInt8], isDurable: Bool)
    /// After the names have moved: the folders, then the records.
    case record(folders: [OpenFolder], history: History, lines: [UInt8], isDurable: Bool)

    /// What came of it.
    enum Outcome: Sendable {
        /// Each file's and each package's failure to reach the disk, in the order of the job, and the journal's.
        case prepared([SyscallError?], packages: [SyscallError?], journal: SyscallError?)
        /// The first of the folders' failures, and the history's.
        case recorded(folders: SyscallError?, history: SyscallError?)
    }

    /// From so many files on one sync of the filesystem costs less than each file's own.
    private static let filesForOneSync = 8

    /// Does the job.
    func perform() -> Outcome {
        switch self {
        case .prepare(let files, let packages, let journal, let intents, let isDurable):
            return .prepared(
                isDurable ? Self.sync(files) : files.map { _ in nil },
                packages: isDurable ? Self.sync(packages: packages) : packages.map { _ in nil },
                journal: Self.failure { () throws(SyscallError) in
                    try journal.descriptor.write(intents)
                    if isDurable { try journal.descriptor.syncData() }
                })
        case .record(let folders, let history, let lines, let isDurable):
            let unsynced = isDurable ? Self.sync(folders).compactMap { $0 }.first : nil
            let unwritten = Self.failure { () throws(SyscallError) in
                try history.append(lines, isDurable: isDurable)
            }
            return .recorded(folders: unsynced, history: unwritten)
        }
    }

    /// Each file's failure to reach the disk.
    static func sync(_ files: [OpenFile]) -> [SyscallError?] {
        OpenFile.sync(files, togetherFrom: filesForOneSync)
    }

    /// Each folder's failure to bring its names to the disk.
    private static func sync(_ folders: [OpenFolder]) -> [SyscallError?] {
        OpenFolder.sync(folders, togetherFrom: filesForOneSync)
    }

    /// Each package's failure to reach the disk: one alone may hold any number of files.
    private static func sync(packages: [OpenFolder]) -> [SyscallError?] {
        SyncedPackage.sync(packages.map { SyncedPackage(folder: $0) }, togetherFrom: 1)
    }

    static func failure(_ body: () throws(SyscallError) -> Void) -> SyscallError? {
        do throws(SyscallError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
