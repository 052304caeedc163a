import Glibc
import Synchronization

/// A thread that a test has for itself while it plays.
///
/// The tests of the whole package share as many threads as the machine has processors, and some compute for seconds.
/// A scenario whose scanner writes every second cannot wait for them, and what blocks here holds up nobody.
package final class OwnThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// A byte in the pipe for each job.
    private let readEnd: Int32
    private let writeEnd: Int32

    /// Starts the thread, which stays for the life of the test run.
    package init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
        var thread = pthread_t()
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().work()
            return nil
        }
        let code = pthread_create(&thread, nil, start, Unmanaged.passRetained(self).toOpaque())
        guard code == 0 else { fatalError("pthread_create: \(String(cString: strerror(code)))") }
        pthread_detach(thread)
    }

    /// Tells threads apart.
    package static var current: pthread_t { pthread_self() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        var byte: UInt8 = 0
        while write(writeEnd, &byte, 1) < 0 && errno == EINTR {}
    }

    private func work() {
        var byte: UInt8 = 0
        while true {
            let count = read(readEnd, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return }
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Blocks this thread, which is the test's own.
package func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while nanosleep(&wanted, &rest) != 0 && errno == EINTR { wanted = rest }
}
