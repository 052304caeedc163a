import Synchronization

/// Lets a few tests at a time through: each runs a daemon, and the kernel allows a user few inotify instances.
final class Gate: Sendable {
    /// The one that every test with a daemon passes.
    static let daemons = Gate(places: 6)

    private struct State {
        var places: Int
        var queue: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(places: places))
    }

    func enter() async {
        await withCheckedContinuation { continuation in
            let free = state.withLock { state in
                guard state.places == 0 else {
                    state.places -= 1
                    return true
                }
                state.queue.append(continuation)
                return false
            }
            if free { continuation.resume() }
        }
    }

    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.places += 1
            return nil
        }
        next?.resume()
    }
}
