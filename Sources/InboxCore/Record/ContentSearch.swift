import InboxFiling
import InboxLinux

/// Finds a copy where inode numbers may mean nothing: the file or package that has its name and its content.
///
/// Several may. The one that has its other marks too comes first, since some of these filesystems, such as GlusterFS, do keep
/// their numbers, then what has its time. No file is read twice.
struct ContentSearch {
    /// The result of a search.
    enum Outcome {
        case found(FileName)
        case notThere
        /// The daemon was asked to end, and nobody knows.
        case abandoned
    }

    /// The degree to which a file resembles the copy, the likeliest first.
    private enum Likeness: CaseIterable {
        case marks, time, size
    }

    private let copied: JournalEntry.Copied
    private let staged: StagedSource?
    private let folder: OpenFolder
    private let abandonment: Abandonment

    /// - Parameters:
    ///   - copied: what was copied.
    ///   - staged: the source; where there is none any more the copy's size and time are its marks.
    init(_ copied: JournalEntry.Copied, _ staged: StagedSource?, in folder: OpenFolder, _ abandonment: Abandonment) {
        (self.copied, self.staged, self.folder, self.abandonment) = (copied, staged, folder, abandonment)
    }

    /// Looks under the name that a copy most likely has, then in the row of numbered names.
    func find(
        _ first: FileName, elseIn row: FileName, _ search: FolderSearch
    ) throws(SyscallError) -> Outcome {
        let likeness = try likeness(of: first)
        if likeness == .marks, !abandonment.isRequested {
            let outcome = try compare(first, isMarked: true)
            guard case .notThere = outcome else { return outcome }
        }
        var candidates: [Likeness: [FileName]] = [:]
        if let likeness, likeness != .marks { candidates[likeness] = [first] }
        _ = try search.row(of: row, in: folder) { (name) throws(SyscallError) in
            if name != first, let likeness = try self.likeness(of: name) {
                candidates[likeness, default: []].append(name)
            }
            return abandonment.isRequested
        }
        // What was not looked into to its end may be the copy, rather than what is like it.
        if abandonment.isRequested { return .abandoned }
        for likeness in Likeness.allCases {
            for name in candidates[likeness] ?? [] {
                let outcome = try compare(name, isMarked: likeness == .marks)
                guard case .notThere = outcome else { return outcome }
            }
        }
        return .notThere
    }

    /// Nil for what is no copy, or is not there.
    private func likeness(of name: FileName) throws(SyscallError) -> Likeness? {
        do throws(SyscallError) {
            let status = try folder.directory.status(of: name)
            let (copy, found) = (copied.published(status.kind), try identity(of: name, status))
            guard found?.size == copy.size, let found else { return nil }
            if found.isSame(copy) { return .marks }
            if found.modified == copy.modified { return .time }
            return staged == nil ? nil : .size
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Returns the identity of the file or package with a name: for a package, with the size and the times of
    /// everything in it. Nil for a folder that is not a package, and for any folder if the source is not one.
    private func identity(of name: FileName, _ status: FileStatus) throws(SyscallError) -> FileIdentity? {
        guard status.kind == .directory else { return status.identity }
        if let staged, try staged.folder.directory.status(of: staged.name).kind != .directory { return nil }
        do throws(FolderWalk.Failure) {
            let package = try FolderWalk.Failure.of(folder.directory.folder(name, mayCross: false))
            return try PackageSurvey(of: package, abandonment).status.identity
        } catch {
            // The copy is the daemon's own: it could be read, and nothing is mounted in it.
            guard case .failed(let error) = error else { return nil }
            if error.errno.isClosed { return nil }
            throw error
        }
    }

    private func compare(_ name: FileName, isMarked: Bool) throws(SyscallError) -> Outcome {
        do throws(SyscallError) {
            guard let staged else { return .found(name) }
            let status = try staged.folder.directory.status(of: staged.name)
            if try PublishedCopy(folder: folder, name: name).isName(of: status) { return .found(name) }
            switch (status.kind, try folder.directory.status(of: name).kind) {
            case (.regular, .regular):
                let content = try staged.folder.directory.file(staged.name)
                let other = try opened(isMarked) { () throws(SyscallError) in
                    OpenFile(try folder.directory.file(name))
                }
                guard let other else { return .notThere }
                let isSame = try content.hasContent(of: other.descriptor) { abandonment.isRequested }
                return isSame ? .found(name) : abandonment.isRequested ? .abandoned : .notThere
            case (.symlink, .symlink):
                let target = try staged.folder.directory.target(of: staged.name)
                return try target == folder.directory.target(of: name) ? .found(name) : .notThere
            case (.directory, .directory):
                let other = try opened(isMarked) { () throws(SyscallError) in
                    OpenFolder(try folder.directory.folder(name, mayCross: false))
                }
                guard let other else { return .notThere }
                var comparison = PackageComparison(with: other, abandonment)
                let isSame = try comparison.hasAll(of: staged.folder.directory.folder(staged.name))
                return isSame ? .found(name) : abandonment.isRequested ? .abandoned : .notThere
            default: return .notThere
            }
        } catch  where error.errno.isAbsent {
            return .notThere
        }
    }

    /// Nil for what is gone, or may not be opened though it is like the copy alone: that was the daemon's own. What has all
    /// marks of the copy is the copy, which somebody may have closed since.
    private func opened<Opened>(
        _ isMarked: Bool, _ open: () throws(SyscallError) -> Opened
    ) throws(SyscallError) -> Opened? {
        do throws(SyscallError) { return try open() } catch
            where (error.errno.isClosed && !isMarked) || error.errno.isAbsent
        {
            return nil
        }
    }
}
