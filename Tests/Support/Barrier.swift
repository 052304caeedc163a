import Glibc

/// A place where a thread of a debug build waits for the test: a FIFO, and a fault plan that says `WAIT=` and its path.
package final class Barrier {
    package let path: TestPath
    private var descriptor: Int32?

    package init(at path: TestPath) throws {
        self.path = path
        try Disk.check("mkfifo", path, path.withCString { mkfifo($0, 0o600) })
    }

    deinit { open() }

    /// Waits until a thread is there; it stays until `open()`.
    package func reached() async throws {
        try await eventually(every: .milliseconds(5)) { try isReached() ? nil : "no thread waits at \(path)" }
    }

    /// Whether a thread is there now; if so it stays until `open()`. One that was let go a moment ago may be met
    /// once more, before it has seen that.
    package func isReached() throws -> Bool {
        guard descriptor == nil else { throw Failure("the barrier was reached before, and not opened since") }
        // A FIFO that nobody reads cannot be opened so: ENXIO.
        let opened = path.withCString { Glibc.open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
        guard opened >= 0 else { return false }
        descriptor = opened
        return true
    }

    /// Lets the thread go on.
    package func open() {
        guard let descriptor else { return }
        close(descriptor)
        self.descriptor = nil
    }
}
