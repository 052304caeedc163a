import InboxCore
import InboxDetection
import InboxLinux
import InboxVarlink
import UniformTypeIdentifiers

/// The replies of the control socket about the work.
struct StatusReports: InboxService {
    let work: InboxWork
    /// Who may do what.
    let access: AccessControl
    /// Who reads the history for clients.
    let historyReader: HistoryReader
    /// Who copies what clients deliver.
    let deliveries: Deliveries
    /// Who reads what clients pass to have it explained.
    let inspections: Inspections
    /// Who watches Documents for those who follow.
    let contents: ContentWatch
    /// Reads the configuration again and puts it in force.
    let reloading: () -> ReloadOutcome
    /// When the daemon started.
    let since = Timestamp.now()

    /// Returns the reply to `GetStatus`.
    func status(for caller: UnixSocket.Peer) -> StatusReport {
        let known = KnownPaths(for: caller, in: work)
        var report = status(problems: work.intake.problems.all { known.beginning(of: $0) })
        report.handlers.newest = work.handlers.outcomes.failures.suffix(Self.mostFailures).map {
            StatusReport.Failure(
                id: $0.id, path: known.contains($0.path) ? $0.path.escapedText : nil,
                detail: EscapedBytes.hidingControls($0.words))
        }
        return report
    }

    /// So many failed handlers are named in the status.
    private static let mostFailures = 8

    /// The whole with these problems in words.
    func status(problems: [String]) -> StatusReport {
        let intake = work.intake
        return StatusReport(
            version: ServiceInformation.inboxd.version, pid: Process.current, since: since.text,
            paused: work.isPaused,
            state: intake.problems.areGrave ? .degraded : work.isPaused ? .paused : .watching,
            problems: problems,
            documents: work.configuration.documents.escapedText, inboxes: intake.inboxes.map(Self.report),
            counters: work.accounting, handlers: Self.handlers(work.handlers.outcomes))
    }

    private static func handlers(_ outcomes: HandlerOutcomes) -> StatusReport.Handlers {
        var handlers = StatusReport.Handlers()
        handlers.done = outcomes.done
        handlers.gone = outcomes.gone
        handlers.retried = outcomes.retried
        handlers.failed = outcomes.failures.count
        return handlers
    }

    private static func report(_ inbox: Inbox) -> StatusReport.Inbox {
        let watching: StatusReport.Inbox.Watching =
            switch inbox.watching {
            case .inotify: .inotify
            case .polling: .polling
            case .missing: .missing
            }
        return StatusReport.Inbox(
            path: inbox.path.escapedText, watching: watching, folders: inbox.folderCount,
            removed: watching == .missing && inbox.settings.removeInbox)
    }

    /// So many arrivals that a caller may not know are passed over in one step of a list.
    private static let mostPassed = 64

    /// Returns the reply to `ListArrivals`, in no particular order. Each report is made when it is due, and an
    /// arrival that is gone by then is left out.
    func arrivals(_ state: ArrivalReport.State?, for caller: UnixSocket.Peer) -> AnyIterator<ArrivalReport?> {
        let intake = work.intake
        let group = state.flatMap { ArrivalState.Group(rawValue: $0.rawValue) }
        let folders = ListedFolders(for: caller, in: work)
        let rest = work.arrivalNumbers(group)
        let empty = group == nil ? intake.emptyFolders() : nil
        let known = KnownPaths(for: caller, in: work)
        var interrupted = group == nil || group == .waiting ? work.interrupted.filter(\.isClaimed)[...] : []
        return AnyIterator {
            // A step asks about one folder at most, which may lie deep.
            let asked = folders.askedCount
            var passed = 0
            while let id = rest.next() {
                if let arrival = intake.arrival(id), group == nil || arrival.state.group == group,
                    folders.mayList(arrival.folder)
                {
                    return report(arrival, at: .current())
                }
                passed += 1
                if passed == Self.mostPassed || folders.askedCount != asked { return .some(nil) }
            }
            if let document = interrupted.popFirst() {
                return .some(known.contains(document.path) ? report(document, known, at: .current()) : nil)
            }
            while let folder = empty?.next() {
                if let parent = folder.parent?.folder, folders.mayList(parent) {
                    return Self.report(folder, at: .current())
                }
                passed += 1
                if passed == Self.mostPassed || folders.askedCount != asked { return .some(nil) }
            }
            return nil
        }
    }

