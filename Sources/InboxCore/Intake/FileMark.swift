import InboxLinux

/// A digest of what a file is: enough to notice that it is another one, or has changed, in 8 bytes.
struct FileMark: Hashable {
    /// Of what stays while it is renamed and written.
    let file: UInt32
    /// Of what changes with its content and its status.
    let content: UInt32

    init(_ status: FileStatus) {
        let (identity, changed) = (status.identity, status.changed)
        let birth = identity.file.birth
        // Seeded anew in each process, so that nobody can prepare two files with one digest.
        var hasher = Hasher()
        Self.combine(
            (
                identity.file.device, identity.file.inode, UInt64(bitPattern: birth?.seconds ?? 0),
                birth.map { UInt64($0.nanoseconds) } ?? .max
            ), into: &hasher)
        let half = hasher
        file = UInt32(truncatingIfNeeded: half.finalize())
        Self.combine(
            (
                identity.size, UInt64(bitPattern: identity.modified.seconds),
                UInt64(bitPattern: changed.seconds),
                UInt64(identity.modified.nanoseconds) << 32 | UInt64(changed.nanoseconds)
            ), into: &hasher)
        content = UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// Four numbers at once: each by itself costs as much as all of them.
    private static func combine(_ numbers: (UInt64, UInt64, UInt64, UInt64), into hasher: inout Hasher) {
        withUnsafeBytes(of: numbers) { hasher.combine(bytes: $0) }
    }

    init(file: UInt32, content: UInt32) {
        self.file = file
        self.content = content
    }
}
