import Glibc
import Synchronization

/// Waits for the end of a program on a thread of its own, and reaps it at once.
///
/// The testing library waits for any child, for the sake of its exit tests, and finds one that has ended again and again
/// until somebody has reaped it: with six daemons under way that took a tenth of a processor.
final class ProgramEnd: Sendable {
    private let processID: pid_t
    private let found = Mutex<Program.Exit?>(nil)

    init(of processID: pid_t) {
        self.processID = processID
        let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<ProgramEnd>.fromOpaque(context).takeRetainedValue().wait()
            return nil
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, start, context.toOpaque())
        guard code == 0 else { fatalError("pthread_create: \(String(cString: strerror(code)))") }
        pthread_detach(thread)
    }

    /// How it ended, or nil while it runs.
    var exit: Program.Exit? { found.withLock { $0 } }

    /// Sends a signal, unless it has ended: its number could be another's by then.
    func signal(_ number: Int32) {
        found.withLock { if $0 == nil { kill(processID, number) } }
    }

    private func wait() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        found.withLock { exit in
            var status: Int32 = 0
            // Whoever else had reaped it would leave a status of 0 here, which is that of a success.
            while waitpid(processID, &status, 0) < 0 {
                guard errno == EINTR else { fatalError("waitpid: \(String(cString: strerror(errno)))") }
            }
            exit = Program.Exit(waitStatus: status)
        }
    }
}
