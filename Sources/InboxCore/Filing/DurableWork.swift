import InboxLinux

/// The part of a batch that can block for long, done on a worker: what must be on the disk before the next step.
enum DurableJob: Sendable {
    /// Before the names move: the contents, and the intents in the journal.
    case prepare(files: [OpenFile], packages: [OpenFolder], journal: OpenFile, intents: [UInt8], isDurable: Bool)
    /// After the names have moved: the folders, then the records.
    case record(folders: [OpenFolder], history: History, lines: [UInt8], isDurable: Bool)

    /// What came of it.
    enum Outcome: Sendable {
        /// Each file's failure to reach the disk, in the order of the job, that of all packages, and the journal's.
        case prepared([SyscallError?], packages: SyscallError?, journal: SyscallError?)
        /// The folders' and the history's failure.
        case recorded(folders: SyscallError?, history: SyscallError?)
    }

    /// From so many files on one sync of the filesystem costs less than each file's own.
    private static let filesForOneSync = 8

    /// Does the job.
    func perform() -> Outcome {
        switch self {
        case .prepare(let files, let packages, let journal, let intents, let isDurable):
            let failures = isDurable ? Self.sync(files) : files.map { _ in nil }
            let unsynced = isDurable ? Self.sync(packages: packages) : nil
            return .prepared(
                failures, packages: unsynced,
                journal: Self.failure { () throws(SyscallError) in
                    try journal.descriptor.write(intents)
                    if isDurable { try journal.descriptor.syncData() }
                })
        case .record(let folders, let history, let lines, let isDurable):
            let unsynced = isDurable ? Self.sync(folders) : nil
            let unwritten = Self.failure { () throws(SyscallError) in
                try history.append(lines, isDurable: isDurable)
            }
            return .recorded(folders: unsynced, history: unwritten)
        }
    }

    /// Everything in the packages, by a sync of their filesystem.
    private static func sync(packages: [OpenFolder]) -> SyscallError? {
        guard let first = packages.first else { return nil }
        return failure { () throws(SyscallError) in try first.directory.descriptor.syncFilesystem() }
    }

    /// Each file's content, by one sync of its filesystem where there are many; where that fails, each by itself.
    static func sync(_ files: [OpenFile]) -> [SyscallError?] {
        if files.count >= filesForOneSync, let first = files.first, isOneFilesystem(files),
            failure({ () throws(SyscallError) in try first.descriptor.syncFilesystem() }) == nil
        {
            return files.map { _ in nil }
        }
        return files.map { file in failure { () throws(SyscallError) in try file.descriptor.sync() } }
    }

    private static func isOneFilesystem(_ files: [OpenFile]) -> Bool {
        var device: UInt64?
        return files.allSatisfy { file in
            do throws(SyscallError) {
                let own = try file.descriptor.status().identity.file.device
                defer { device = own }
                return device == nil || device == own
            } catch {
                return false
            }
        }
    }

    private static func sync(_ folders: [OpenFolder]) -> SyscallError? {
        if folders.count >= filesForOneSync, let first = folders.first {
            // They lie on one filesystem: a rename joined them.
            return failure { () throws(SyscallError) in try first.directory.descriptor.syncFilesystem() }
        }
        for folder in folders {
            if let failed = failure({ () throws(SyscallError) in try folder.directory.sync() }) { return failed }
        }
        return nil
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
