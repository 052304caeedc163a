import InboxLinux

/// The documents that wait for their handlers, a queue for each document type, and which these are and those whose handlers
/// run.
struct HandlerBacklog {
    typealias Task = HandlerQueue.Task

    private var shares: HandlerShares
    private var queues: [String: HandlerQueue] = [:]
    /// The owners of the documents that wait, or whose handlers run, by the documents' ids.
    private var known: [String: UInt32] = [:]
    /// The history has not been searched yet for documents that an earlier run has left.
    private var isUnsearched = false
    /// The owners of whose documents the history alone has some: it is searched for them once none waits here any more,
    /// and until then no other of theirs is taken.
    private var full: Set<UInt32> = []
    /// Filed since the end of what is searched, or is to be searched, so that they are not found: they follow those that are.
    private var late: [HandledDocument]?
    /// The owners of others that were filed since then, for which there was no room.
    private var lateFull: Set<UInt32> = []
    /// The tries of an earlier run, by the document's id.
    private var earlierTries: [String: Int] = [:]

    /// - Parameter most: how many documents of each owner wait in memory.
    init(most: Int) {
        shares = HandlerShares(most: most)
    }

    /// The maximum number of documents of each owner that wait in memory.
    var most: Int { shares.most }

    /// Some documents may be only in the history.
    var isOverflowing: Bool { isUnsearched || !full.isEmpty || !lateFull.isEmpty }

    /// No document is waiting here, and no handler is running.
    var isEmpty: Bool { known.isEmpty }

    /// All documents that are waiting here are in folders that cannot be reached, or wait for a resource that is
    /// short.
    var isBlocked: Bool { !isUnsearched && !isEmpty && queues.values.allSatisfy(\.isBlocked) }

    /// A document is waiting for something other than its back-off or a resource that is short.
    var hasReady: Bool { queues.values.contains { $0.hasReady } }

    /// Returns true if a document is waiting here or its handler is running.
    func knows(_ id: String) -> Bool { known[id] != nil }

    /// Returns true if a document may be waiting or its handler running, as far as that is known.
    func contains(_ id: String) -> Bool { isOverflowing || knows(id) }

    /// The task of a document that waits; nil where that is not known.
    func task(_ id: String) -> Task? {
        knows(id) ? queues.values.lazy.compactMap { $0.task(id) }.first : nil
    }

    /// Returns true if a document was filed by this run and follows those that an earlier one has left.
    func isLate(_ id: String) -> Bool { late?.contains { $0.id == id } ?? false }

    /// The document types of the documents that wait or have waited.
    var documentTypes: some Sequence<String> { queues.keys }

    /// An earlier run has begun these tries. What is filed from now on does not begin before what that run has left is
    /// found.
    mutating func resume(tries: [String: Int]) {
        earlierTries = tries
        guard isEmpty else { return }
        isUnsearched = true
        late = []
    }

    /// The history is searched up to where it ends now, or ended when the run was resumed.
    mutating func beginSearch() {
        late = late ?? []
        shares.reset(to: known.values)
        for document in late ?? [] { _ = shares.take(for: document.owner) }
    }

    /// A document was filed.
    mutating func append(filed document: HandledDocument) {
        // The search has found it before its recovery was reported.
        if knows(document.id) { return }
        let owner = document.owner
        // Later ones are not taken before those that only the history has.
        let isFollowing = isUnsearched || full.contains(owner)
        if isFollowing, late == nil { return }
        guard !lateFull.contains(owner), shares.take(for: owner) else {
            if late == nil { full.insert(owner) } else { lateFull.insert(owner) }
            return
        }
        if isFollowing { late?.append(document) } else { add(Task(document: document)) }
    }

    /// These were found in the history.
    /// - Parameter full: the owners of others that were found, and for which there was no room.
    mutating func append(found documents: [HandledDocument], full: Set<UInt32> = []) {
        isUnsearched = false
        self.full = full
        shares.reset(to: known.values)
        for document in documents where !knows(document.id) {
            _ = shares.take(for: document.owner)
            let tries = earlierTries.removeValue(forKey: document.id) ?? 0
            add(Task(document: document, tries: tries, hasOutlivedRun: tries > 0))
        }
        let filed = late ?? []
        late = nil
        let lateFull = lateFull
        self.lateFull = []
        for document in filed { append(filed: document) }
        self.full.formUnion(lateFull)
    }