    /// Reports a document that has no name in the Inbox until an interruption can be mended.
    private func report(
        _ document: InterruptedDocument, _ known: KnownPaths, at moment: Moment
    ) -> ArrivalReport {
        let next = work.nextRecovery
        let isKnown = document.places.allSatisfy(known.contains)
        let detail = isKnown ? document.reason : "an interruption has left it where it cannot be reached"
        return ArrivalReport(
            path: document.path.escapedText, state: .waiting, reason: "retrying", detail: detail,
            size: document.size, since: document.since.text, next: next == .never ? nil : moment.wall(at: next).text)
    }

    /// Reports an empty folder, which is not an arrival.
    private static func report(_ folder: Folder, at moment: Moment) -> ArrivalReport {
        ArrivalReport(
            path: folder.bytePath.escapedText, state: .ignored, reason: "empty-folder", detail: folder.emptyBecause,
            size: 0, since: moment.wall(at: folder.touched).text, next: folder.removal.map { moment.wall(at: $0).text })
    }

    private static func bytePath(_ path: String, named parameter: String = "path") throws(ServiceError) -> BytePath {
        guard let path = BytePath(escapedText: path) else { throw .invalidParameter(parameter) }
        return path
    }

    private static func refusal(_ failure: Explanation.Failure, _ path: String) -> ServiceError {
        switch failure {
        case .root: .unreachablePath(path: path, reason: "it is Documents, an Inbox or another destination itself")
        case .part(let whole, let state):
            .unreachablePath(
                path: path, reason: "it belongs to \(whole), which is filed as one and is \(state): name that one")
        case .nothing: .unreachablePath(path: path, reason: "\(Errno.noEntry)")
        case .denied: .unreachablePath(path: path, reason: "\(Errno.denied)")
        case .noInbox: .invalidParameter("inbox")
        case .elsewhere: .unreachablePath(path: path, reason: "it lies neither in an Inbox nor in Documents")
        case .failed(let error): .unreachablePath(path: path, reason: "\(error.errno)")
        case .silent(let mount): .unreachablePath(path: path, reason: "\(mount) does not answer")
        }
    }

    /// Performs `Retry`.
    func retry(_ path: String?) throws(ServiceError) -> () -> RetryOutcome? {
        let place: BytePath? = if let path { try Self.bytePath(path) } else { nil }
        do throws(Explanation.Failure) {
            let retry = try work.requestRetry(place, at: .current())
            return { [work] in
                do throws(Explanation.Failure) {
                    return try work.outcome(of: retry)
                        .map { .retried(RetryReport(arrivals: $0, paused: work.isPaused)) }
                } catch {
                    return .refused(Self.refusal(error, path ?? ""))
                }
            }
        } catch {
            throw Self.refusal(error, path ?? "")
        }
    }

    /// Performs `Retry` with an id.
    func retryHandler(_ id: String, for caller: UnixSocket.Peer) -> () -> RetryOutcome? {
        let call = HandlerRetryCall(id, for: caller, in: work, historyReader)
        return { call.outcome() }
    }

