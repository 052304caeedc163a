import InboxFiling
import InboxLinux

/// Brings documents to other filesystems while batches on the same filesystem go on.
final class Copying {
    private let intake: Intake
    let claims: ClaimJob.Means
    private let lanes: CopyLanes
    private var means: FilingMeans
    private var reports: [CopyWork.Report] = []
    /// Documents that are at their destinations while their records could not be written.
    private var unrecorded: [RecordID: ArrivalID] = [:]
    private var returned = ReturnedSources()

    /// Copies from an intake to the destinations of these means.
    init(intake: Intake, means: FilingMeans, claims: ClaimJob.Means, lanes: CopyLanes) {
        self.intake = intake
        self.claims = claims
        self.lanes = lanes
        self.means = means
    }

    /// Copies to the destinations of these means from the next job on.
    func adopt(_ means: FilingMeans) {
        self.means = means
        returned = ReturnedSources()
    }

    /// Whether no job is under way or waits.
    var isIdle: Bool { lanes.isIdle }

    /// Whether a job is under way.
    var isBusy: Bool { lanes.isBusy }

    /// Whether documents are at their destinations whose records could not be written.
    var hasUnrecorded: Bool { !unrecorded.isEmpty }

    /// How many documents wait for a worker.
    var queuedCount: Int { lanes.queuedCount }

    /// Whether a job could begin at once.
    var hasRoom: Bool { lanes.hasRoom || (lanes.isSmallFree && intake.hasCopies) }

    /// Gives up what has not reached its destination yet.
    func abandon() {
        claims.abandonment.request()
        for request in lanes.takeAll() { intake.resolve(request.id, .changed, at: .current()) }
        refuseUndos("the daemon is ending")
    }

    /// Puts a document back as soon as a worker is free.
    func undo(_ job: UndoJob) { lanes.append(job) }

    /// Whether a document could be put back at once.
    var hasUndo: Bool { lanes.hasUndo }

    /// Begins to put documents back, as long as workers are free.
    func proceedWithUndos() { lanes.beginUndos() }

    /// Nothing is put back any more.
    func refuseUndos(_ words: String) {
        for job in lanes.takeUndos() {
            reports.append(.undone(UndoJob.Report(order: job.order, outcome: .refused(.failed(words)))))
        }
    }

    /// Whether a worker is free for recovery.
    var canRecover: Bool { lanes.isSmallFree }

    /// Ends what an interruption has left, on a worker that is free.
    func recover(_ recovery: Recovery) { lanes.begin(recovery) }

    /// When a job will have taken so long that its worker may hang.
    var nextSuspicion: Instant { lanes.nextSuspicion }

    /// Goes on without the workers that may hang.
    func replaceHungWorkers(at now: Instant) { lanes.replaceHungWorkers(at: now) }

    /// Begins jobs, as long as workers are free and documents wait.
    func proceed(at moment: Moment, to root: DestinationRoot, inboxFolders: Set<FileKey>) {
        take()
        begin(in: .small, to: root, inboxFolders, at: moment)
        begin(in: .large, to: root, inboxFolders, at: moment)
    }

    private func take() {
        while lanes.takesMore, let request = intake.takeForCopy(fitting: .max) {
            if let count = returned.exhausted(request.status.identity.file) {
                let words =
                    "it was copied \(count) times, and each time somebody had changed it meanwhile, or something of it "
                    + "could not be removed"
                intake.resolve(request.id, .hold(.permission, words), at: .current())
            } else {
                lanes.append(request)
            }
        }
    }

    /// Gives back what waits, since its destination cannot be reached: it is tried again.
    func postpone(_ why: String, at moment: Moment) {
        var waiting = lanes.takeAll()
        while let request = intake.takeForCopy(fitting: .max) { waiting.append(request) }
        for request in waiting { intake.resolve(request.id, .retry(why), at: moment) }
    }

    private func begin(
        in lane: CopyLanes.Lane, to root: DestinationRoot, _ inboxFolders: Set<FileKey>, at moment: Moment
    ) {
        guard let waiting = lanes.take(for: lane) else { return }
        let requests = intake.postponingSilent(waiting, at: moment)
        guard !requests.isEmpty else { return }
        let tasks = requests.map { request in
            let progress = CopyProgress(total: request.status.size)
            intake.beginCopy(request.id, done: { progress.done }, at: moment)
            return ClaimJob.Task(request, progress)
        }
        let job = ClaimJob(tasks, to: root, inboxFolders: inboxFolders, filing: means, means: claims)
        lanes.begin(job, for: requests, in: lane)
    }

    /// Takes what the workers have finished; the reports are those since ``takeReports()``.
    func takeFinished(at moment: Moment) throws(SyscallError) {
        for (report, requests) in try lanes.finished(in: .small) { take(report, of: requests, at: moment) }
        for (report, requests) in try lanes.finished(in: .large) { take(report, of: requests, at: moment) }
    }

    /// The reports of the jobs that have ended, for what they say of the state folder; each once.
    func takeReports() -> [CopyWork.Report] {
        defer { reports = [] }
        return reports
    }

    private func take(_ report: CopyWork.Report, of requests: [FilingRequest], at moment: Moment) {
        if case .claimed(let report) = report { take(report, of: requests, at: moment) }
        reports.append(report)
    }

    private func take(_ report: ClaimJob.Report, of requests: [FilingRequest], at moment: Moment) {
        for notice in report.notices { intake.report(.notice(notice)) }
        for (request, result) in zip(requests, report.results) {
            switch result {
            case .filed(let record, let lost):
                intake.hasLeft(request.id)
                intake.resolve(request.id, .filed(record), at: moment)
                reportLost(lost, of: record)
            case .returned(let record, let lost):
                returned.note(request.status.identity.file)
                intake.resolve(request.id, filedAs: record, leaving: .changed, at: moment)
                reportLost(lost, of: record)
            case .unrecorded(let record):
                intake.hasLeft(request.id)
                unrecorded[record.id] = request.id
            case .refused(let outcome):
                intake.hasReturned(request.id)
                intake.resolve(request.id, outcome, at: moment)
            }
        }
    }

    /// Recovery has made these records.
    func take(recovered records: [FiledRecord], at moment: Moment) {
        for record in records {
            guard let id = unrecorded.removeValue(forKey: record.id) else { continue }
            intake.resolve(id, .filed(record), at: moment)
        }
    }

    private func reportLost(_ lost: [String], of record: FiledRecord) {
        guard !lost.isEmpty else { return }
        intake.report(.notice("copied to \(record.destination) without \(lost.joined(separator: ", "))"))
    }
}
