import InboxConfiguration
import InboxCore
import InboxFiling
import InboxLinux
import InboxVarlink

/// Reads the history for clients in the pool, a step at a time, so that a long search delays neither the loop
/// nor another client.
///
/// One step is under way at a time, and the users take turns: whatever others search for, a step waits for one of each of
/// them at most. A search is held by its client alone, and ends with him, whatever it waits for. As a
/// connection has one call at a time, the limits for connections are those for searches.
final class HistoryReader {
    /// One client's search.
    private final class Search {
        let user: UInt32
        var found: [JSONValue] = []
        var next: HistoryJob.Work?
        var failure: ServiceError?
        /// The next step of the search is waiting for its turn or is under way.
        var isWaiting = false
        private weak var reader: HistoryReader?

        init(_ work: HistoryJob.Work, for user: UInt32, _ reader: HistoryReader) {
            next = work
            self.user = user
            self.reader = reader
        }

        deinit {
            if isWaiting { reader?.dropEnded() }
        }
    }

    /// A search that ends with its client.
    private struct WeakSearch {
        weak var search: Search?
    }

    /// The steps that are under way: one, and those that hang on a mount that has ceased to answer. No user has a second one
    /// where one hangs, so that nobody can use up all that there are.
    let lane: PoolLane
    /// The searches whose next step is wanted.
    private var queue = OwnerQueue<WeakSearch>()

    init(in pool: FairPool) { lane = PoolLane(of: pool) }

    /// The number of searches that are waiting for their turn.
    var waitingCount: Int { queue.count }

    /// A search in the history of a state folder, which begins when the result is called first; the result says what there
    /// is each time it is called.
    func records(
        _ call: HistoryCall, for caller: UnixSocket.Peer, in work: InboxWork
    ) -> () -> HistoryPart {
        var query = HistoryQuery()
        if let pattern = call.pattern.map(PathPattern.init) {
            query.pattern = HistoryQuery.Pattern(rawPart: pattern.rawPart, matches: pattern.matches)
            query.renaming = MemberName.renamed
        }
        (query.since, query.until, query.limit) = (call.since, call.until, call.limit)
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        if !access.isTrusted {
            // A place that he may not know is not found by its path either: he could guess it.
            query.isVisible = { [pattern = query.pattern] record in
                guard access.mayKnow(record) else { return false }
                guard let pattern else { return true }
                return pattern.matches(record, in: ["destination", "path"], by: MemberName.renamed)
                    && access.mayKnowDestination(record)
                    || pattern.matches(record, in: ["source"], by: MemberName.renamed) && access.mayKnowSource(record)
            }
        }
        return records(query, for: caller.user, in: work.configuration.stateFolder)
    }

    /// The same for another query.
    /// - Parameter user: whose turn it takes.
    func records(_ query: HistoryQuery, for user: UInt32, in folder: BytePath) -> () -> HistoryPart {
        let search = Search(.open(folder, query), for: user, self)
        return { [unowned self] in next(of: search) }
    }

    private func next(of search: Search) -> HistoryPart {
        if let failure = search.failure { return .failed(failure) }
        if !search.found.isEmpty { return .record(search.found.removeFirst()) }
        guard !search.isWaiting else { return .notYet }
        guard search.next != nil else { return .end }
        search.isWaiting = true
        queue.append(WeakSearch(search: search), of: search.user)
        return .notYet
    }

    private func beginNext() {
        while lane.isFree, let entry = queue.popFirst(besides: lane.owners) {
            guard let search = entry.search, let work = search.next.take() else { continue }
            lane.begin(of: [search.user]) {
                HistoryJob(work: work).perform()
            } then: { outcome in
                guard let search = entry.search else { return }
                search.isWaiting = false
                search.found = outcome.records
                search.next = outcome.next
                search.failure = outcome.failure.map { .unreadableHistory(reason: "\($0.errno)") }
            }
        }
    }

    /// Forgets the searches that wait and whose clients have left.
    private func dropEnded() { queue.removeAll { $0.search == nil } }

    /// When a step has taken so long, while others wait, that it may hang.
    var nextDeadline: Instant { lane.nextSharing(isAwaited: queue.hasOwner(besides: lane.owners)) }

    /// Begins the step whose turn it is, once all have asked who got something; where one may hang, beside it, so that
    /// only those who asked for that one wait.
    func proceed(at now: Instant) {
        if nextDeadline <= now { lane.share(at: now) }
        beginNext()
    }
}

/// One step of a search, for the pool.
struct HistoryJob: Sendable {
    /// The time for which a step reads. Others wait meanwhile, but the loop's overhead between two steps is much
    /// smaller.
    private static let time = Duration.milliseconds(5)

    /// The work of the step.
    enum Work: Sendable {
        /// Open the files.
        case open(BytePath, HistoryQuery)
        /// Read on.
        case read(HistorySearch)
    }

    /// The result of the step.
    struct Outcome: Sendable {
        var records: [JSONValue] = []
        /// Nil once all is found.
        var next: Work?
        var failure: SyscallError?
    }

    let work: Work

    func perform() -> Outcome {
        let end = Instant.now() + Self.time
        var outcome = Outcome()
        do throws(SyscallError) {
            var search: HistorySearch
            switch work {
            case .open(let folder, let query):
                // Nothing was filed yet.
                guard let files = try HistoryFiles(folder: folder) else { return outcome }
                search = HistorySearch(query, in: files)
            case .read(let begun): search = begun
            }
            outcome.records = try search.step(until: end)
            outcome.next = search.isOver ? nil : .read(search)
        } catch {
            // Nothing was filed yet.
            if !error.errno.isAbsent { outcome.failure = error }
        }
        return outcome
    }
}