    /// The handler of a document is to run again, after those that wait.
    /// - Parameter isResumed: whether somebody has asked an earlier run for that, whose tries count.
    /// - Returns: false where it waits already, or runs.
    mutating func retry(_ document: HandledDocument, isResumed: Bool = false) -> Bool {
        guard !knows(document.id), !isLate(document.id) else { return false }
        // One more than there may be is no harm: somebody has asked for this one.
        _ = shares.take(for: document.owner)
        let earlier = earlierTries.removeValue(forKey: document.id) ?? 0
        let tries = isResumed ? earlier : 0
        add(Task(document: document, tries: tries, hasOutlivedRun: tries > 0))
        return true
    }

    private mutating func add(_ task: Task) {
        known[task.document.id] = task.document.owner
        queues[task.document.documentType, default: HandlerQueue()].append(task)
    }

    /// Takes the task that is next of a document type, where fewer than `most` of its handlers run; nil where none is due.
    mutating func take(of documentType: String, most: Int, at now: Instant) -> Task? {
        // Asked first, since a change of a queue copies the table while its document types are gone through.
        guard isDue(documentType, most: most, at: now) else { return nil }
        return queues[documentType]?.take(at: now)
    }

    private func isDue(_ documentType: String, most: Int, at now: Instant) -> Bool {
        guard let queue = queues[documentType] else { return false }
        return queue.running < most && queue.hasDue(at: now)
    }

    /// When the next try of a document type is due that waits for its back-off; `never` where as many handlers run as
    /// may, and the end of one is what is waited for.
    func nextDeadline(of documentType: String, most: Int) -> Instant {
        guard let queue = queues[documentType], queue.running < most else { return .never }
        return queue.nextDeadline
    }

    /// The handler of a document that was taken begins to run.
    mutating func begin(_ task: Task) {
        queues[task.document.documentType, default: HandlerQueue()].running += 1
    }

    /// The handler of a document runs no longer.
    mutating func end(_ task: Task) { queues[task.document.documentType]?.running -= 1 }

    /// A document that was taken waits for its time to come.
    mutating func delay(_ task: Task) { queues[task.document.documentType]?.delay(task) }

    /// A document that was taken lies in a folder that cannot be reached, and waits until it can.
    /// - Returns: whether that was not known of the folder.
    mutating func wait(_ task: Task, for folder: BytePath, _ words: String, at now: Instant) -> Bool {
        queues[task.document.documentType]?.wait(task, for: folder, words, at: now) ?? false
    }

    /// The handler of a document that was taken could not be started for want of something, as no other of its document
    /// type could be: all of them wait, and this one is the first to be tried again.
    /// - Returns: whether that was not known.
    mutating func postpone(_ task: Task, _ words: String, at now: Instant) -> Bool {
        queues[task.document.documentType]?.postpone(task, words, at: now) ?? false
    }

    /// A handler of a document type has run: nothing is short any more.
    mutating func endShortage(of documentType: String) { queues[documentType]?.endShortage() }

    /// The folder of a document could be reached.
    mutating func reach(_ document: HandledDocument) { queues[document.documentType]?.reach(document) }

    /// Returns the reason why a document is waiting for a folder that cannot be reached or a resource that is short;
    /// nil if it is not.
    func obstacle(of document: HandledDocument) -> String? {
        queues[document.documentType]?.obstacle(of: document)
    }

    /// A document is handled.
    mutating func remove(_ task: Task) { forget(task.document.id) }

    private mutating func forget(_ id: String) {
        guard let owner = known.removeValue(forKey: id) else { return }
        // Else others' documents could be taken for ever before those that only the history has.
        if !isOverflowing { shares.giveBack(owner) }
    }

    /// The documents of a document type wait no longer.
    /// - Returns: how many there were.
    mutating func drop(_ documentType: String) -> Int {
        guard let queue = queues[documentType], queue.count > 0 else { return 0 }
        for id in queue.ids { forget(id) }
        queues[documentType] = HandlerQueue()
        queues[documentType]?.running = queue.running
        return queue.count
    }
}
