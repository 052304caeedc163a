import Synchronization

/// A thread that makes calls for others, one after the other, so that nobody else is blocked by one that hangs.
package final class CallThread: Sendable {
    private struct State {
        var calls: [@Sendable () -> Void] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    private let wake: Bell

    /// Starts the thread; signals are blocked in it.
    package init() throws(SyscallError) {
        wake = try Bell()
        try BackgroundThread.start { [self] in run() }
    }

    /// Makes a call after those that it has. What the call returns, and what it captured, ends on the thread.
    package func perform(_ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.calls.append(call) }
        wake.ring()
    }

    /// Lets the thread end after the calls that it has.
    package func end() {
        state.withLock { $0.isEnding = true }
        wake.ring()
    }

    private func run() {
        while true {
            wake.awaitRing()
            while let call = state.withLock({ $0.calls.isEmpty ? nil : $0.calls.removeFirst() }) { call() }
            if state.withLock({ $0.isEnding && $0.calls.isEmpty }) { return }
        }
    }
}
