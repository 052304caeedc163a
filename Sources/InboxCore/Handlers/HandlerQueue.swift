import InboxLinux

/// The documents of one document type that wait for their handlers: those of a user in the order in which they were filed,
/// and one of each user in turn. Those that wait for another try go before their owner's others when their time has come.
struct HandlerQueue {
    /// A document that waits for its handler.
    struct Task {
        let document: HandledDocument
        /// The number of times that the document's handler was begun.
        var tries = 0
        /// An earlier run has begun some of the tries, and the last of those may not have ended.
        var hasOutlivedRun = false
        /// Not before.
        var next = Instant(nanoseconds: 0)
    }

    /// The documents that lie in a folder that cannot be reached now.
    private struct Unreachable {
        /// The reason why the folder cannot be reached.
        var words: String
        /// When one of them is tried, to see whether the folder is back.
        var next: Instant
        var tasks: [Task] = []
    }

    private var ready = OwnerQueue<Task>()
    private var delayed: [Task] = []
    private var unreachable: [BytePath: Unreachable] = [:]
    /// The resource that is short, so that no handler can be started, and the time of the next attempt; nil while
    /// nothing is known to be short.
    private var shortage: (words: String, next: Instant)?
    /// The number of handlers that are running.
    var running = 0

    /// The number of documents that are waiting.
    var count: Int { ready.count + delayed.count + unreachable.values.reduce(0) { $0 + $1.tasks.count } }

    /// A document is waiting for something other than its back-off or a resource that is short.
    var hasReady: Bool { shortage == nil && !ready.isEmpty }

    private var tasks: [Task] { ready.elements + delayed + unreachable.values.flatMap(\.tasks) }

    /// The ids of the documents that wait.
    var ids: [String] { tasks.map(\.document.id) }

    /// The document of this id that waits; nil where none has it.
    func task(_ id: String) -> Task? { tasks.first { $0.document.id == id } }

    /// When the next try is due that waits for its back-off.
    var nextDeadline: Instant {
        let next = min(delayed.map(\.next).min() ?? .never, unreachable.values.map(\.next).min() ?? .never)
        guard let shortage else { return next }
        return ready.isEmpty ? max(next, shortage.next) : shortage.next
    }

    /// Returns true if a task can be taken.
    func hasDue(at now: Instant) -> Bool {
        if let shortage, now < shortage.next { return false }
        return !ready.isEmpty || delayed.contains { $0.next <= now } || unreachable.values.contains { $0.next <= now }
    }

    mutating func append(_ task: Task) { ready.append(task, of: task.document.owner) }

    /// A task waits until its time has come.
    mutating func delay(_ task: Task) { delayed.append(task) }

    /// Nothing is running, and everything that is waiting is in folders that cannot be reached, or waits for a
    /// resource that is short.
    var isBlocked: Bool { running == 0 && (shortage != nil || ready.isEmpty && delayed.isEmpty) }

    /// Takes the task that is next; nil where none is due.
    mutating func take(at now: Instant) -> Task? {
        let due = delayed.filter { $0.next <= now }
        if !due.isEmpty {
            delayed.removeAll { $0.next <= now }
            putBack(due)
        }
        if let task = takeProbe(at: now) { return task }
        while let task = ready.popFirst() {
            guard let folder = unreachableFolder(of: task.document) else { return task }
            unreachable[folder]?.tasks.append(task)
        }
        return nil
    }

    private mutating func putBack(_ tasks: [Task]) {
        for (owner, tasks) in Dictionary(grouping: tasks, by: \.document.owner) { ready.putBack(tasks, of: owner) }
    }

    // MARK: What is short

    /// The handler of a document that was taken could not be started for want of something, as no other could be: all wait,
    /// and this one is the first to be tried again.
    /// - Returns: whether that was not known.
    mutating func postpone(_ task: Task, _ words: String, at now: Instant) -> Bool {
        putBack([task])
        defer { shortage = (words, now + Self.pause) }
        return shortage == nil
    }

    /// A handler has run: nothing is short any more.
    mutating func endShortage() { shortage = nil }

    // MARK: Folders that cannot be reached

    /// The pause before one of the documents that cannot be reached, or that wait for a resource that is short, is
    /// tried.
    static let pause = Duration.seconds(10)

    /// A document that was taken lies in a folder that cannot be reached, as do others that wait: one of them after the other
    /// is tried from time to time.
    /// - Returns: whether that was not known of the folder.
    mutating func wait(_ task: Task, for folder: BytePath, _ words: String, at now: Instant) -> Bool {
        let isNew = unreachable[folder] == nil
        // What is around the folder can be reached, and of what is inside nothing is known.
        reach(task.document, except: folder)
        unreachable[folder, default: Unreachable(words: words, next: now)].tasks.append(task)
        unreachable[folder]?.words = words
        unreachable[folder]?.next = now + Self.pause
        return isNew
    }

    /// The folders that a document lies in could be reached: the others there have their turns.
    mutating func reach(_ document: HandledDocument, except other: BytePath? = nil) {
        while let folder = unreachableFolder(of: document, except: other) {
            if let tasks = unreachable.removeValue(forKey: folder)?.tasks { putBack(tasks) }
        }
    }

    /// Returns the reason why a document is waiting for a folder that cannot be reached or a resource that is short;
    /// nil if it is not.
    func obstacle(of document: HandledDocument) -> String? {
        unreachableFolder(of: document).flatMap { unreachable[$0]?.words } ?? shortage?.words
    }

    private func unreachableFolder(of document: HandledDocument, except other: BytePath? = nil) -> BytePath? {
        unreachable.isEmpty ? nil : unreachable.keys.first { $0 != other && document.path.isInside($0) }
    }

    private mutating func takeProbe(at now: Instant) -> Task? {
        for folder in unreachable.keys where unreachable[folder]?.next ?? .never <= now {
            // Should nothing ever be heard of this one, another is tried.
            unreachable[folder]?.next = now + Self.pause
            if let task = unreachable[folder]?.tasks.first {
                unreachable[folder]?.tasks.removeFirst()
                return task
            }
            unreachable[folder] = nil
        }
        return nil
    }
}
