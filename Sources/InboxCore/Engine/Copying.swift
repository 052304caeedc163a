import InboxFiling
import InboxLinux

/// Brings documents to other filesystems while batches on the same filesystem go on.
///
/// Small documents have a worker of their own, so that none waits for a package or a large file.
final class Copying {
    typealias Lanes = (small: CopyLane, large: CopyLane)

    /// A job has so many documents at most, and so many bytes unless it has one document only.
    private static let most = 64
    private static let mostBytes: UInt64 = 16 << 20
    /// So many requests wait here at most; the others wait in the intake.
    private static let mostWaiting = 512

    private let intake: Intake
    let claims: ClaimJob.Means
    private var lanes: Lanes
    private var means: FilingMeans
    private let abandonment: Abandonment
    /// The files whose interrupted moves recovery inspects now.
    private var recovering: [FileKey] = []
    private var undos: [UndoJob] = []
    private var reports: [CopyWork.Report] = []
    /// Documents that are at their destinations while their records could not be written.
    private var unrecorded: [RecordID: ArrivalID] = [:]
    /// How often a source returned that had been copied: where somebody changes it each time there would be no end.
    private var returned: [FileKey: Int] = [:]
    /// After so many it is held.
    private static let mostReturns = 3

    /// Copies from an intake to the destinations of these means.
    init(
        intake: Intake, means: FilingMeans, claims: ClaimJob.Means, lanes: Lanes, abandonment: Abandonment
    ) {
        self.intake = intake
        self.claims = claims
        self.lanes = lanes
        self.means = means
        self.abandonment = abandonment
    }

    /// Copies to the destinations of these means from the next job on.
    func adopt(_ means: FilingMeans) {
        self.means = means
        returned = [:]
    }

    /// Whether no job is under way or waits.
    var isIdle: Bool {
        !lanes.small.isBusy && !lanes.large.isBusy && lanes.small.queue.isEmpty && lanes.large.queue.isEmpty
            && undos.isEmpty
    }

    /// Whether a job is under way.
    var isBusy: Bool { lanes.small.isBusy || lanes.large.isBusy }

    /// Whether documents are at their destinations whose records could not be written.
    var hasUnrecorded: Bool { !unrecorded.isEmpty }

    /// How many documents wait for a worker.
    var queuedCount: Int { lanes.small.queue.count + lanes.large.queue.count }

    /// Whether a job could begin at once.
    var hasRoom: Bool {
        (!lanes.small.isBusy && (!lanes.small.queue.isEmpty || intake.hasCopies))
            || (!lanes.large.isBusy && !lanes.large.queue.isEmpty)
    }

    /// Gives up what has not reached its destination yet.
    func abandon() {
        abandonment.request()
        for request in lanes.small.queue.takeAll() + lanes.large.queue.takeAll() {
            intake.resolve(request.id, .changed, at: .current())
        }
        refuseUndos("the daemon is ending")
    }

    /// Puts a document back as soon as a worker is free.
    func undo(_ job: UndoJob) { undos.append(job) }

    /// Whether a document could be put back at once.
    var hasUndo: Bool { undos.contains { !lanes[keyPath: lane(of: $0)].isBusy } }

    /// Begins to put documents back, as long as workers are free.
    func proceedWithUndos() {
        while let index = undos.firstIndex(where: { !lanes[keyPath: lane(of: $0)].isBusy }) {
            let job = undos.remove(at: index)
            lanes[keyPath: lane(of: job)].begin(.undo(job))
        }
    }

    private func lane(of job: UndoJob) -> WritableKeyPath<Lanes, CopyLane> {
        job.order.size >= Self.mostBytes ? \.large : \.small
    }

    /// Nothing is put back any more.
    func refuseUndos(_ words: String) {
        for job in undos {
            reports.append(.undone(UndoJob.Report(order: job.order, outcome: .refused(.failed(words)))))
        }
        undos = []
    }

    /// Whether a worker is free for recovery.
    var canRecover: Bool { !lanes.small.isBusy }

    /// Ends what an interruption has left, on a worker that is free.
    func recover(_ recovery: Recovery) {
        recovering = recovery.entries.moves.values.map(\.identity.file)
        lanes.small.begin(.recover(recovery))
    }

