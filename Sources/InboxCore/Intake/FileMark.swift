import InboxLinux

/// A digest of what a file is: enough to notice that it is another one, or has changed, in 8 bytes.
struct FileMark: Hashable {
    /// Of what stays while it is renamed and written.
    let file: UInt32
    /// Of what changes with its content and its status.
    let content: UInt32

    init(_ status: FileStatus) {
        file = Self.digest { $0.combine(status.identity.file) }
        content = Self.digest {
            $0.combine(status.identity)
            $0.combine(status.changed)
        }
    }

    init(file: UInt32, content: UInt32) {
        self.file = file
        self.content = content
    }

    /// Seeded anew in each process, so that nobody can prepare two files with one digest.
    private static func digest(_ body: (inout Hasher) -> Void) -> UInt32 {
        var hasher = Hasher()
        body(&hasher)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
