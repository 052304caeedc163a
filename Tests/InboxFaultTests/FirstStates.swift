import InboxTestSupport
import Synchronization

/// A state that a kill has left, and the calls of the undisturbed run that ended what was begun.
struct FirstState: Sendable {
    /// Where the kill struck.
    let target: Target
    let next: CallTrace
    /// The numbers, counted from 1, of the calls that did so.
    let numbers: [Int]

    /// Those of them that change something.
    var changes: [Target] { next.targets(numbers.filter { next.calls[$0 - 1].isChange }) }
}

/// What the kills of a sweep have left, one state of each kind: those from which recovery is disturbed as well.
final class FirstStates: Sendable {
    private let found = Mutex<[Set<String>: FirstState]>([:])

    /// Keeps the state unless an earlier call has left one of its kind, or another run is left in another state there.
    func note(_ kind: Set<String>, _ state: FirstState) {
        guard !state.target.isOnPlaces else { return }
        found.withLock { found in
            if let known = found[kind], known.target.index <= state.target.index { return }
            found[kind] = state
        }
    }

    /// So many of them, chosen by the seed, in the order of the calls; without `INBOX_TESTS=full` at most one.
    func some(_ most: Int, for purpose: String) -> [FirstState] {
        let all = found.withLock { $0.values.sorted { $0.target.index < $1.target.index } }
        var random = Extent.generator(for: purpose)
        return all.indices.shuffled(using: &random).prefix(Extent.isFull ? most : 1).sorted().map { all[$0] }
    }
}
