import InboxLinux

/// Removes a folder of the daemon's own with all that is in it: the unfinished copy of a package.
package enum FolderRemoval {
    /// Removes a folder of this name.
    package static func remove(_ name: FileName, in folder: OpenFolder) throws(SyscallError) {
        // One that is too large to be walked is not empty, which the kernel says of its removal.
        _ = try FolderWalk.unlessTooLarge { () throws(FolderWalk.Failure) in
            let top = OpenFolder(try PackageProof.folder(name, in: folder))
            allowChanges(of: top.directory)
            var walk = try FolderWalk(again: top)
            while let step = try walk.next() {
                try FolderWalk.Failure.of { () throws(SyscallError) in
                    switch step {
                    case .entry(let entry): try entry.level.directory.removeFile(entry.name)
                    case .entered(let level, _): allowChanges(of: level.directory)
                    case .left(let level, let parent):
                        if let name = level.name { try parent.directory.removeFolder(name) }
                    }
                }
            }
        }
        try folder.directory.removeFolder(name)
    }

    /// It may have the mode of its source already, which need not let its owner change it.
    private static func allowChanges(of folder: borrowing Directory) {
        do throws(SyscallError) { try folder.descriptor.changePermissions(0o700) } catch {
            // The removal shows whether it had to.
        }
    }
}