    /// Performs `Explain`.
    func explain(_ call: ExplainCall, for caller: UnixSocket.Peer) throws(ServiceError) -> () -> ExplainOutcome? {
        switch call {
        case .path(let path): return try explain(path, for: caller)
        case .dropped(let file, let name, let inbox):
            let place: BytePath? = if let inbox { try Self.bytePath(inbox, named: "inbox") } else { nil }
            let access = CallerAccess(caller: caller, beside: work.intake.roots.known)
            let owner = access.isTrusted ? nil : caller.user
            let search = work.twinSearch(in: place?.normalized, of: owner, mayReach: access.mayReach)
            let found = try inspections.begin(
                .passed(file), as: name, with: work.detector, search: search, for: caller)
            return { found().map { self.explain($0, as: name, in: place?.normalized, for: caller) } }
        }
    }

    /// Explains what would become of a file that was passed.
    private func explain(
        _ found: Inspections.Found, as name: FileName, in inbox: BytePath?, for caller: UnixSocket.Peer
    ) -> ExplainOutcome {
        let access = CallerAccess(caller: caller, beside: work.intake.roots.known)
        let failure: InspectionFailure
        switch found {
        case .failure(let error): failure = error
        case .success(let dropped):
            do throws(Explanation.Failure) {
                // It would be the caller's: what it may enter is no news of what others own.
                let explanation = try work.explain(dropped, in: inbox, of: access.isTrusted ? nil : caller.user)
                return .explained(report(explanation, of: name.escapedText, access))
            } catch {
                failure = .explanation(error)
            }
        }
        switch failure {
        case .foreign(let reason): return .refused(.foreignFile(reason: reason))
        case .explanation(let error): return .refused(Self.refusal(error, name.escapedText))
        }
    }

    private func explain(_ path: String, for caller: UnixSocket.Peer) throws(ServiceError) -> () -> ExplainOutcome? {
        let nothing = Self.refusal(.nothing, path)
        do throws(ServiceError) {
            let (report, compared) = try explainPresent(path, for: caller)
            if let compared { return try compare(compared, for: caller, completing: report) }
            guard report.arrival == nil, let place = try Self.bytePath(path).normalized else {
                return { .explained(report) }
            }
            let handling = HandlingExplanation(report, at: place, for: caller, in: work, historyReader)
            return { handling.outcome() }
        } catch {
            // Whether a folder on the way or the name itself is missing makes no difference.
            guard error == nothing, let place = try Self.bytePath(path).normalized, work.isBeneathRoot(place) else {
                throw error
            }
            let past = PastExplanation(
                path, at: place, for: caller, in: work, historyReader, otherwise: nothing)
            return { past.outcome() }
        }
    }

    /// Completes the report of a document that waits by what its content shows: a document like it may have been filed.
    private func compare(
        _ compared: Explanation.Compared, for caller: UnixSocket.Peer, completing report: ExplanationReport
    ) throws(ServiceError) -> () -> ExplainOutcome? {
        let access = CallerAccess(caller: caller, beside: work.intake.roots.known)
        let search = work.twinSearch(in: compared.inbox, of: nil, mayReach: access.mayReach)
        let found = try inspections.begin(
            .opened(compared.file), as: compared.name, with: work.detector, search: search, for: caller)
        return {
            guard let found = found() else { return nil }
            var report = report
            if case .success(let file) = found, let obstacle = work.obstacle(of: file, in: compared.inbox) {
                (report.obstacle, report.destination) = (obstacle, nil)
            }
            return .explained(report)
        }
    }

    private func explainPresent(
        _ path: String, for caller: UnixSocket.Peer
    ) throws(ServiceError) -> (ExplanationReport, Explanation.Compared?) {
        let place = try Self.bytePath(path)
        let access = CallerAccess(caller: caller, beside: work.intake.roots.known)
        // A path beyond the caller's reach is one where nothing exists.
        guard let normalized = place.normalized else { throw Self.refusal(.nothing, path) }
        let explanation: Explanation
        do throws(Explanation.Failure) {
            guard try work.ask(at: normalized, { access.mayReach(normalized) }) else { throw .nothing }
            guard try work.ask(at: normalized, { access.mayIdentify(normalized) }) else { throw .denied }
            explanation = try work.explain(
                place, maySearch: { access.maySearch($0, $1) }, mayRead: { access.mayRead($0, $1) })
        } catch {
            throw Self.refusal(error, path)
        }
        var answer = report(explanation, of: path, access)
        answer.arrival =
            explanation.arrival.map { report($0, at: .current()) }
            ?? explanation.interrupted.map { report($0, KnownPaths(for: caller, in: work), at: .current()) }
            ?? explanation.emptyFolder.map { Self.report($0, at: .current()) }
        return (answer, explanation.compared)
    }

