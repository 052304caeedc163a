import InboxLinux

/// Removes a folder of the daemon's own with all that is in it: the unfinished copy of a package.
package enum FolderRemoval {
    /// Removes a folder of this name.
    /// - Returns: false where it stays: something in it was removed while it was open, and has another name on FUSE.
    @discardableResult
    package static func remove(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        let top = OpenFolder(try folder.directory.folder(name))
        allowChanges(of: top.directory)
        // One that is too large to be walked is not empty, which the kernel says of its removal.
        _ = try FolderWalk.forEach(beneath: try top.directory.folder(beneath: [])) { (step) throws(SyscallError) in
            switch step {
            case .entry(let entry): try entry.level.directory.removeFile(entry.name)
            case .entered(let level, _): allowChanges(of: level.directory)
            case .left(let level, let parent):
                if let name = level.name { _ = try parent.directory.removeEmptyFolder(name) }
            }
            return true
        }
        return try folder.directory.removeEmptyFolder(name)
    }

    /// It may have the mode of its source already, which need not let its owner change it.
    private static func allowChanges(of folder: borrowing Directory) {
        do throws(SyscallError) { try folder.descriptor.changePermissions(0o700) } catch {
            // The removal shows whether it had to.
        }
    }
}
