import InboxConfiguration
import InboxCore
import InboxLinux
import InboxVarlink

/// Reads the history for clients on a thread of its own, a step at a time, so that a long search delays neither the loop
/// nor another client.
final class HistoryReader {
    /// One client's search.
    private final class Search {
        var found: [JSONValue] = []
        var next: HistoryJob.Work?
        var failure: ServiceError?
        var isReading = false

        init(_ work: HistoryJob.Work) { next = work }
    }

    /// A search that ends with its client.
    private struct WeakSearch {
        weak var search: Search?
    }

    /// The thread that reads the history.
    let worker: Worker<HistoryJob, HistoryJob.Outcome>
    /// A step that takes longer than this may hang on a mount that has ceased to answer.
    private static let patience = Duration.seconds(1)
    /// No more threads hang.
    private static let mostReplaced = 8
    /// Since when the worker has had steps to do without ending one; nil while it has none.
    private var busySince: Instant?
    private var searches: [Int: WeakSearch] = [:]
    private var last = 0
    /// How many steps were begun that have not ended.
    private var jobs = 0

    init() throws(SyscallError) {
        worker = try Worker { $0.perform() }
    }

    /// Begins a search in the history of a state folder; the result says what there is each time it is called.
    func records(
        _ call: HistoryCall, for caller: UnixSocket.Peer, in work: InboxWork
    ) -> () -> HistoryPart {
        var query = HistoryQuery()
        if let pattern = call.pattern.map(PathPattern.init) {
            query.pattern = HistoryQuery.Pattern(rawPart: pattern.rawPart, matches: pattern.matches)
        }
        (query.since, query.until, query.limit) = (call.since, call.until, call.limit)
        let access = RecordAccess(for: caller, beside: work.intake.roots.known)
        if !access.isTrusted { query.isVisible = { access.mayKnow($0) } }
        return records(query, in: work.configuration.stateFolder)
    }

    /// The same for another query.
    func records(_ query: HistoryQuery, in folder: BytePath) -> () -> HistoryPart {
        last += 1
        let number = last
        let search = Search(.open(folder, query))
        searches[number] = WeakSearch(search: search)
        return { [unowned self] in next(of: search, number) }
    }

    /// Goes on with another thread where a step may hang: only those who asked for it wait.
    private func replaceHungThread() {
        let now = Instant.now()
        guard let busySince, busySince + Self.patience <= now, worker.replacedCount < Self.mostReplaced else { return }
        self.busySince = now
        do throws(SyscallError) { try worker.replaceThread() } catch {
            // No thread could be had: it is tried again.
        }
    }

    private func next(of search: Search, _ number: Int) -> HistoryPart {
        if let failure = search.failure { return .failed(failure) }
        if !search.found.isEmpty { return .record(search.found.removeFirst()) }
        replaceHungThread()
        guard !search.isReading else { return .notYet }
        guard let work = search.next.take() else { return .end }
        worker.begin(HistoryJob(number: number, work: work))
        jobs += 1
        busySince = busySince ?? .now()
        search.isReading = true
        return .notYet
    }

    /// Takes what the worker has found.
    func takeFinished() throws(SyscallError) {
        let outcomes = try worker.finished()
        jobs -= outcomes.count
        if !outcomes.isEmpty { busySince = jobs > worker.replacedCount ? .now() : nil }
        for outcome in outcomes {
            guard let search = searches[outcome.number]?.search else { continue }
            search.isReading = false
            search.found = outcome.records
            search.next = outcome.next
            search.failure = outcome.failure.map { .unreadableHistory(reason: "\($0.errno)") }
        }
        searches = searches.filter { $0.value.search != nil }
    }
}

/// One step of a search, for the worker.
struct HistoryJob: Sendable {
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
            outcome.records = try search.step()
            outcome.next = search.isOver ? nil : .read(search)
        } catch {
            // Nothing was filed yet.
            if !error.errno.isAbsent { outcome.failure = error }
        }
        return outcome
    }
}
