import InboxConfiguration
import InboxFiling
import InboxLinux

/// Runs the handlers of filed documents: for each document type one of each owner's documents in turn, and no more at once
/// than `RunConcurrency` allows.
///
/// The loop owns the state; each try has a thread of the pool to itself.
package final class Handlers {
    private typealias Task = HandlerQueue.Task

    private let report: (Happening) -> Void
    let pool: FairPool
    /// The reports that have arrived since the last call of ``takeFinished(at:)``.
    private var reports: [HandlerReport] = []
    private var rules: HandlerRules
    private var backlog: HandlerBacklog
    private var running: RunningHandlers
    private var handled = HandledHistory()
    /// Nil while there is no state folder.
    private var records: HandlerRecords?
    /// The counts of what became of handlers since the daemon's start.
    package private(set) var outcomes = HandlerOutcomes()
    /// When a try is due that waits for its back-off.
    private(set) var nextDeadline = Instant.never

    /// Nothing to do yet.
    /// - Parameters:
    ///   - pool: runs them.
    ///   - mostWaiting: so many documents of each owner wait in memory at most; the history has the others.
    ///   - roots: what is known of the folders that documents are filed into.
    ///   - report: receives what is worth a line of the log.
    init(
        in pool: FairPool, mostWaiting: Int = 10_000, on roots: Roots = Roots(), report: @escaping (Happening) -> Void
    ) throws(SyscallError) {
        self.report = report
        rules = HandlerRules(on: roots)
        backlog = HandlerBacklog(most: mostWaiting)
        self.pool = pool
        running = try RunningHandlers()
    }

    /// Runs the handlers of this configuration from now on.
    func adopt(_ configuration: Configuration, _ routing: RoutingRules) {
        let change = rules.adopt(configuration, routing)
        guard let records else { return }
        do throws(SyscallError) {
            if let journal = records.journal {
                try journal.note(change, since: rules.since)
            } else if !rules.isEmpty {
                self.records?.journal = try openJournal(records)
            }
        } catch {
            let lost =
                change.ended.isEmpty
                ? "what a crash keeps from its handler is not found again"
                : "after a restart handlers that there are again may run for documents that are filed without"
            report(.notice("\(lost), since \(error) in the state folder"))
        }
    }

    /// Takes the state folder, and looks for what an earlier run has left, before anything is filed.
    func begin(in state: OpenFolder, _ history: History) throws(SyscallError) {
        let records = HandlerRecords(state: state, history: history)
        self.records = records
        if rules.isEmpty {
            // What is filed while there are no handlers is none of theirs, should there be some later.
            if try HandlerJournal.exists(in: state) { try HandlerJournal(in: state).mark(history.mark) }
            return
        }
        let journal = try HandlerJournal(in: state)
        let remains = try journal.remains()
        guard let mark = remains.mark else {
            self.records?.journal = try openJournal(records)
            return
        }
        if try !HandlerSearch.finds(mark, in: history) {
            report(
                .notice(
                    "a file of the history that was not searched to its end was moved, removed or cut off, so that "
                        + "handlers of documents filed before may not have run: those of its \"filed\" records that "
                        + "have no \"handler\" record of the same id; move such a document into the Inbox to have it "
                        + "handled"
                ))
        }
        try journal.note(rules.resume(since: remains.since), since: rules.since)
        self.records?.journal = journal
        handled.resume(at: mark, upTo: backlog.isEmpty ? history.mark : nil)
        backlog.resume(tries: remains.tries)
        for (_, line) in remains.again.sorted(by: { $0.key < $1.key }) { resume(recordedAs: line) }
    }

    /// The handler of a document is to run again, as somebody has asked an earlier run.
    private func resume(recordedAs line: [UInt8]) {
        guard let choice = rules.choice, let document = HandlerSearch.document(line, choice) else { return }
        _ = backlog.retry(document, isResumed: true)
    }

    /// Opens a journal of handlers whose mark is the present end of the history: only what is filed from now on is
    /// handled.
    private func openJournal(_ records: HandlerRecords) throws(SyscallError) -> HandlerJournal {
        let journal = try HandlerJournal(in: records.state)
        let mark = records.history.mark
        try journal.mark(mark, since: rules.since)
        handled.begin(at: mark)
        return journal
    }

    /// The state folder is lost: nothing begins until there is one.
    func suspend() {
        records = nil
    }

    /// A document was filed and recorded.
    func filed(_ record: FiledRecord) {
        guard let document = HandledDocument(record), rules[document.documentType] != nil else { return }
        backlog.append(filed: document)
    }

    /// A document that an interruption had left without a record has one now, and its turn with it. The search of the
    /// history finds those of which that is not reported here.
    func recovered(_ record: FiledRecord) {
        guard let document = HandledDocument(recovered: record, rules.choice),
            let since = rules.since[document.documentType], since < document.id
        else { return }
        backlog.append(filed: document)
    }

    /// Returns true if the handler of a document is running, or still has to run, as far as that is known.
    /// - Parameters:
    ///   - documentType: the document type in its record; nil if there is none.
    ///   - isRecovered: whether recovery made the record, which then has no document type even if one accepts the
    ///     document.
    func handles(_ id: String, _ documentType: String?, isRecovered: Bool) -> Bool {
        if backlog.knows(id) { return true }
        guard handled.isUnsearched || backlog.isOverflowing else { return false }
        guard let documentType else { return isRecovered }
        return rules.since[documentType].map { $0 < id } ?? false
    }

    /// The outcome of a request to run a handler again.
    package enum Retry: Sendable {
        /// It runs again in its turn, with its tries counted anew.
        case begun
        /// No document type with a handler has got the document.
        case unhandled
        /// It runs, or waits for its turn or its next try.
        case underWay
    }

    /// Runs the handler of a filed document again that has failed for good, or was lost.
    /// - Parameter line: the document's record, as the history has it.
    package func retry(recordedAs line: [UInt8]) -> Retry {
        guard let choice = rules.choice, let document = HandlerSearch.document(line, choice),
            rules[document.documentType] != nil
        else { return .unhandled }
        guard backlog.retry(document) else { return .underWay }
        outcomes.resolve(document.id)
        noteRetry(document, recordedAs: line)
        return .begun
    }

    /// Writes down that a handler is to run again, for a start after a crash. Its try may be written down before.
    private func noteRetry(_ document: HandledDocument, recordedAs line: [UInt8]) {
        guard let journal = records?.journal else { return }
        pool.begin { () -> HandlerReport in
            do throws(SyscallError) {
                try journal.retry(document.id, recordedAs: line)
                return .noted(nil)
            } catch {
                return .noted(error)
            }
        } then: { [weak self] in
            self?.reports.append($0)
        }
    }

    /// Describes the progress of a document's handler that has not ended; nil if none is known.
    /// - Parameter documentType: the document type in its record; nil if no document type got it.
    package func progress(of id: String, _ documentType: String?, at now: Instant) -> String? {
        if let task = running.task(id) { return "runs now, try \(task.tries)" }
        guard let task = backlog.task(id) else {
            if backlog.isLate(id) { return "waits for its turn" }
            // What was filed before its document type got the handler is none of that one's.
            guard let since = documentType.flatMap({ rules.since[$0] }), since < id else { return nil }
            if handled.isOpen { return "not known yet: the history is searched for what an earlier run has left" }
            return backlog.contains(id) ? "waits for its turn" : nil
        }
        if let words = backlog.obstacle(of: task.document) { return "waits: \(words)" }
        if task.tries == 0 { return "waits for its turn" }
        let pause = Duration.seconds(max(0, Int((task.next - now).components.seconds) + 1))
        return "has failed, try \(task.tries), and is tried again in \(TimeSpan.text(pause))"
    }

    /// A document is waiting for its handler, or may be as far as the history was searched.
    package var isPending: Bool {
        !backlog.isEmpty || backlog.isOverflowing || handled.isOpen || handled.isIncomplete || handled.hasFailed
    }

    /// Nothing is running, and nothing could begin before its back-off has passed.
    package var isIdle: Bool {
        hasEnded && !handled.isOpen && (!backlog.isOverflowing || backlog.isBlocked) && !backlog.hasReady
            && !(handled.isIncomplete && backlog.isEmpty)
    }

    /// No handler runs any more, and the end of none is being recorded.
    package var hasEnded: Bool { running.haveEnded && (records == nil || handled.recorder.isAtRest) }

    /// Ends: what runs is killed, and runs again at the next start; so is what handlers have left running.
    package func end() { running.end() }

    /// Begins what may begin.
    /// - Parameters:
    ///   - isPaused: whether somebody paused filing, so that nothing begins.
    ///   - isQuiet: whether all that the history has was reported here, so that a mark may be made.
    func proceed(at moment: Moment, isPaused: Bool, isQuiet: Bool) {
        FairPool.assertOnLoop()
        nextDeadline = .never
        giveUpHanging(at: moment)
        beginDue(at: moment, isPaused: isPaused, isQuiet: isQuiet)
        record(at: moment)
    }

    private func giveUpHanging(at moment: Moment) {
        guard !running.isEmpty else { return }
        for (task, mount) in running.giveUp(where: rules.silence) {
            backlog.end(task)
            wait(task, for: mount, at: moment)
        }
    }

    /// Writes down which handlers have ended, also while nothing begins.
    private func record(at moment: Moment) {
        guard let (history, journal) = records.map({ ($0.history, $0.journal) }) else { return }
        if let (lines, ids) = handled.recorder.begin(at: moment) {
            pool.begin { () -> SyscallError? in
                do throws(SyscallError) { try history.append(lines, isDurable: false) } catch { return error }
                do throws(SyscallError) { try journal?.end(ids) } catch {
                    // After a crash it runs once more.
                }
                return nil
            } then: { [weak self] in
                self?.reports.append(.recorded($0))
            }
        }
        nextDeadline = min(nextDeadline, handled.recorder.nextDeadline)
    }

    private func beginDue(at moment: Moment, isPaused: Bool, isQuiet: Bool) {
        guard !running.isEnding, !isPaused, let records = records?.inUse else { return }
        beginTasks(records.journal, at: moment)
        guard isQuiet || handled.isEarlier, backlog.isEmpty, !handled.isSearching else { return }
        guard handled.nextTry <= moment.now else {
            nextDeadline = min(nextDeadline, handled.nextTry)
            return
        }
        check(records, upTo: isQuiet ? records.history.mark : nil, at: moment)
        // Where there was nothing to search, what waited for that begins.
        beginTasks(records.journal, at: moment)
    }

    private func beginTasks(_ journal: HandlerJournal, at moment: Moment) {
        for name in backlog.documentTypes {
            guard let entry = rules[name], let command = entry.settings.run else {
                drop(name)
                continue
            }
            let most = entry.settings.runConcurrency
            while let task = backlog.take(of: name, most: most, at: moment.now) {
                start(task, entry, command, journal, at: moment)
            }
            nextDeadline = min(nextDeadline, backlog.nextDeadline(of: name, most: most))
        }
    }

    /// The configuration has no handler for these any more.
    private func drop(_ name: String) {
        let count = backlog.drop(name)
        guard count > 0 else { return }
        let documents = count == 1 ? "1 document" : "\(count) documents"
        let verb = count == 1 ? "has" : "have"
        report(.notice("\(documents) of \(EscapedBytes.printable(name.utf8)) \(verb) no handler any more"))
    }

    /// Searches what the history has got since the last time for documents that nobody has handled, such as those that
    /// an interrupted run has moved, and sets the mark where there are none.
    private func check(
        _ records: (history: History, journal: HandlerJournal), upTo end: History.Mark?, at moment: Moment
    ) {
        guard let choice = rules.choice else { return }
        guard let part = handled.nextSearch(to: end) else { return backlog.append(found: []) }
        let search = HandlerSearch(history: records.history, choice: choice)
        let (since, most) = (rules.since, backlog.most)
        pool.begin { () -> HandlerReport in
            do throws(SyscallError) {
                let (found, full) = try search.documents(after: part.start, to: part.end, most: most) { document in
                    since[document.documentType].map { $0 < document.id } ?? false
                }
                if found.isEmpty, part.isMarking { try records.journal.mark(part.end) }
                return .found(found, full: full, upTo: part.end)
            } catch {
                return .searchFailed(error)
            }
        } then: { [weak self] in
            self?.reports.append($0)
        }
        handled.note(begun: part)
        backlog.beginSearch()
    }

    private func searchFailed(_ error: SyscallError, at moment: Moment) {
        // What was filed meanwhile waits for a few tries, but not for ever.
        if handled.noteFailure(at: moment.now) { backlog.append(found: []) }
        let pause = TimeSpan.text(handled.nextTry - moment.now)
        report(
            .notice(
                "cannot search the history for documents that are to be handled: \(error); it is tried again in \(pause)"
            ))
    }

    private func start(
        _ task: Task, _ entry: ConfiguredDocumentType, _ command: CommandTemplate, _ journal: HandlerJournal,
        at moment: Moment
    ) {
        var task = task
        let document = task.document
        // Besides those that the configuration allows there is one for a crash, which may not be the handler's fault.
        if task.hasOutlivedRun, task.tries > entry.settings.runRetries + 1 {
            return finish(
                task, .failed("the daemon or the machine went down after its last try had begun"), .zero, at: moment)
        }
        task.tries += 1
        if let mount = rules.silence(around: document) {
            return wait(task, for: mount, at: moment)
        }
        let control = ProgramControl()
        let run = HandlerRun(
            document: document, plan: ProgramPlan(command, document, variable: Process.environment),
            number: task.tries, timeout: entry.settings.runTimeout, place: rules.place(of: document), journal: journal,
            control: control, left: running.left)
        running.insert(task, control)
        backlog.begin(task)
        pool.begin(reporting: { (report: @escaping @Sendable (HandlerReport?) -> Void) in
            run.perform(
                wrote: { report(.wrote(document, $0)) }, ended: { report(.ended(document, control, $0, $1)) })
            // The document is closed by now.
            run.left.follow()
            return nil
        }) { [weak self] report in
            if let report { self?.reports.append(report) }
        }
    }

    /// A task that was begun waits until a folder can be reached that its document lies in. That was no try.
    private func wait(
        _ task: Task, for folder: BytePath, _ words: String = "its server does not answer", at moment: Moment
    ) {
        var task = task
        task.tries -= 1
        guard backlog.wait(task, for: folder, words, at: moment.now) else { return }
        report(.notice("handlers of documents in \(folder) wait, and begin when it can be reached: \(words)"))
    }

    /// Takes what was reported.
    func takeFinished(at moment: Moment) {
        defer { reports = [] }
        for news in reports {
            switch news {
            case .wrote(let document, let line):
                report(.handlerWrote(id: document.id, documentType: document.documentType, line: line))
            case .ended(let document, let control, let ending, let duration):
                guard let task = running.remove(document.id, control) else { continue }
                backlog.end(task)
                take(task, ending, duration, at: moment)
            case .found(let documents, let full, let mark):
                handled.note(foundNothing: documents.isEmpty, upTo: mark)
                backlog.append(found: documents, full: full)
            case .recorded(let failure): takeRecorded(failure, at: moment)
            case .noted(nil): break
            case .noted(let failure?):
                report(.notice("a crash would keep a handler from running again, which cannot be noted: \(failure)"))
            case .searchFailed(let error): searchFailed(error, at: moment)
            }
        }
        record(at: moment)
    }

    private func takeRecorded(_ failure: SyscallError?, at moment: Moment) {
        let (tasks, happenings, isNewFailure) = handled.recorder.end(failure, at: moment)
        for happening in happenings { report(happening) }
        for task in tasks {
            backlog.remove(task)
            records?.journal?.forget(task.document.id)
        }
        guard let failure, isNewFailure else { return }
        report(.notice("cannot record the end of a handler now, and tries again: \(failure)"))
    }

    private func take(_ task: Task, _ ending: HandlerEnding, _ duration: Duration, at moment: Moment) {
        let retries = rules[task.document.documentType]?.settings.runRetries ?? 0
        if ending == .abandoned { return }
        if case .unreachable(let folder, let words) = ending { return wait(task, for: folder, words, at: moment) }
        if case .short(let words) = ending {
            var task = task
            task.tries -= 1
            guard backlog.postpone(task, words, at: moment.now) else { return }
            let name = EscapedBytes.printable(task.document.documentType.utf8)
            return report(.notice("no handler of \(name) can begin, and one is tried again and again: \(words)"))
        }
        if ending.hasRun { backlog.endShortage(of: task.document.documentType) }
        backlog.reach(task.document)
        if case .postponed(let words) = ending {
            var task = task
            task.tries -= 1
            task.next = moment.now + .seconds(10)
            report(.notice("the handler of \(task.document.path) is tried again in 10s: \(words)"))
            return backlog.delay(task)
        }
        guard !ending.isSuccess, task.tries <= retries else { return finish(task, ending, duration, at: moment) }
        var task = task
        let pause = Settling.backOff(failures: task.tries, ceiling: rules.retryMax)
        outcomes.noteRetry()
        task.next = moment.now + pause
        report(happening(task, .retrying, "\(ending.words); it is tried again in \(TimeSpan.text(pause))"))
        backlog.delay(task)
    }

    private func happening(
        _ task: Task, _ outcome: HandlerNews.Outcome, _ detail: String?, _ program: BytePath = BytePath("")
    ) -> Happening {
        let document = task.document
        return .handled(
            HandlerNews(
                id: document.id, path: document.path, outcome: outcome, tries: task.tries, detail: detail),
            program: program)
    }

    private func finish(_ task: Task, _ ending: HandlerEnding, _ duration: Duration, at moment: Moment) {
        let program = rules[task.document.documentType]?.settings.run?.program ?? BytePath("")
        let record = HandlerRecord(
            document: task.document, program: program, ending: ending, tries: task.tries, duration: duration,
            time: moment.wall)
        handled.noteHandled()
        outcomes.note(ending, of: task.document)
        let happening =
            switch ending {
            case .exited(0): happening(task, .done, nil, program)
            case .gone, .replaced: happening(task, .gone, ending.words, program)
            default:
                happening(
                    task, .failed,
                    "\(ending.words); after \(task.tries == 1 ? "1 try" : "\(task.tries) tries") it is not tried again, "
                        + "and the document stays filed")
            }
        handled.recorder.append(task, record.line, reporting: happening)
    }
}
