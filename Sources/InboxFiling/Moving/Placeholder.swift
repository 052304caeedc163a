import InboxLinux

/// An object that is created under a name only to hold it for a moment: an empty file or folder that a document is
/// renamed over if the filesystem has no rename that never replaces, or a file whose content is yet to be written.
///
/// An interruption leaves it behind, and recovery must not mistake somebody's own empty file for it. So it has the
/// sticky bit, which nobody gives to a file, nor to a folder that only its owner may enter. open(2) and mkdir(2) set
/// it as they create, so that no kill can fall between. Filesystems without modes do not keep it; there an empty file
/// stays.
package enum Placeholder {
    private static let sticky: UInt32 = 0o1000
    /// The mode of a new file whose content is yet to come.
    package static let fileMode: UInt32 = sticky | 0o600
    /// The mode of a new folder that is to be replaced.
    package static let folderMode: UInt32 = sticky | 0o700

    /// Returns whether this is one that the daemon's user created at that time or later, and that nobody has put
    /// anything into. Of a folder only its removal shows the last.
    package static func isMarked(_ status: FileStatus, since begun: Timestamp) -> Bool {
        guard status.owner == Process.user, (status.identity.file.birth ?? status.identity.modified) >= begun else {
            return false
        }
        return switch status.kind {
        case .regular: status.size == 0 && status.permissions & 0o7000 == sticky
        case .directory: status.permissions & 0o1777 == folderMode
        case .symlink, .special: false
        }
    }
}
