import InboxCore

/// The course of the daemon: it continues until a signal asks for the end, something fails or, once, everything is
/// filed.
struct DaemonCourse {
    /// Ends when all is filed that does not wait for others.
    let isOnce: Bool
    /// A signal has asked for the end.
    private(set) var isEnding = false
    /// The error that ends the daemon; nil if there is none.
    private(set) var failure: DaemonError?

    init(isOnce: Bool) {
        self.isOnce = isOnce
    }

    /// Nothing begins any more.
    mutating func end() { isEnding = true }

    /// Nothing goes on.
    mutating func fail(_ error: DaemonError) { failure = error }

    /// Returns true if nothing is left to do for this work.
    func isFinished(_ work: InboxWork) -> Bool {
        if failure != nil { return true }
        return isEnding ? work.isAtRest : isOnce && work.isDone
    }
}
