import InboxLinux
import Synchronization

/// The reach of the loop into the run of a program on another thread.
final class ProgramControl: Sendable {
    private struct State {
        var isSearching = true
        var process: Int32?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    /// The run was abandoned.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The run was abandoned while it was looking for the document: it goes no further, but the search may last as
    /// long as a server does not answer.
    var isOver: Bool { state.withLock { $0.isSearching && $0.isAbandoned } }

    /// The document was found, and its program is about to begin; false where that is not to be.
    func leaveSearch() -> Bool {
        state.withLock { state in
            if !state.isAbandoned { state.isSearching = false }
            return !state.isAbandoned
        }
    }

    /// Its program runs, or is prepared, in the group of this number.
    func begin(_ process: Int32) {
        state.withLock {
            $0.process = process
            if $0.isAbandoned { StartedProgram.kill(group: process) }
        }
    }

    /// Its program's number is about to be freed.
    func end() { state.withLock { $0.process = nil } }

    /// Kills the program and all that is in its group.
    func abandon() {
        state.withLock {
            $0.isAbandoned = true
            if let process = $0.process { StartedProgram.kill(group: process) }
        }
    }

    /// Kills the program and all that is in its group, as if it had died of itself.
    func kill() { state.withLock { if let process = $0.process { StartedProgram.kill(group: process) } } }

    /// Abandons a try whose program has not begun, and kills the process that was prepared for it.
    /// - Returns: whether it has not begun.
    func abandonSearch() -> Bool {
        state.withLock { state in
            guard state.isSearching else { return false }
            state.isAbandoned = true
            if let process = state.process { StartedProgram.kill(group: process) }
            return true
        }
    }
}
