import InboxLinux

/// A symbolic link on the way to a destination: it is followed where root, the daemon's user or the owner of the
/// destination's root has made it, and where nobody else could exchange anything on its way. Any other is passed over
/// like a file.
enum FollowedLink {
    /// Opens the folder that a link leads to; nil where the name is no link, or not one that is followed.
    static func open(
        _ name: FileName, in parent: ReachedFolder, of root: DestinationRoot
    ) throws(SyscallError) -> OpenFolder? {
        let around = parent.folder
        let owner: UInt32
        let key: FileKey
        do throws(SyscallError) {
            let status = try around.directory.status(of: name)
            guard status.kind == .symlink else { return nil }
            owner = status.owner
            key = try around.directory.status().identity.file
        } catch {
            if error.errno.isAbsent { return nil }
            throw error
        }
        let makers: Set<UInt32> = [0, Process.user, root.opened.status.owner]
        guard makers.contains(owner) else { return nil }
        // The path is followed from the top: each link on it counts as it is at that moment, and it has to lead through
        // the folder that is open.
        var isTrusted = true
        var leadsThrough = false
        do throws(SafePathError) {
            let folder = OpenFolder(
                try SafePath.open(parent.path.appending(name)) { _, status in
                    if status.kind == .symlink, !makers.contains(status.owner) { isTrusted = false }
                    if status.identity.file == key { leadsThrough = true }
                })
            return isTrusted && leadsThrough ? folder : nil
        } catch {
            guard case .failed(_, let error) = error, !error.errno.isAbsent, !error.errno.isDenied else { return nil }
            throw error
        }
    }
}
