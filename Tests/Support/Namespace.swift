import Glibc
import Synchronization

/// A thread with mounts and a network of its own: what is mounted there is seen by the programs that it starts and by
/// nobody else, and the kernel unmounts it all when the last of them has ended, whatever becomes of a test.
package final class Namespace: Sendable {
    /// Why there can be none; nil where there can.
    package static let obstacle: String? = {
        var thread = pthread_t()
        // A thread that ends takes its namespace with it.
        let trial: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            UnsafeMutableRawPointer(bitPattern: Int(Namespace.enter()))
        }
        guard pthread_create(&thread, nil, trial, nil) == 0 else { return "no thread can be started" }
        var result: UnsafeMutableRawPointer?
        pthread_join(thread, &result)
        let code = Int32(truncatingIfNeeded: Int(bitPattern: result))
        return code == 0 ? nil : "no namespaces can be had: \(String(cString: strerror(code)))"
    }()

    private let thread = OwnThread()
    private let isEntered = Mutex(false)

    /// Starts the thread, which enters the namespaces with its first work.
    package init() {}

    /// Does the work on the thread.
    package func perform<Result>(_ work: () async throws -> Result) async throws -> Result {
        try await withTaskExecutorPreference(thread) {
            try isEntered.withLock { isEntered in
                guard !isEntered else { return }
                let code = Self.enter()
                guard code == 0 else { throw DiskError(call: "unshare", path: "/", code: code) }
                isEntered = true
            }
            return try await work()
        }
    }

    /// Gives this thread mounts of its own, into which others' changes still come, and none leaves, and a network that
    /// reaches nobody; errno, or 0.
    private static func enter() -> Int32 {
        // The function is missing from the Glibc module, and so are CLONE_NEWNS and CLONE_NEWNET of clone(2).
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return ENOSYS }
        guard unsafeBitCast(symbol, to: Unshare.self)(0x0002_0000 | 0x4000_0000) == 0 else { return errno }
        return mount(nil, "/", nil, UInt(MS_REC | MS_SLAVE), nil) == 0 ? 0 : errno
    }
}
