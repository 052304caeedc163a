import InboxFiling
import InboxLinux

/// One survey of a folder that is one document, for the pool.
package struct SurveyJob: Sendable {
    let parent: OpenFolder
    let name: FileName

    /// Surveys it: every name in it is inspected, which may take a second.
    package func perform() -> SurveyReport {
        let start = Instant.now()
        var report = SurveyReport()
        do throws(FolderWalk.Failure) {
            let survey = try PackageSurvey(of: try open())
            report.status = survey.status
            report.hasFiles = survey.hasFiles
            report.hasPartial = survey.hasPartial
            report.hasYoungRepository = survey.hasYoungRepository
        } catch {
            report.failure = error
        }
        report.cost = .now() - start
        return report
    }
}

extension SurveyJob {
    private func open() throws(FolderWalk.Failure) -> Directory {
        do throws(SyscallError) { return try parent.directory.folder(name, mayCross: false) } catch {
            if error.errno == .crossDevice { throw .mounted }
            throw error.errno.isDenied ? .denied(error, []) : .failed(error)
        }
    }
}

/// The result of a survey.
package struct SurveyReport: Sendable {
    /// The folder with all that is in it; nil where the survey failed.
    var status: FileStatus?
    /// The folder contains a file.
    var hasFiles = false
    /// A download into the folder is under way.
    var hasPartial = false
    /// A repository is in it that is not shown to be complete.
    var hasYoungRepository = false
    /// The time that the survey took.
    var cost = Duration.zero
    /// The reason why the survey failed.
    var failure: FolderWalk.Failure?
}

/// The packages that are to be surveyed: one at a time in the pool, and one of each owner in turn.
final class PackageSurveys {
    /// A name that is to be surveyed.
    struct Request {
        let name: FileName
        let folder: Folder
        /// The cause of the request; an event takes precedence over a request that is made meanwhile.
        var cause: NameInspection.Cause
        /// The name is not that of a waiting arrival; the number of those is limited already.
        var isNew = true
    }

    private struct Key: Hashable {
        let folder: Folder
        let name: FileName
    }

    /// With so many new ones waiting, more are taken in only of users who have few here.
    var most = 32_768
    /// Where surveys are done; nil where the caller waits for them.
    private let lane: PoolLane?
    private let survey: @Sendable (SurveyJob) -> SurveyReport
    private var queue = OwnerQueue<Key>()
    private var waiting: (requests: [Key: Request], new: Int) = ([:], 0)
    /// The surveys that are finished and not taken yet.
    private var done: [(request: Request, report: SurveyReport)] = []

    init(in pool: FairPool?, _ survey: @escaping @Sendable (SurveyJob) -> SurveyReport) {
        lane = pool.map { PoolLane(of: $0) }
        self.survey = survey
    }

    /// A survey waits or is under way, or was not taken yet.
    var isBusy: Bool { lane?.isBusy == true || !queue.isEmpty || !done.isEmpty }

    /// The number of names that are waiting.
    var count: Int { queue.count }

    /// So many new names are waiting that no folders are read meanwhile. Others do not count: they may be surveyed
    /// again and again.
    var isFilling: Bool { waiting.new >= most / 8 }

    /// Returns the number of packages of an owner that are waiting.
    func count(of owner: UInt32) -> Int { queue.count(of: owner) }

    /// Returns true if a new package of this owner may wait too.
    func hasRoom(for owner: UInt32) -> Bool { waiting.new < most || count(of: owner) < fairShare }

    /// While too many wait, more are taken in only of users who have fewer than this: half of what the user has who has most.
    var fairShare: Int { (queue.largestCount + 1) / 2 }

    /// Requests a survey.
    func request(_ request: Request, owner: UInt32) {
        let key = Key(folder: request.folder, name: request.name)
        if let known = waiting.requests[key] {
            if !known.cause.isEvent { waiting.requests[key]?.cause = request.cause }
            return
        }
        queue.append(key, of: owner)
        waiting.requests[key] = request
        if request.isNew { waiting.new += 1 }
    }

    /// Begins surveys, as long as the lane is free.
    /// - Parameter open: opens the folder that a package is in; nil where there is no use in a survey.
    /// - Returns: what was found where there is no pool.
    func begin(_ open: (Request) -> OpenFolder?) -> (request: Request, report: SurveyReport)? {
        while lane?.isFree != false, let key = queue.popFirst() {
            guard let request = waiting.requests.removeValue(forKey: key) else { continue }
            if request.isNew { waiting.new -= 1 }
            guard !request.folder.isGone, let parent = open(request) else { continue }
            let job = SurveyJob(parent: parent, name: request.name)
            guard let lane else { return (request, survey(job)) }
            lane.begin { [survey] in
                survey(job)
            } then: { [weak self] in
                self?.done.append((request, $0))
            }
        }
        return nil
    }

    /// Takes the next survey that has ended.
    func takeFinished() -> (request: Request, report: SurveyReport)? { done.isEmpty ? nil : done.removeFirst() }

    /// When the survey will have taken so long that it may hang.
    var suspicion: Instant { lane?.suspicion ?? .never }

    /// Begins others beside a survey that may hang.
    func leaveHanging(at now: Instant) { lane?.leaveHanging(at: now) }
}