    /// Returns the part of a report that is the same for all but an arrival.
    private func report(
        _ explanation: Explanation, of path: String, _ access: CallerAccess
    ) -> ExplanationReport {
        let detection = explanation.detection
        var answer = ExplanationReport(
            path: path, type: detection.type.identifier, mime: detection.mime, evidence: detection.evidence.rawValue,
            mismatch: detection.mismatch, unread: detection.unread,
            conformsTo: detection.type.conformanceList.map(\.identifier),
            documentTypes: explanation.documentTypes.map {
                DocumentTypeReport(
                    name: $0.name, contentType: $0.contentType, wins: $0.wins,
                    reason: explanation.belonging ?? $0.reason,
                    run: $0.program?.escapedText)
            },
            destination: explanation.destination.map { predicted($0, explanation.wanted, access).escapedText },
            arrival: nil)
        answer.incomplete = detection.incomplete
        answer.unclaimed = explanation.unclaimed.map { reason in explanation.belonging.map { "none: \($0)" } ?? reason }
        answer.nameObstacle = explanation.nameObstacle
        answer.obstacle = explanation.obstacle
        answer.date = explanation.properties.date?.text
        answer.dateFrom = explanation.properties.dateSource?.rawValue
        answer.title = explanation.properties.title
        answer.author = explanation.properties.author
        answer.checking = explanation.checking
        answer.unlisted = explanation.unlisted
        return answer
    }

    /// Where a document would go, as far as the caller may know: a number says which names are taken.
    private func predicted(_ destination: BytePath, _ wanted: FileName?, _ access: CallerAccess) -> BytePath {
        guard let folder = destination.parent, let name = wanted else { return destination }
        return work.isTrue(at: folder) { access.mayList(folder) } ? destination : folder.appending(name)
    }

    private func report(_ arrival: Arrival, at moment: Moment) -> ArrivalReport {
        let state: ArrivalReport.State =
            switch arrival.state.group {
            case .waiting: .waiting
            case .held: .held
            case .ignored: .ignored
            }
        return ArrivalReport(
            path: arrival.path.escapedText, state: state, reason: work.reason(of: arrival),
            detail: detail(arrival), size: Int64(clamping: arrival.size),
            copied: arrival.copied.map { Int64(clamping: $0) }, since: arrival.since.text,
            next: nextTry(arrival, at: moment)?.text)
    }

    /// When the next try is due, where that is known; one that is under way is due now, and a copy is one of its own.
    private func nextTry(_ arrival: Arrival, at moment: Moment) -> Timestamp? {
        if arrival.isInFlight, arrival.copied == nil { return moment.wall }
        if arrival.state == .waiting(.gathering), arrival.nextTry <= moment.now {
            // Nobody knows when its tree ends: it goes at the latest when its own time is over.
            return moment.wall(at: arrival.nextLook)
        }
        let next = arrival.nextTry == .never ? work.intake.turn(ofHidden: arrival) : arrival.nextTry
        return next.map { moment.wall(at: $0) }
    }

    /// The reason for the state, in words; of a copy, how far it has come.
    private func detail(_ arrival: Arrival) -> String? {
        guard let copied = arrival.copied else { return work.detail(of: arrival) }
        let size = arrival.size
        let share = size > 0 ? Int(Double(min(copied, size)) / Double(size) * 100) : 100
        return "\(copied) of \(size) bytes (\(share) %)"
    }
}
