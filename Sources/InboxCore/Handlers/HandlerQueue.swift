import InboxLinux

/// The documents of one document type that wait for their handlers, in the order in which they were filed; those that
/// wait for another try go first when their time has come.
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

    private var fresh: [Task] = []
    /// What is before it in ``fresh`` has been taken.
    private var head = 0
    private var delayed: [Task] = []
    /// How many handlers run now.
    var running = 0

    /// How many documents wait.
    var count: Int { fresh.count - head + delayed.count }

    /// Whether a document waits for something else than its back-off.
    var hasFresh: Bool { head < fresh.count }

    /// The ids of the documents that wait.
    var ids: [String] { (fresh[head...] + delayed).map(\.document.id) }

    /// The document of this id that waits; nil where none has it.
    func task(_ id: String) -> Task? { (fresh[head...] + delayed).first { $0.document.id == id } }

    /// When the next try is due that waits for its back-off.
    var nextDeadline: Instant { delayed.map(\.next).min() ?? .never }

    /// Whether a task can be taken.
    func hasDue(at now: Instant) -> Bool { hasFresh || delayed.contains { $0.next <= now } }

    mutating func append(_ task: Task) { fresh.append(task) }

    /// A task waits until its time has come.
    mutating func delay(_ task: Task) { delayed.append(task) }

    /// Takes the task that is next; nil where none is due.
    mutating func take(at now: Instant) -> Task? {
        if let due = delayed.firstIndex(where: { $0.next <= now }) { return delayed.remove(at: due) }
        guard hasFresh else { return nil }
        defer {
            head += 1
            // The taken ones go together, so that a long queue is not moved for each.
            if head > 1024, head * 2 > fresh.count {
                fresh.removeFirst(head)
                head = 0
            }
        }
        return fresh[head]
    }
}
