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
    private var recorder = HandlerRecorder()
    /// Nil while there is no state folder.
    private var records: (history: History, journal: Journal)?
    /// The journal of a state folder that was lost.
    private var former: Journal?
    /// The due handlers of an earlier version are not in the journal yet.
    private var isTakingOver = false
    /// The number of jobs for the journal that are under way.
    private var jobCount = 0
    /// When the journal is read again after a failure, and how often that has failed.
    private var nextReading = (at: Instant(nanoseconds: 0), failures: 0)
    /// The counts of what became of handlers since the daemon's start.
    package private(set) var outcomes = HandlerOutcomes()
    /// When a try is due that waits for its back-off.
    private(set) var nextDeadline = Instant.never

    /// Nothing to do yet.
    /// - Parameters:
    ///   - pool: runs them.
    ///   - mostWaiting: so many documents of each owner wait in memory at most; the journal alone has the others.
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
        rules.adopt(configuration, routing)
        records?.journal.adopt(handlerTypes: rules.names)
    }

    /// Takes the state folder, before anything is filed. What is known of another one that was lost is due here too.
    func begin(in state: OpenFolder, _ history: History, _ journal: Journal) throws(SyscallError) {
        journal.note(due: former?.due.filter { !journal.isDue($0.id) } ?? [], isFound: true)
        former = nil
        journal.adopt(handlerTypes: rules.names)
        records = (history, journal)
        nextReading = (Instant(nanoseconds: 0), 0)
        backlog.note(unread: journal.takeFoundOwners())
        guard try EarlierHandlers.exist(in: state) else { return }
        isTakingOver = true
        let end = history.mark
        perform {
            do throws(SyscallError) {
                try EarlierHandlers.takeOver(in: state, history, upTo: end, journal)
                return .takenOver(nil)
            } catch {
                return .takenOver(error)
            }
        }
    }

    private func perform(_ job: @escaping @Sendable () -> HandlerReport) {
        jobCount += 1
        pool.begin(job) { [weak self] report in
            self?.jobCount -= 1
            self?.reports.append(report)
        }
    }

    /// The state folder is lost: nothing begins until there is one.
    func suspend() {
        former = former ?? records?.journal
        records = nil
    }

    /// A document was filed and recorded: it is read from the journal and the history like one of an earlier run.
    func filed(_ record: FiledRecord) {
        guard records?.journal.isDue(record.id) == true else { return }
        backlog.note(unread: [record.owner ?? Process.user])
    }

    /// Returns true if the handler of a document is running, or still has to run, as far as that is known.
    /// - Parameter documentType: the document type in its record; nil if there is none.
    func handles(_ id: String, _ documentType: String?) -> Bool {
        if backlog.knows(id) { return true }
        if isTakingOver, documentType.map({ rules[$0] != nil }) == true { return true }
        return RecordID(id).map { records?.journal.isDue($0) == true } ?? false
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
        guard let filed = FiledLine(line), let document = HandledDocument(filed), rules[document.documentType] != nil
        else {
            return .unhandled
        }
        guard !handles(document.id, document.documentType) else { return .underWay }
        outcomes.resolve(document.id)
        note(retry: document, filed.head)
        return .begun
    }

    /// Writes down that a handler is to run again, which then has its turn.
    /// - Parameter head: the beginning of the document's record.
    private func note(retry document: HandledDocument, _ head: [UInt8]) {
        guard let (history, journal) = records, let id = RecordID(document.id) else { return }
        perform {
            do throws(SyscallError) {
                let places = try history.places(of: [History.Wanted(id: document.id, mark: nil, head: head)])
                let due = places.values.map { DueHandler(id: id, at: $0, owner: document.owner) }
                journal.note(due: due, isFound: true)
                return .noted(nil)
            } catch {
                return .noted(error)
            }
        }
    }

    /// Describes the progress of a document's handler that has not ended; nil if none is known.
    /// - Parameter documentType: the document type in its record; nil if no document type got it.
    package func progress(of id: String, _ documentType: String?, at now: Instant) -> String? {
        if let task = running.task(id) { return "runs now, try \(task.tries)" }
        guard let task = backlog.task(id) else {
            return handles(id, documentType) ? Self.turn : nil
        }
        if let words = backlog[task.document.documentType].obstacle(of: task.document) { return "waits: \(words)" }
        if task.tries == 0 { return Self.turn }
        let pause = Duration.seconds(max(0, Int((task.next - now).components.seconds) + 1))
        return "has failed, try \(task.tries), and is tried again in \(TimeSpan.text(pause))"
    }

    private static let turn = "waits for its turn"

    /// A document is waiting for its handler.
    package var isPending: Bool { !backlog.isEmpty || isTakingOver || records?.journal.hasDue == true }

    /// Nothing is running, and nothing could begin before its back-off has passed.
    package var isIdle: Bool {
        hasEnded && jobCount == 0 && !backlog.hasReady
            && (!backlog.isOverflowing || backlog.isBlocked || nextReading.failures > 0)
    }

    /// No handler runs any more, and the end of none is being recorded.
    package var hasEnded: Bool { running.haveEnded && (records == nil || recorder.isAtRest) }

    /// Ends: what runs is killed, and runs again at the next start; so is what handlers have left running.
    package func end() { running.end() }

    /// Begins what may begin.
    /// - Parameter isPaused: whether somebody paused filing, so that nothing begins.
    func proceed(at moment: Moment, isPaused: Bool) {
        FairPool.assertOnLoop()
        nextDeadline = .never
        giveUpHanging(at: moment)
        beginDue(at: moment, isPaused: isPaused)
        record(at: moment)
    }

    private func giveUpHanging(at moment: Moment) {
        guard !running.isEmpty else { return }
        for (task, mount) in running.giveUp(where: rules.silence) {
            backlog[task.document.documentType].running -= 1
            wait(task, for: mount, at: moment)
        }
    }

    /// Writes down which handlers have ended, also while nothing begins.
    private func record(at moment: Moment) {
        guard let (history, journal) = records else { return }
        if let (lines, ids) = recorder.begin(at: moment) {
            perform {
                do throws(SyscallError) { try history.append(lines, isDurable: false) } catch {
                    return .recorded(error)
                }
                Self.endDue(ids.compactMap { RecordID($0) }, in: journal)
                return .recorded(nil)
            }
        }
        nextDeadline = min(nextDeadline, recorder.nextDeadline)
    }

    private static func endDue(_ ids: [RecordID], in journal: Journal) {
        do throws(SyscallError) { try journal.endDue(ids) } catch {
            // After a crash the next start meets them again, and finds out that they have ended.
        }
    }

    private func beginDue(at moment: Moment, isPaused: Bool) {
        guard !running.isEnding, !isPaused, !isTakingOver, let (history, journal) = records else { return }
        backlog.note(unread: journal.takeFoundOwners())
        beginTasks(history, journal, at: moment)
        guard backlog.isOverflowing, !backlog.isReading else { return }
        guard nextReading.at <= moment.now else {
            nextDeadline = min(nextDeadline, nextReading.at)
            return
        }
        let room = backlog.room
        if !room.isEmpty { read(room, history, journal) }
    }

    /// Reads what is due and waits in the journal alone.
    private func read(_ room: [UInt32: Int], _ history: History, _ journal: Journal) {
        backlog.beginReading()
        perform {
            let (due, others) = journal.takeDue(room)
            do throws(SyscallError) {
                let found = try HandlerReading(history: history, marks: journal.triedMarks).documents(of: due)
                Self.endDue(found.ended + found.lost, in: journal)
                return .read(found, of: Array(room.keys), others: others)
            } catch {
                journal.giveBack(due)
                return .readFailed(error)
            }
        }
    }

    private func beginTasks(_ history: History, _ journal: Journal, at moment: Moment) {
        for name in backlog.documentTypes {
            guard let entry = rules[name], let command = entry.settings.run else {
                drop(name, journal)
                continue
            }
            let most = entry.settings.runConcurrency
            while let task = backlog.take(of: name, most: most, at: moment.now) {
                start(task, entry, command, journal, history.mark, at: moment)
            }
            nextDeadline = min(nextDeadline, backlog.nextDeadline(of: name, most: most))
        }
    }

    /// The configuration has no handler for these any more.
    private func drop(_ name: String, _ journal: Journal) {
        let ids = backlog.drop(name)
        guard !ids.isEmpty else { return }
        perform {
            Self.endDue(ids.compactMap { RecordID($0) }, in: journal)
            return .dropped
        }
        let count = ids.count
        let documents = count == 1 ? "1 document" : "\(count) documents"
        let verb = count == 1 ? "has" : "have"
        report(.notice("\(documents) of \(EscapedBytes.printable(name.utf8)) \(verb) no handler any more"))
    }

    private func take(_ found: HandlerReading.Found) {
        for (document, tries) in found.documents { backlog.append(document, tries: tries) }
        guard !found.lost.isEmpty else { return }
        let count = found.lost.count == 1 ? "a document" : "\(found.lost.count) documents"
        report(
            .notice(
                "a file of the history was moved, removed or cut off, so that the handlers of \(count) do not run: of "
                    + "\(found.lost[0].text)\(found.lost.count == 1 ? "" : " for one"); move such a document into the Inbox "
                    + "to have it handled"))
    }

    private func readingFailed(_ error: SyscallError, at moment: Moment) {
        backlog.endReading(of: [], others: [])
        let failures = nextReading.failures + 1
        let pause = Settling.backOff(failures: failures, ceiling: .seconds(3600))
        nextReading = (moment.now + pause, failures)
        report(
            .notice(
                "cannot read in the history which documents are to be handled: \(error); it is tried again in "
                    + TimeSpan.text(pause)))
    }

    private func start(
        _ task: Task, _ entry: ConfiguredDocumentType, _ command: CommandTemplate, _ journal: Journal,
        _ mark: HistoryMark, at moment: Moment
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
            mark: mark, control: control, left: running.left)
        running.insert(task, control)
        backlog[document.documentType].running += 1
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
        guard backlog[task.document.documentType].wait(task, for: folder, words, at: moment.now) else { return }
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
                backlog[task.document.documentType].running -= 1
                take(task, ending, duration, at: moment)
            case .read(let found, let owners, let others):
                nextReading.failures = 0
                backlog.endReading(of: owners, others: others)
                take(found)
            case .readFailed(let error): readingFailed(error, at: moment)
            case .recorded(let failure): takeRecorded(failure, at: moment)
            case .dropped: break
            case .noted(nil): break
            case .noted(let failure?): report(.notice("a handler cannot run again: \(failure)"))
            case .takenOver(let failure):
                isTakingOver = false
                if let failure {
                    report(
                        .notice(
                            "cannot find the handlers that an earlier version has left due, and the next start tries "
                                + "again: \(failure)"))
                }
            }
        }
        record(at: moment)
    }

    private func takeRecorded(_ failure: SyscallError?, at moment: Moment) {
        let (tasks, happenings, isNewFailure) = recorder.end(failure, at: moment)
        for happening in happenings { report(happening) }
        for task in tasks { backlog.forget(task.document.id) }
        guard let failure, isNewFailure else { return }
        report(.notice("cannot record the end of a handler now, and tries again: \(failure)"))
    }

    private func take(_ task: Task, _ ending: HandlerEnding, _ duration: Duration, at moment: Moment) {
        let documentType = task.document.documentType
        let retries = rules[documentType]?.settings.runRetries ?? 0
        if ending == .abandoned { return }
        if case .unreachable(let folder, let words) = ending { return wait(task, for: folder, words, at: moment) }
        if case .short(let words) = ending {
            var task = task
            task.tries -= 1
            guard backlog[documentType].postpone(task, words, at: moment.now) else { return }
            let name = EscapedBytes.printable(documentType.utf8)
            return report(.notice("no handler of \(name) can begin, and one is tried again and again: \(words)"))
        }
        if ending.hasRun { backlog[documentType].endShortage() }
        backlog[documentType].reach(task.document)
        if case .postponed(let words) = ending {
            var task = task
            task.tries -= 1
            task.next = moment.now + .seconds(10)
            report(.notice("the handler of \(task.document.path) is tried again in 10s: \(words)"))
            return backlog[documentType].delay(task)
        }
        guard !ending.isSuccess, task.tries <= retries else { return finish(task, ending, duration, at: moment) }
        var task = task
        let pause = Settling.backOff(failures: task.tries, ceiling: rules.retryMax)
        outcomes.retried += 1
        task.next = moment.now + pause
        report(happening(task, .retrying, "\(ending.words); it is tried again in \(TimeSpan.text(pause))"))
        backlog[documentType].delay(task)
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
        recorder.append(task, record.line, reporting: happening)
    }
}
