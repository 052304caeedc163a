import InboxLinux

/// The documents that wait for their handlers, a queue for each document type, and which these are and those whose handlers
/// run.
struct HandlerBacklog {
    typealias Task = HandlerQueue.Task

    private var shares: HandlerShares
    private var queues: [String: HandlerQueue] = [:]
    /// The owners of the documents that wait, or whose handlers run, by the documents' ids.
    private var known: [String: UInt32] = [:]
    /// The owners of whose documents the journal alone has some.
    private var unread: Set<UInt32> = []
    /// Those among them for whom it has become so since the journal is read; nil while it is not.
    private var unreadSince: Set<UInt32>?

    /// - Parameter most: how many documents of each owner wait in memory.
    init(most: Int) {
        shares = HandlerShares(most: most)
    }

    /// Some documents are only in the journal.
    var isOverflowing: Bool { !unread.isEmpty }

    /// The journal is being read.
    var isReading: Bool { unreadSince != nil }

    /// No document is waiting here, and no handler is running.
    var isEmpty: Bool { known.isEmpty }

    /// All documents that are waiting here are in folders that cannot be reached, or wait for a resource that is
    /// short.
    var isBlocked: Bool { !isEmpty && queues.values.allSatisfy(\.isBlocked) }

    /// A document is waiting for something other than its back-off or a resource that is short.
    var hasReady: Bool { queues.values.contains { $0.hasReady } }

    /// Returns true if a document is waiting here or its handler is running.
    func knows(_ id: String) -> Bool { known[id] != nil }

    /// The task of a document that waits; nil where that is not known.
    func task(_ id: String) -> Task? {
        knows(id) ? queues.values.lazy.compactMap { $0.task(id) }.first : nil
    }

    /// The document types of the documents that wait or have waited.
    var documentTypes: some Sequence<String> { queues.keys }

    /// The journal has documents of these owners that are not here.
    mutating func note(unread owners: Set<UInt32>) {
        unread.formUnion(owners)
        unreadSince?.formUnion(owners)
    }

    /// The number of documents of each owner that may be read from the journal now. An owner with fewer documents in memory goes
    /// first.
    var room: [UInt32: Int] {
        var (room, shares) = ([UInt32: Int](), self.shares)
        for owner in unread.sorted(by: { shares.count(of: $0) < shares.count(of: $1) }) {
            let count = shares.room(for: owner)
            shares.take(count, for: owner)
            if count > 0 { room[owner] = count }
        }
        return room
    }

    /// The journal is being read.
    mutating func beginReading() { unreadSince = [] }

    /// The journal was read for these owners, and has others of some.
    mutating func endReading(of owners: some Sequence<UInt32>, others: Set<UInt32>) {
        unread.subtract(owners)
        unread.formUnion(others.union(unreadSince ?? []))
        unreadSince = nil
    }

    /// A document was read.
    /// - Parameter tries: how often an earlier run has tried it.
    mutating func append(_ document: HandledDocument, tries: Int = 0) {
        if knows(document.id) { return }
        shares.take(for: document.owner)
        known[document.id] = document.owner
        self[document.documentType].append(Task(document: document, tries: tries, hasOutlivedRun: tries > 0))
    }

    /// The queue of a document type.
    subscript(documentType: String) -> HandlerQueue {
        get { queues[documentType] ?? HandlerQueue() }
        _modify { yield &queues[documentType, default: HandlerQueue()] }
    }

    /// Takes the task that is next of a document type, where fewer than `most` of its handlers run; nil where none is due.
    mutating func take(of documentType: String, most: Int, at now: Instant) -> Task? {
        // Asked first, since a change of a queue copies the table while its document types are gone through.
        guard let queue = queues[documentType], queue.running < most, queue.hasDue(at: now) else { return nil }
        return queues[documentType]?.take(at: now)
    }

    /// When the next try of a document type is due that waits for its back-off; `never` where as many handlers run as
    /// may, and the end of one is what is waited for.
    func nextDeadline(of documentType: String, most: Int) -> Instant {
        guard let queue = queues[documentType], queue.running < most else { return .never }
        return queue.nextDeadline
    }

    /// A document is handled, or has no handler any more.
    mutating func forget(_ id: String) {
        if let owner = known.removeValue(forKey: id) { shares.giveBack(owner) }
    }

    /// The documents of a document type wait no longer.
    /// - Returns: their ids.
    mutating func drop(_ documentType: String) -> [String] {
        guard let queue = queues[documentType], queue.count > 0 else { return [] }
        let ids = queue.ids
        for id in ids { forget(id) }
        queues[documentType] = HandlerQueue()
        queues[documentType]?.running = queue.running
        return ids
    }
}
