import InboxConfiguration
import InboxFiling
import InboxLinux
import Synchronization

/// Runs the handlers of filed documents: for each document type in the order in which its documents were filed, and no
/// more at once than `RunConcurrency` allows.
///
/// The loop owns the state; each try runs on a thread of its own and reports to ``reports``.
package final class Handlers {
    private typealias Task = HandlerQueue.Task

    private let tell: (Happening) -> Void
    private let reports: HandlerReports
    private var entries: [String: ConfiguredDocumentType] = [:]
    private var roots: [BytePath] = []
    private var queues: [String: HandlerQueue] = [:]
    /// The ids of the documents that wait, or whose handlers run.
    private var known: Set<String> = []
    private var running: [String: (task: Task, control: HandlerControl)] = [:]
    private var records: (history: History, journal: HandlerJournal)?
    /// Up to here all that the history has is handled.
    private var checked: History.Mark?
    /// The tries of an earlier run.
    private var tries: [String: Int] = [:]
    private var choice: DocumentTypeChoice?
    /// An id before those of all documents that a document type has a handler for, by its name.
    private var since: [String: String] = [:]
    /// Where the mark on the disk is.
    private var written: History.Mark?
    /// Whether what an earlier run has left was not searched for yet.
    private var isUnsearched = false
    /// The state folder and its history, also while there are no handlers.
    private var kept: (state: OpenFolder, history: History)?
    /// When a try is due that waits for its back-off.
    private(set) var nextDeadline = Instant.never
    private var isSearching = false
    /// Whether something was handled since the last mark.
    private var isUnmarked = false
    private var isEnding = false
    /// So many documents wait in memory at most; the history has the others.
    var mostWaiting = 10_000
    /// Whether there are such others, which are searched for once none waits any more.
    private var isOverflowing = false

    /// Nothing to do yet.
    /// - Parameter tell: receives what is worth a line of the log.
    init(tell: @escaping (Happening) -> Void) throws(SyscallError) {
        self.tell = tell
        reports = try HandlerReports()
    }

    /// Lends the descriptor that is readable when a thread has reported something.
    func withBell<Failure: Error>(_ body: (borrowing FileDescriptor) throws(Failure) -> Void) throws(Failure) {
        try body(reports.bell.descriptor)
    }

    /// Runs the handlers of this configuration from now on.
    func adopt(_ configuration: Configuration, _ routing: RoutingRules) {
        entries = [:]
        for entry in configuration.documentTypes where entry.settings.run != nil { entries[entry.name] = entry }
        roots = [configuration.documents] + routing.outerRoots
        choice = routing.choice
        let added = noteTypes()
        guard let (state, history) = kept, !entries.isEmpty else { return }
        do throws(SyscallError) {
            if let records { try records.journal.begin(since: added) } else { try openJournal(in: state, history) }
        } catch {
            tell(.notice("what a crash keeps from its handler is not found again, since \(error) in the state folder"))
        }
    }

    /// What was filed before a document type got a handler is none of that one's.
    /// - Returns: the document types that have one from now on.
    private func noteTypes() -> [String: String] {
        since = since.filter { entries[$0.key] != nil }
        var identifiers = RecordID.Source()
        let now = identifiers.next(at: .now()).text
        var added: [String: String] = [:]
        for name in entries.keys where since[name] == nil { added[name] = now }
        since.merge(added) { $1 }
        return added
    }

    /// Takes the state folder, and looks for what an earlier run has left, before anything is filed.
    func begin(in state: OpenFolder, _ history: History) throws(SyscallError) {
        kept = (state, history)
        if entries.isEmpty {
            // What is filed while there are no handlers is none of theirs, should there be some later.
            if try HandlerJournal.exists(in: state) { try HandlerJournal(in: state).mark(history.mark) }
            return
        }
        let journal = try HandlerJournal(in: state)
        let remains = try journal.remains()
        guard let mark = remains.mark else { return try openJournal(in: state, history) }
        since = remains.since
        let added = noteTypes()
        if !added.isEmpty { try journal.begin(since: added) }
        records = (history, journal)
        checked = mark
        written = mark
        isUnsearched = true
        tries = remains.tries
    }

    /// What is filed from now on is to be handled.
    private func openJournal(in state: OpenFolder, _ history: History) throws(SyscallError) {
        let journal = try HandlerJournal(in: state)
        let mark = history.mark
        try journal.mark(mark, since: since)
        records = (history, journal)
        checked = mark
        written = mark
    }

    /// The state folder is lost: nothing begins until there is one.
    func suspend() {
        records = nil
        kept = nil
    }

    /// A document was filed and recorded.
    func filed(_ record: FiledRecord) {
        guard let document = HandledDocument(record), entries[document.documentType] != nil else { return }
        // Later ones are not taken before them.
        if known.count >= mostWaiting { isOverflowing = true }
        if !isOverflowing { add(Task(document: document)) }
    }

    private func add(_ task: Task) {
        guard known.insert(task.document.id).inserted else { return }
        queues[task.document.documentType, default: HandlerQueue()].append(task)
    }

    /// Whether the handler of a document runs, or is still to run, as far as that is known.
    func handles(_ id: String) -> Bool { isUnsearched || isOverflowing || known.contains(id) }

    /// Whether a document waits for its handler, or may do so as far as the history was searched.
    var isPending: Bool { !known.isEmpty || isUnsearched || isSearching || isOverflowing }

    /// Whether nothing runs, and nothing could begin before its back-off has passed.
    package var isIdle: Bool {
        running.isEmpty && !isSearching && !isUnsearched && !isOverflowing && queues.values.allSatisfy { !$0.hasFresh }
    }

    /// Whether no thread runs a handler any more.
    package var hasEnded: Bool { running.isEmpty }

    /// Ends: what runs is killed, and runs again at the next start.
    package func end() {
        isEnding = true
        for (_, control) in running.values { control.abandon() }
    }

    /// Begins what may begin.
    /// - Parameters:
    ///   - isPaused: whether somebody paused filing, so that nothing begins.
    ///   - isQuiet: whether all that the history has was reported here, so that a mark may be made.
    func proceed(at moment: Moment, isPaused: Bool, isQuiet: Bool) {
        nextDeadline = .never
        guard !isEnding, !isPaused, let records else { return }
        for name in queues.keys {
            guard let entry = entries[name], let command = entry.settings.run else {
                drop(name)
                continue
            }
            while queues[name, default: HandlerQueue()].running < entry.settings.runConcurrency,
                let task = queues[name]?.take(at: moment.now)
            {
                start(task, entry, command, records.journal, at: moment)
            }
            // Where all places are taken, the end of a handler is what is waited for.
            if let queue = queues[name], queue.running < entry.settings.runConcurrency {
                nextDeadline = min(nextDeadline, queue.nextDeadline)
            }
        }
        if isQuiet, known.isEmpty, !isSearching { check(records) }
    }

    /// The configuration has no handler for these any more.
    private func drop(_ name: String) {
        guard let queue = queues[name], queue.count > 0 else { return }
        tell(.notice("\(queue.count) documents of \(EscapedBytes.printable(name.utf8)) have no handler any more"))
        known.subtract(queue.ids)
        queues[name] = HandlerQueue()
        queues[name]?.running = queue.running
    }

    /// Searches what the history has got since the last time for documents that nobody has handled, such as those that
    /// an interrupted run has moved, and sets the mark where there are none.
    private func check(_ records: (history: History, journal: HandlerJournal)) {
        let end = records.history.mark
        guard let start = checked, start != end, let choice else {
            isUnsearched = false
            return
        }
        let isFar = written.map { $0.file != end.file || end.size - $0.size > 1 << 20 } ?? true
        let (reports, isUnmarked) = (reports, isUnmarked || isFar)
        let search = HandlerSearch(history: records.history, choice: choice)
        let (since, most) = (since, mostWaiting)
        do throws(SyscallError) {
            try BackgroundThread.start {
                do throws(SyscallError) {
                    let found = try search.documents(after: start, to: end, most: most) { document in
                        since[document.documentType].map { $0 < document.id } ?? false
                    }
                    if found.isEmpty, isUnmarked { try records.journal.mark(end, since: since) }
                    reports.add(.found(found, upTo: end))
                } catch {
                    reports.add(.searchFailed(error, upTo: end))
                }
            }
            isSearching = true
            if isUnmarked { written = end }
            self.isUnmarked = false
        } catch {
            // It is tried again at the next turn.
        }
    }

    private func start(
        _ task: Task, _ entry: ConfiguredDocumentType, _ command: CommandTemplate, _ journal: HandlerJournal,
        at moment: Moment
    ) {
        var task = task
        let document = task.document
        guard let root = roots.first(where: { document.path.isInside($0) }) else {
            return finish(task, .gone, .zero, at: moment)
        }
        task.tries += 1
        let run = HandlerRun(
            document: document, plan: HandlerPlan(command, document, variable: Process.environment),
            number: task.tries, timeout: entry.settings.runTimeout, root: root, journal: journal,
            control: HandlerControl())
        running[document.id] = (task, run.control)
        queues[document.documentType, default: HandlerQueue()].running += 1
        let reports = reports
        do throws(SyscallError) {
            try BackgroundThread.start {
                run.perform(
                    wrote: { reports.add(.wrote(document, $0)) },
                    ended: { reports.add(.ended(document, $0, $1)) })
            }
        } catch {
            reports.add(.ended(document, .failed("\(error)"), .zero))
        }
    }

    /// Takes what the threads have reported.
    func takeFinished(at moment: Moment) throws(SyscallError) {
        for report in try reports.take() {
            switch report {
            case .wrote(let document, let line):
                tell(.handlerWrote(id: document.id, documentType: document.documentType, line: line))
            case .ended(let document, let ending, let duration):
                guard let (task, _) = running.removeValue(forKey: document.id) else { continue }
                queues[document.documentType]?.running -= 1
                take(task, ending, duration, at: moment)
            case .found(let documents, let mark):
                isSearching = false
                isUnsearched = false
                isOverflowing = documents.count >= mostWaiting
                if documents.isEmpty { checked = mark }
                for document in documents {
                    // A try that was interrupted is made again.
                    add(Task(document: document, tries: max(0, (tries.removeValue(forKey: document.id) ?? 0) - 1)))
                }
            case .searchFailed(let error, let mark):
                isSearching = false
                isUnsearched = false
                isOverflowing = false
                checked = mark
                isUnmarked = false
                tell(.notice("cannot search the history for documents that are to be handled: \(error)"))
            }
        }
    }

    private func take(_ task: Task, _ ending: HandlerEnding, _ duration: Duration, at moment: Moment) {
        let retries = entries[task.document.documentType]?.settings.runRetries ?? 0
        if ending == .abandoned { return }
        if case .postponed(let words) = ending {
            var task = task
            task.tries -= 1
            task.next = moment.now + .seconds(10)
            tell(.notice("the handler of \(task.document.path) is tried again in 10s: \(words)"))
            queues[task.document.documentType]?.delay(task)
            return
        }
        guard !ending.isSuccess, task.tries <= retries else { return finish(task, ending, duration, at: moment) }
        var task = task
        let pause = Settling.backOff(failures: task.tries, ceiling: .seconds(3600))
        task.next = moment.now + pause
        tell(
            .handlerFailed(
                path: task.document.path, id: task.document.id,
                "\(ending.words); it is tried again in \(TimeSpan.text(pause))"))
        queues[task.document.documentType]?.delay(task)
    }

    private func finish(_ task: Task, _ ending: HandlerEnding, _ duration: Duration, at moment: Moment) {
        let program = entries[task.document.documentType]?.settings.run?.program ?? BytePath("")
        let record = HandlerRecord(
            document: task.document, program: program, ending: ending, tries: task.tries, duration: duration,
            time: moment.wall)
        isUnmarked = true
        if ending.isSuccess {
            tell(.handled(id: record.document.id, path: record.document.path, program: program))
        } else {
            tell(
                .handlerFailed(
                    path: task.document.path, id: task.document.id,
                    "\(ending.words); after \(task.tries) tries it is not tried again, and the document stays filed"))
        }
        guard let history = records?.history else { return }
        do throws(SyscallError) {
            try history.append(record.line, isDurable: false)
            known.remove(task.document.id)
        } catch {
            tell(.notice("cannot record the end of a handler, so that it runs again at the next start: \(error)"))
        }
    }
}
