import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux

/// Runs the checks of documents that are to be filed: of each check as many at once as the configuration allows, and one of
/// each user's documents in turn.
///
/// The loop owns the state; each run has a thread of the pool to itself.
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
    }

    private let pool: FairPool
    private let intake: Intake
    private var running: [Int: Running] = [:]
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

    /// The number of those that run now.
    package var runningCount: Int { running.count }

    /// None is under way. One that still looks for its document when all ends begins no program any more.
    var hasEnded: Bool { running.values.allSatisfy { isEnding && $0.control.isOver } }

    /// Ends: what runs is killed, and its documents stay in the Inbox, unchecked.
    func end() {
        isEnding = true
        for run in running.values { run.control.abandon() }
    }

    /// Begins what may begin.
    /// - Parameter isPaused: whether somebody paused filing, so that nothing begins.
    func proceed(_ means: FilingMeans, isPaused: Bool, at moment: Moment) {
        FairPool.assertOnLoop()
        guard !isEnding, !isPaused else { return }
        for check in intake.awaitedChecks {
            // One that hangs keeps its own place alone.
            while running.values.count(where: { $0.check === check }) < check.concurrency,
                let request = intake.takeForCheck(check, at: moment)
            {
                start(check, request, means)
            }
        }
    }

    private func start(_ check: CheckInForce, _ request: FilingRequest, _ means: FilingMeans) {
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
            control: control)
        pool.begin(reporting: { (report: @escaping @Sendable (Report) -> Void) in
            let start = Instant.now()
            let result = run.perform { report(.wrote($0, $1)) }
            return .ended(result, .now() - start)
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
