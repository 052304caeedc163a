import Synchronization

/// Lets a few tests at a time through, each on a thread of its own: each runs a daemon, and the kernel allows a user
/// few inotify instances.
package final class Gate: Sendable {
    /// The one that every test with a daemon passes.
    package static let daemons = Gate(places: 6)

    /// Whether the current task has passed a gate, and with that has a thread that it may block.
    @TaskLocal static var isPassed = false

    private struct State {
        var free: [OwnThread]
        var queue: [CheckedContinuation<OwnThread, Never>] = []
    }

    private let state: Mutex<State>

    package init(places: Int) {
        state = Mutex(State(free: (0..<places).map { _ in OwnThread() }))
    }

    /// Waits for a place, and does the work there.
    ///
    /// - Parameter isLong: whether it goes before all that wait: as the last one it would be alone for a while, with
    ///   processors idle.
    package func pass<Result>(isLong: Bool = false, _ work: () async throws -> Result) async throws -> Result {
        let thread = await enter(isLong: isLong)
        defer { leave(thread) }
        return try await Self.$isPassed.withValue(true) {
            try await withTaskExecutorPreference(thread, operation: work)
        }
    }

    private func enter(isLong: Bool) async -> OwnThread {
        await withCheckedContinuation { continuation in
            let thread: OwnThread? = state.withLock { state in
                if state.free.isEmpty { state.queue.insert(continuation, at: isLong ? 0 : state.queue.endIndex) }
                return state.free.popLast()
            }
            if let thread { continuation.resume(returning: thread) }
        }
    }

    private func leave(_ thread: OwnThread) {
        let next: CheckedContinuation<OwnThread, Never>? = state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.free.append(thread)
            return nil
        }
        next?.resume(returning: thread)
    }
}
