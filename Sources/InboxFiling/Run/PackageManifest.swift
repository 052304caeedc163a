import InboxLinux

/// The data that a run keeps about a package that it has copied.
struct PackageManifest {
    /// The copied files that are still open.
    let kept: KeptFiles
    /// The copied entries.
    var copied = CopiedEntries()
}

/// Files of a package that stay open from their copy to their removal, so that each is opened once; no more than a bounded
/// number, and those beyond it are opened anew for each step.
final class KeptFiles {
    /// By what a walk knows of a file before it asks, which is no birth time.
    private var files: [FileKey: (file: OpenFile, key: FileKey)] = [:]
    private let most: Int

    /// Each subvolume of btrfs counts its inodes anew, as a device of its own.
    private static func number(_ entry: FolderWalk.Entry) -> FileKey {
        FileKey(device: entry.level.status.identity.file.device, inode: entry.inode, birth: nil)
    }

    /// Returns how many files of one package to keep open if this many descriptors are allowed. More than 1024 would
    /// save nothing, and the limit of a container may be a million.
    static func most(of allowed: Int) -> Int { min(1024, allowed) }

    init(most: Int) { self.most = most }

    /// Keeps a file open. One with several names is not kept: the removal of one of them changes it.
    func keep(_ file: OpenFile, _ status: FileStatus) {
        guard files.count < most, status.links == 1 else { return }
        let key = status.identity.file
        files[FileKey(device: key.device, inode: key.inode, birth: nil)] = (file, key)
    }

    /// Closes all of them, which ends their leases. What is open keeps a folder from being removed on some filesystems.
    func close() { files = [:] }

    /// Hands over a file whose lease nobody has asked to break since the package was proved: what is in it is what was copied.
    func takeUnbroken(_ entry: FolderWalk.Entry) throws(SyscallError) -> (file: OpenFile, key: FileKey)? {
        guard let kept = files[Self.number(entry)], try ReadLease.isWhole(kept.file.descriptor) else { return nil }
        files[Self.number(entry)] = nil
        return kept
    }

    /// Requests the lease of a file, where that shows that nobody writes, and finds out what has its name then.
    /// - Parameter isLast: whether the file is not kept any longer.
    /// - Returns: the open file, and nothing for its status where another file has the name than the one that was kept.
    func open(
        _ entry: FolderWalk.Entry, isLeased: Bool, isLast: Bool = false
    ) throws(SyscallError) -> (file: OpenFile, answer: ReadLease.Answer, status: FileStatus?) {
        let kept = isLast ? files.removeValue(forKey: Self.number(entry)) : files[Self.number(entry)]
        let file =
            if let kept { kept.file } else { OpenFile(try entry.level.directory.file(entry.name, mayCross: false)) }
        let answer = isLeased ? ReadLease.take(file.descriptor) : .held
        guard let kept else { return (file, answer, try file.descriptor.status()) }
        let status = try entry.status()
        return (file, answer, status.identity.file == kept.key ? status : nil)
    }
}