    /// Whether recovery inspects what became of an earlier move of this file.
    func isRecovering(_ file: FileKey) -> Bool { recovering.contains { $0.isFile(file) } }

    /// Begins jobs, as long as workers are free and documents wait.
    func proceed(at moment: Moment, to root: DestinationRoot, inboxFolders: Set<FileKey>) {
        take()
        begin(in: \.small, to: root, inboxFolders, at: moment)
        begin(in: \.large, to: root, inboxFolders, at: moment)
    }

    private func take() {
        while lanes.small.queue.count + lanes.large.queue.count < Self.mostWaiting,
            let request = intake.takeForCopy(fitting: .max)
        {
            if let count = returned[request.status.identity.file], count >= Self.mostReturns {
                let words =
                    "it was copied \(count) times, and each time somebody had changed it meanwhile, or something of it "
                    + "could not be removed"
                intake.resolve(request.id, .hold(.permission, words), at: .current())
            } else if request.isPackage || request.status.size >= Self.mostBytes {
                lanes.large.queue.append(request)
            } else {
                lanes.small.queue.append(request)
            }
        }
    }

    /// Gives back what waits, since its destination cannot be reached: it is tried again.
    func postpone(_ why: String, at moment: Moment) {
        var waiting = lanes.small.queue.takeAll() + lanes.large.queue.takeAll()
        while let request = intake.takeForCopy(fitting: .max) { waiting.append(request) }
        for request in waiting { intake.resolve(request.id, .retry(why), at: moment) }
    }

    private func begin(
        in lane: WritableKeyPath<Lanes, CopyLane>, to root: DestinationRoot, _ inboxFolders: Set<FileKey>,
        at moment: Moment
    ) {
        guard !lanes[keyPath: lane].isBusy, !lanes[keyPath: lane].queue.isEmpty else { return }
        let most = lane == \.small ? Self.most : 1
        let requests = lanes[keyPath: lane].queue.take(most: most, bytes: Self.mostBytes)
        let tasks = requests.map { request in
            let progress = CopyProgress(total: request.status.size)
            intake.beginCopy(request.id, done: { progress.done }, at: moment)
            return ClaimJob.Task(request, progress)
        }
        let job = ClaimJob(tasks, to: root, inboxFolders: inboxFolders, filing: means, means: claims)
        lanes[keyPath: lane].begin(.claim(job), for: requests)
    }

    /// Takes what the workers have finished; the reports are those since ``takeReports()``.
    func takeFinished(at moment: Moment) throws(SyscallError) {
        for lane in [\Lanes.small, \Lanes.large] {
            for report in try lanes[keyPath: lane].worker.finished() { take(report, in: lane, at: moment) }
        }
    }

    /// The reports of the jobs that have ended, for what they say of the state folder; each once.
    func takeReports() -> [CopyWork.Report] {
        defer { reports = [] }
        return reports
    }

    private func take(_ report: CopyWork.Report, in lane: WritableKeyPath<Lanes, CopyLane>, at moment: Moment) {
        let requests = lanes[keyPath: lane].end()
        switch report {
        case .claimed(let report): take(report, of: requests, at: moment)
        case .recovered: recovering = []
        case .undone: break
        }
        reports.append(report)
    }

    private func take(_ report: ClaimJob.Report, of requests: [FilingRequest], at moment: Moment) {
        for notice in report.notices { intake.tell(.notice(notice)) }
        for (request, result) in zip(requests, report.results) {
            switch result {
            case .filed(let record, let lost):
                intake.hasLeft(request.id)
                intake.resolve(request.id, .filed(record), at: moment)
                tell(of: lost, record)
            case .returned(let record, let lost):
                if returned.count > 1000 { returned = [:] }
                returned[request.status.identity.file, default: 0] += 1
                intake.resolve(request.id, filedAs: record, leaving: .changed, at: moment)
                tell(of: lost, record)
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

    private func tell(of lost: [String], _ record: FiledRecord) {
        guard !lost.isEmpty else { return }
        intake.tell(.notice("copied to \(record.destination) without \(lost.joined(separator: ", "))"))
    }
}
