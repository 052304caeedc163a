import Glibc
import InboxLinux
import Synchronization

/// Ctrl-C and its like: the children end and the work folders go before the program does.
enum Interruption {
    private static let isSet = Atomic(false)

    /// From now on a thread waits for the signals; every other one has them blocked.
    static func begin() throws(SyscallError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        // A reader of the table who has seen enough is no reason to leave the folders there.
        signal(SIGPIPE, SIG_IGN)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        try BackgroundThread.start {
            var awaited = awaited
            var signal: Int32 = 0
            while sigwait(&awaited, &signal) != 0 {}
            end(by: signal)
        }
    }

    /// Does not return once a signal has come: the program is about to end.
    static func waitIfInterrupted() {
        while isSet.load(ordering: .acquiring) { Glibc.pause() }
    }

    private static func end(by number: Int32) -> Never {
        isSet.store(true, ordering: .releasing)
        Child.killAll()
        WorkFolders.shared.close()
        // What the main thread still makes, it makes in folders that are gone, unless it was faster.
        WorkFolders.shared.removeAll(keeping: false)
        exit(128 + number)
    }
}
