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

    /// Whether the copy has all that is in the package, with the same content. An interruption may have removed some of the
    /// package, and set an entry aside.
    mutating func hasAll(of package: consuming Directory) throws(SyscallError) -> Bool {
        try FolderWalk.forEach(beneath: package) { (step) throws(SyscallError) in
            if abandonment.isRequested { return false }
            let copy = copies[copies.count - 1]
            switch step {
            case .entered(let level, _):
                guard let name = level.name else { return true }
                do throws(SyscallError) {
                    copies.append(OpenFolder(try copy.directory.folder(name, mayCross: false)))
                } catch  where error.errno.isAbsent || error.errno == .crossDevice {
                    return false
                }
                return true
            case .left:
                copies.removeLast()
                return true
            case .entry(let entry):
                return try RemovalName.hasSame(as: entry, in: copy) { (name) throws(SyscallError) in
                    try isSame(entry, name, in: copy)
                }
            }
        }
    }

    private func isSame(
        _ entry: FolderWalk.Entry, _ name: FileName, in copy: OpenFolder
    ) throws(SyscallError) -> Bool {
        switch (entry.kind, try copy.directory.status(of: name).kind) {
        case (.regular, .regular):
            let file = try entry.level.directory.file(entry.name)
            return try file.hasContent(of: try copy.directory.file(name)) { abandonment.isRequested }
        case (.symlink, .symlink):
            return try entry.level.directory.target(of: entry.name) == copy.directory.target(of: name)
        default: return false
        }
    }
}
