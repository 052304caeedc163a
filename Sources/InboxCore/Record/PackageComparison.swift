import InboxFiling
import InboxLinux

/// Compares a claimed package with what may be its copy, entry by entry.
struct PackageComparison {
    private let abandonment: Abandonment
    /// The folders of the copy for those in which the walk is.
    private var copies: [OpenFolder]

    /// - Parameter abandonment: ends the comparison early, as a difference would.
    init(with copy: OpenFolder, _ abandonment: Abandonment) {
        self.abandonment = abandonment
        copies = [copy]
    }

    /// Returns whether the copy has all that is in the package, with the same content. An interruption may have removed
    /// some of the package, and set an entry aside.
    mutating func hasAll(of package: consuming Directory) throws(SyscallError) -> Bool {
        try FolderWalk.forEach(beneath: package) { (step) throws(SyscallError) in
            if abandonment.isRequested { return false }
            let copy = copies[copies.count - 1]
            switch step {
            case .entered(let level, _):
                guard let name = level.name else { return true }
                do throws(SyscallError) {
                    copies.append(OpenFolder(try copy.directory.folder(name, mayCross: false)))
                } catch  where error.errno.isAbsent || error.errno.isClosed {
                    return false
                }
                return true
            case .left:
                copies.removeLast()
                return true
            case .entry(let entry): return try hasSame(as: entry, in: copy)
            }
        }
    }

    /// The package is the daemon's own: what fails there says nothing of the copy.
    private func hasSame(as entry: FolderWalk.Entry, in copy: OpenFolder) throws(SyscallError) -> Bool {
        switch entry.kind {
        case .regular:
            let file = OpenFile(try entry.level.directory.file(entry.name))
            return try RemovalName.hasSame(as: entry, in: copy) { (name) throws(SyscallError) in
                guard try copy.directory.status(of: name).kind == .regular else { return false }
                let other = try copy.directory.file(name, mayCross: false)
                return try file.descriptor.hasContent(of: other) { abandonment.isRequested }
            }
        case .symlink:
            let target = try entry.level.directory.target(of: entry.name)
            return try RemovalName.hasSame(as: entry, in: copy) { (name) throws(SyscallError) in
                try copy.directory.target(of: name) == target
            }
        case .directory, .special: return false
        }
    }
}
