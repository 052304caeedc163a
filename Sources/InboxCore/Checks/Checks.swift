import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux

/// Runs the checks of documents that are to be filed: of each check as many at once as the configuration allows, and one of
/// each user's documents in turn.
///
/// The loop owns the state; each run has a thread of the pool to itself. As long as a check takes next to no time, the next
/// run is begun before one has ended, and waits for its place.
package final class Checks {
    /// The outcome of a run.
    private enum Report: Sendable {
        case wrote(BytePath, [UInt8])
        case ended(CheckResult, Duration)
    }

    private struct Running {
        let request: FilingRequest
        let check: CheckInForce
        let control: ProgramControl
        let begun = Instant.now()
        /// It may wait for its place still.
        var mayWait = true
    }

    /// A check that documents wait for.
    private struct Row {
        let check: CheckInForce
        let places: Semaphore
        /// Its last run has taken next to no time.
        var isBrief = false
    }

    /// A run that takes no longer is brief.
    private static let brief = Duration.milliseconds(50)
    /// So long the next run waits for its place. Then it is put back: its turn may be another user's by now.
    private static let patience = Duration.milliseconds(200)

    private let pool: FairPool
    private let intake: Intake
    private var running: [Int: Running] = [:]
    private var rows: [ObjectIdentifier: Row] = [:]
    private var last = 0
    private var reports: [(run: Int, report: Report)] = []
    private var isEnding = false
    /// The outcomes of checks since the daemon's start.
    package private(set) var outcomes = CheckOutcomes()

    /// Nothing runs yet.
    init(of intake: Intake, in pool: FairPool) {
        self.intake = intake
        self.pool = pool
    }

    /// The number of those that run now, without those that wait for a place.
    package var runningCount: Int {
        Dictionary(grouping: running.values) { ObjectIdentifier($0.check) }.values
            .reduce(0) { $0 + min($1.count, $1[0].check.concurrency) }
    }

    /// No check runs, and no document waits for one.
    var isIdle: Bool { running.isEmpty && intake.checkTurns.awaited.isEmpty }

    /// The next instant at which a run may have waited for its place for too long.
    var nextDeadline: Instant {
        running.values.lazy.filter { $0.mayWait && self.isCrowded($0.check) }.map { $0.begun + Self.patience }.min()
            ?? .never
    }

    /// None is under way. One that still looks for its document when all ends begins no program any more.
    var hasEnded: Bool { running.values.allSatisfy { isEnding && $0.control.isOver } }

    /// Ends: what runs is killed, and its documents stay in the Inbox, unchecked.
    func end() {
        isEnding = true
        for run in running.values { run.control.abandon() }
    }

    /// Begins what may begin.
    /// - Parameter isPaused: nothing begins.
    func proceed(_ means: FilingMeans, isPaused: Bool, at moment: Moment) {
        FairPool.assertOnLoop()
        guard !isEnding else { return }
        if isPaused { return pause(at: moment) }
        for (number, run) in running
        where run.mayWait && isCrowded(run.check) && run.begun + Self.patience <= moment.now {
            putBack(number, run, at: moment)
        }
        let awaited = intake.checkTurns.awaited
        for check in awaited {
            let row = row(of: check)
            // One that hangs keeps its own place alone.
            let most = check.concurrency + (row.isBrief ? 1 : 0)
            while count(of: check) < most, let request = intake.takeForCheck(check, at: moment) {
                start(check, request, means, row.places)
            }
        }
        rows = rows.filter { _, row in count(of: row.check) > 0 || awaited.contains { $0 === row.check } }
    }

    /// Puts back what waits for its place: no program begins from now on.
    func pause(at moment: Moment) {
        for (number, run) in running where run.mayWait { putBack(number, run, at: moment) }
    }

    private func count(of check: CheckInForce) -> Int { running.values.count { $0.check === check } }

    /// One of the runs of a check waits for its place, or will.
    private func isCrowded(_ check: CheckInForce) -> Bool { count(of: check) > check.concurrency }

    private func row(of check: CheckInForce) -> Row {
        let key = ObjectIdentifier(check)
        let row = rows[key] ?? Row(check: check, places: Semaphore(check.concurrency))
        rows[key] = row
        return row
    }

    /// Puts a document back whose run still waits for its place: it waits for its turn again.
    private func putBack(_ number: Int, _ run: Running, at moment: Moment) {
        running[number]?.mayWait = false
        guard run.control.abandonSearch() else { return }
        rows[ObjectIdentifier(run.check)]?.isBrief = false
        running[number] = nil
        intake.resolve(run.request.id, .checked, at: moment)
    }

    private func start(
        _ check: CheckInForce, _ request: FilingRequest, _ means: FilingMeans, _ places: Semaphore
    ) {
        last += 1
        let (number, control) = (last, ProgramControl())
        running[number] = Running(request: request, check: check, control: control)
        var known: [String: String] = [:]
        if !check.documentType.isEmpty, let first = means.routing.check(of: request.inbox),
            case .accepted(let facts)? = request.verdicts?.ruling(by: first)
        {
            known = facts
        }
        let run = CheckRun(
            request: request, check: check, known: known, detector: means.detector, identifiers: means.identifiers,
            control: control, places: places)
        pool.begin(reporting: { (report: @escaping @Sendable (Report) -> Void) in
            let (result, duration) = run.perform { report(.wrote($0, $1)) }
            return .ended(result, duration)
        }) { [weak self] report in
            self?.reports.append((number, report))
        }
    }

    /// Takes what was reported.
    func takeFinished(at moment: Moment) {
        let news = reports
        reports = []
        for (number, report) in news {
            switch report {
            case .wrote(let path, let line): intake.report(.checkWrote(path: path, line: line))
            case .ended(let result, let duration):
                guard let run = running.removeValue(forKey: number) else { continue }
                outcomes.note(result, after: duration)
                rows[ObjectIdentifier(run.check)]?.isBrief = duration <= Self.brief
                intake.endCheck(run.request, by: run.check, result, at: moment)
            }
        }
    }
}

/// The results of checks since the daemon's start.
package struct CheckOutcomes: Sendable {
    /// Those that have accepted a document.
    package private(set) var accepted = 0
    /// Those that have rejected one.
    package private(set) var rejected = 0
    /// Those that could not decide yet.
    package private(set) var later = 0
    /// Those that have failed, or have seen their documents change.
    package private(set) var failed = 0
    /// The time that they took together.
    package private(set) var time = Duration.zero

    mutating func note(_ result: CheckResult, after duration: Duration) {
        switch result {
        case .ruled(let verdicts): if verdicts.isRejection { rejected += 1 } else { accepted += 1 }
        case .later: later += 1
        case .failed, .changed: failed += 1
        case .refused, .short, .abandoned: return
        }
        time += duration
    }
}
