import CInboxLinux
import Glibc

/// Threads for what blocks until somebody else is done.
package enum BackgroundThread {
    /// The number of the calling thread, which no other has as long as it lives: pthread_self(3).
    package static var current: UInt { UInt(pthread_self()) }

    /// Starts a thread that does this and ends; signals are blocked in it.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SyscallError) {
        let context = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
        do throws(SyscallError) {
            _ = try systemCall(.threadCreate) {
                inbox_thread_start(
                    { context in
                        guard let context else { return }
                        Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
                    }, context)
            }
        } catch {
            Unmanaged<ThreadStart>.fromOpaque(context).release()
            throw error
        }
    }
}

/// The body of a new thread, as an object whose address can pass through C.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

extension Bell {
    /// Sleeps until the bell rings, and silences it: poll(2) without a timeout.
    package func awaitRing() {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        // Only signals, and a kernel that is short of memory for a moment, let it fail.
        while poll(&entry, 1, -1) <= 0 { sched_yield() }
        drain()
    }

    /// Sleeps until the bell rings or this instant: poll(2).
    package func awaitRing(until end: Instant) {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, end.pollTimeout)
    }

    private func drain() {
        var counter: UInt64 = 0
        _ = Glibc.read(descriptor.number, &counter, 8)
    }
}
