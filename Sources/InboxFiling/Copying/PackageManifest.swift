import InboxLinux

/// All that was copied of a package, so that nothing else is removed afterwards: a folder that somebody moves into it
/// keeps the change times of what is in it.
struct PackageManifest: Sendable {
    private var changes: [FileKey: Timestamp] = [:]

    /// Takes note that a file, link or folder was copied.
    mutating func note(_ status: FileStatus) { changes[status.identity.file] = status.changed }

    /// Whether a file or link was copied as it is now.
    func has(_ status: FileStatus) -> Bool { changes[status.identity.file] == status.changed }

    /// Whether a folder was copied, whatever is in it now.
    func hasFolder(_ status: FileStatus) -> Bool { changes[status.identity.file] != nil }
}
