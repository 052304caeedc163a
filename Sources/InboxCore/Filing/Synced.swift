import InboxLinux

/// What can be brought to the disk alone, or with everything on its filesystem.
protocol Synced {
    /// The device that it lies on.
    var device: UInt64 { get throws(SyscallError) }
    /// Whether everything on its filesystem can be brought to the disk at once.
    var isSyncedAsWhole: Bool { get throws(SyscallError) }
    /// Brings everything on its filesystem to the disk.
    func syncFilesystem() throws(SyscallError)
    /// Brings it alone to the disk.
    func syncAlone() throws(SyscallError)
}

extension Synced {
    /// Each one's failure, in their order: by one sync of their filesystem where there are so many on it, since that
    /// costs less than each one's own, and each by itself where that failed.
    ///
    /// A failed sync of a filesystem may be about anybody's file there. It is never tried again as proof: each file's
    /// own sync tells what was lost of that file, since the kernel keeps the two accounts apart (syncfs(2)).
    static func sync(_ all: [Self], togetherFrom enough: Int) -> [SyscallError?] {
        var groups: [UInt64: [Int]] = [:]
        var failures: [SyscallError?] = all.map { _ in nil }
        for (index, one) in all.enumerated() {
            do throws(SyscallError) { groups[try one.device, default: []].append(index) } catch {
                failures[index] = error
            }
        }
        for group in groups.values {
            let isDone =
                group.count >= enough && isWhole(all[group[0]])
                && DurableJob.failure({ () throws(SyscallError) in try all[group[0]].syncFilesystem() }) == nil
            if isDone { continue }
            for index in group {
                failures[index] = DurableJob.failure { () throws(SyscallError) in try all[index].syncAlone() }
            }
        }
        return failures
    }

    private static func isWhole(_ one: Self) -> Bool {
        do throws(SyscallError) { return try one.isSyncedAsWhole } catch {
            // Each by itself is right everywhere.
            return false
        }
    }
}

extension OpenFile: Synced {
    var device: UInt64 { get throws(SyscallError) { try descriptor.status().identity.file.device } }

    var isSyncedAsWhole: Bool { get throws(SyscallError) { try Filesystem(of: descriptor).isSyncedAsWhole } }

    func syncFilesystem() throws(SyscallError) { try descriptor.syncFilesystem() }

    func syncAlone() throws(SyscallError) { try descriptor.sync() }
}

extension OpenFolder: Synced {
    var device: UInt64 { get throws(SyscallError) { try directory.status().identity.file.device } }

    var isSyncedAsWhole: Bool { get throws(SyscallError) { try Filesystem(of: directory.descriptor).isSyncedAsWhole } }

    func syncFilesystem() throws(SyscallError) { try directory.descriptor.syncFilesystem() }

    func syncAlone() throws(SyscallError) { try directory.sync() }
}

/// A folder that is one document, with all that is in it.
struct SyncedPackage: Synced {
    let folder: OpenFolder

    var device: UInt64 { get throws(SyscallError) { try folder.device } }

    var isSyncedAsWhole: Bool { get throws(SyscallError) { try folder.isSyncedAsWhole } }

    func syncFilesystem() throws(SyscallError) { try folder.syncFilesystem() }

    /// Each file in it, and each folder after all that it holds.
    func syncAlone() throws(SyscallError) {
        do throws(FolderWalk.Failure) { try syncAll() } catch { throw error.error }
        try folder.directory.sync()
    }

    private func syncAll() throws(FolderWalk.Failure) {
        var walk = try FolderWalk(again: folder)
        while let step = try walk.next() {
            switch step {
            case .entered: break
            case .entry(let name, let status, let level):
                guard status.kind == .regular else { continue }
                try FolderWalk.Failure.of { () throws(SyscallError) in try level.directory.file(name).sync() }
            case .left(let level, _):
                try FolderWalk.Failure.of { () throws(SyscallError) in try level.directory.sync() }
            }
        }
    }
}
