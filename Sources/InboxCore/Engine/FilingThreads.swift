import InboxLinux

/// The threads that file and copy: they outlive the use of a state folder.
struct FilingThreads {
    /// File on the same filesystem.
    let batches: BatchLanes
    /// Copy to others.
    let copies: CopyLanes

    init() throws(SyscallError) {
        batches = try BatchLanes()
        copies = try CopyLanes(large: Copying.mostBytes) { $0.perform() }
    }

    /// Lends the descriptors that are readable when a worker has finished something.
    func withBells<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try batches.withBells(body)
        try copies.withBells(body)
    }

    /// Leaves what jobs have come to that hung until the state folder was lost: the next filing resolves it.
    func postpone() throws(SyscallError) {
        try batches.postpone()
        try copies.postpone()
    }

    /// There is a filing again.
    func remind() {
        batches.remind()
        copies.remind()
    }
}
