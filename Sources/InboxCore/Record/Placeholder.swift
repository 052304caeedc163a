import InboxFiling
import InboxLinux

/// The empty folder that a package is renamed over, where the filesystem knows no rename that does not replace.
enum Placeholder {
    /// Removes what an interruption has left of one: a folder of the row of `wanted` with the marks of one that this user
    /// made for nobody else after `begun`.
    static func remove(
        _ wanted: FileName, in folder: borrowing Directory, madeAfter begun: Timestamp
    ) throws(SyscallError) {
        let row = NumberedName(wanted)
        var entries = try DirectoryEntries(of: try folder.folder(beneath: []))
        while let entry = try entries.next() {
            guard row.number(of: entry.name) != nil else { continue }
            let status = try folder.status(of: entry.name)
            guard status.kind == .directory, status.owner == Process.user, status.permissions & 0o777 == 0o700,
                let birth = status.identity.file.birth, birth >= begun
            else { continue }
            do throws(SyscallError) { try folder.removeFolder(entry.name) } catch  where error.errno == .notEmpty {
                // Whoever put something in has made it theirs.
            }
        }
    }
}
