import InboxConfiguration
import InboxCore
import InboxLinux
import InboxVarlink

/// Reads the history for clients on a thread of its own, a step at a time, so that a long search delays neither the loop
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
        /// Whether its next step waits for its turn, or is under way.
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

    /// How long after another thread could not be had the next one is tried.
    private static let pause = Duration.seconds(1)

    private var jobs: WorkerJobs<HistoryJob, HistoryJob.Outcome>
    /// The searches whose next step is wanted.
    private var queue = OwnerQueue<WeakSearch>()
    /// Whose steps are under way, by the step's number: one, and those that hang on a mount that has ceased to answer.
    private var begun: [Int: (search: WeakSearch, user: UInt32)] = [:]
    private var last = 0
    private var nextTry = Instant(nanoseconds: 0)

    init() throws(SyscallError) {
        jobs = WorkerJobs(try Worker { $0.perform() })
    }

    /// The thread that reads the history.
    var worker: Worker<HistoryJob, HistoryJob.Outcome> { jobs.worker }

    /// How many searches wait for their turn.
    var waitingCount: Int { queue.count }

    /// A search in the history of a state folder, which begins when the result is called first; the result says what there
    /// is each time it is called.
    func records(
        _ call: HistoryCall, for caller: UnixSocket.Peer, in work: InboxWork
    ) -> () -> HistoryPart {
        var query = HistoryQuery()
        if let pattern = call.pattern.map(PathPattern.init) {
            query.pattern = HistoryQuery.Pattern(rawPart: pattern.rawPart, matches: pattern.matches)
        }
        (query.since, query.until, query.limit) = (call.since, call.until, call.limit)
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        if !access.isTrusted {
            // A place that he may not know is not found by its path either: he could guess it.
            query.isVisible = { [pattern = query.pattern] record in
                guard access.mayKnow(record) else { return false }
                guard let pattern else { return true }
                return pattern.matches(record, in: ["destination", "path"]) && access.mayKnowDestination(record)
                    || pattern.matches(record, in: ["source"]) && access.mayKnowSource(record)
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

    /// The users who have a step under way. None of them gets a second thread where one hangs, so that nobody can use up
    /// all that there are.
    private var users: Set<UInt32> { Set(begun.values.map(\.user)) }

    private func beginNext() {
        guard !jobs.isBusy else { return }
        while let entry = queue.popFirst(besides: users) {
            guard let search = entry.search, let work = search.next.take() else { continue }
            last += 1
            begun[last] = (entry, search.user)
            return jobs.begin(HistoryJob(number: last, work: work))
        }
    }

    /// Forgets the searches that wait and whose clients have left.
    private func dropEnded() { queue.removeAll { $0.search == nil } }

    /// Takes what the worker has found.
    func takeFinished() throws(SyscallError) {
        for outcome in try jobs.finished() {
            guard let search = begun.removeValue(forKey: outcome.number)?.search.search else { continue }
            search.isWaiting = false
            search.found = outcome.records
            search.next = outcome.next
            search.failure = outcome.failure.map { .unreadableHistory(reason: "\($0.errno)") }
        }
    }

    /// When a step has taken so long, while others wait, that it may hang.
    var nextDeadline: Instant {
        guard jobs.isBusy, jobs.mayReplace, queue.hasOwner(besides: users) else { return .never }
        return max(jobs.suspicion, nextTry)
    }

    /// Begins the step whose turn it is, once all have asked who got something; where one may hang, on another thread, so
    /// that only those who asked for that one wait.
    func proceed(at now: Instant) {
        if nextDeadline <= now {
            nextTry = now + Self.pause
            jobs.replaceHungThread(at: now)
        }
        beginNext()
    }
}

/// One step of a search, for the worker.
struct HistoryJob: Sendable {
    /// How long a step reads: others wait for that, while the way through the loop from one step to the next costs much less.
    private static let time = Duration.milliseconds(5)

    /// What the step is to do.
    enum Work: Sendable {
        /// Open the files.
        case open(BytePath, HistoryQuery)
        /// Read on.
        case read(HistorySearch)
    }

    /// What the step came to.
    struct Outcome: Sendable {
        let number: Int
        var records: [JSONValue] = []
        /// Nil once all is found.
        var next: Work?
        var failure: SyscallError?
    }

    let number: Int
    let work: Work

    func perform() -> Outcome {
        let end = Instant.now() + Self.time
        var outcome = Outcome(number: number)
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
