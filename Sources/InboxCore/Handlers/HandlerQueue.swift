import InboxLinux

/// The documents of one document type that wait for their handlers: those of a user in the order in which they were filed,
/// and one of each user in turn. Those that wait for another try go before their owner's others when their time has come.
struct HandlerQueue {
    /// A document that waits for its handler.
    struct Task {
        let document: HandledDocument
        /// How often its handler was begun.
        var tries = 0
        /// Whether an earlier run has begun some of them, the last of which may not have come to its end.
        var hasOutlivedRun = false
        /// Not before.
        var next = Instant(nanoseconds: 0)
    }

    private var ready = OwnerQueue<Task>()
    private var delayed: [Task] = []
    /// How many handlers run now.
    var running = 0

    /// How many documents wait.
    var count: Int { ready.count + delayed.count }

    /// Whether a document waits for something else than its back-off.
    var hasReady: Bool { !ready.isEmpty }

    /// The ids of the documents that wait.
    var ids: [String] { (ready.elements + delayed).map(\.document.id) }

    /// The document of this id that waits; nil where none has it.
    func task(_ id: String) -> Task? { (ready.elements + delayed).first { $0.document.id == id } }

    /// When the next try is due that waits for its back-off.
    var nextDeadline: Instant { delayed.map(\.next).min() ?? .never }

    /// Whether a task can be taken.
    func hasDue(at now: Instant) -> Bool { hasReady || delayed.contains { $0.next <= now } }

    mutating func append(_ task: Task) { ready.append(task, of: task.document.owner) }

    /// A task waits until its time has come.
    mutating func delay(_ task: Task) { delayed.append(task) }

    /// Takes the task that is next; nil where none is due.
    mutating func take(at now: Instant) -> Task? {
        let due = delayed.filter { $0.next <= now }
        if !due.isEmpty {
            delayed.removeAll { $0.next <= now }
            for (owner, tasks) in Dictionary(grouping: due, by: \.document.owner) { ready.putBack(tasks, of: owner) }
        }
        return ready.popFirst()
    }
}
