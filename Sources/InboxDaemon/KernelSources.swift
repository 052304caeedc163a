import InboxLinux

/// The kernel's reports to the loop: signals, events in the Inboxes, and changes of the mounts.
struct KernelSources: ~Copyable {
    /// Bytes; a longer table of mounts is not read.
    private static let longestTable = 16 << 20

    let signals: SignalReader
    /// Nil where there is no instance free: everything is polled then.
    let inotify: Inotify?
    /// The reason why there is no instance; nil if there is one.
    let withoutEvents: SyscallError?
    /// Urgent data is there when the mounts have changed: proc_pid_mountinfo(5).
    let mounts: FileDescriptor

    /// Opens the table of mounts, without which nothing is known of what hangs and what is foreign.
    static func openMounts() throws(DaemonError) -> FileDescriptor {
        let path = BytePath("/proc/self/mountinfo")
        do throws(SyscallError) { return try FileDescriptor.reading(path: path) } catch {
            throw error.errno.isAbsent ? .processes(path, error) : .kernel(error)
        }
    }

    init(mounts: consuming FileDescriptor) throws(SyscallError) {
        // First: the threads that are started later inherit the blocked signals.
        let signals = try SignalReader()
        try Process.raiseDescriptorLimit(to: 4096)
        var inotify: Inotify?
        var withoutEvents: SyscallError?
        do throws(SyscallError) { inotify = try Inotify() } catch  where error.errno.isWantOfDescriptors {
            withoutEvents = error
        }
        self.mounts = mounts
        self.signals = signals
        self.inotify = inotify
        self.withoutEvents = withoutEvents
    }

    /// The mounts as they are now; nil where there are too many to be read.
    func mountTable() throws(SyscallError) -> MountTable? {
        try mounts.contents(limit: Self.longestTable).map(MountTable.init)
    }

    /// The same, or no mount where the table cannot be read, which whoever follows the mounts reports.
    var foreseeableMounts: MountTable {
        do throws(SyscallError) { return try mountTable() ?? MountTable() } catch { return MountTable() }
    }
}
