import InboxFiling
import InboxLinux

/// The reports of the intake: problems, events, and happenings for the log.
package final class IntakeReport {
    /// The recent events.
    package let events: EventRing
    /// The present problems.
    package private(set) var problems = Problems()
    private let send: (Happening) -> Void
    /// The number of times that too many files were open.
    private(set) var shortages = 0
    private var budget = LineBudget()
    /// The staging folders that were seen in Inboxes and not asked for yet.
    private var stagings: Set<SeenStaging> = []

    /// A report to this function.
    init(events: EventRing, send: @escaping (Happening) -> Void) {
        self.events = events
        self.send = send
    }

    /// Reports what has happened, and is no problem that begins or ends.
    func add(_ happening: Happening) { send(happening) }

    /// Reports what has happened to an arrival of this user, unless too much has lately: that is counted.
    func add(_ happening: Happening, of user: UInt32) {
        let now = Instant.now()
        reportDropped(at: now)
        if budget.admits(user, at: now) { send(happening) }
    }

    /// When the lines that were dropped are to be reported.
    var nextDropReport: Instant { budget.nextReport }

    /// Reports how many lines were dropped in the window that has ended.
    func reportDropped(at now: Instant) {
        for (user, count) in budget.takeDropped(at: now) {
            let lines = count == 1 ? "1 line" : "\(count) lines"
            send(
                .warning(
                    "dropped \(lines) about arrivals of the user \(user), of whom at most \(LineBudget.most) a minute are "
                        + "written"))
        }
    }

    /// Takes note of a problem, and reports it once for the same words.
    /// - Parameters:
    ///   - paths: what it is about, where the subject does not say so, and what else the words name.
    ///   - isLogged: false where other lines of the log have said it.
    func begin(_ subject: Problems.Subject, _ text: String, about paths: [BytePath] = [], isLogged: Bool = true) {
        if let happening = problems.begin(subject, text, about: paths) { report(happening, isLogged: isLogged) }
    }

    /// Other words for a problem that was reported, or the first report of one.
    func beginOnce(_ subject: Problems.Subject, _ text: String) {
        if !problems.revise(subject, text) { begin(subject, text) }
    }

    /// A staging folder is in an Inbox, whosever it is. Of very many some are enough.
    func noteStaging(_ staging: SeenStaging) { if stagings.count < 64 { stagings.insert(staging) } }

    /// The staging folders that were seen since this was last asked for.
    func takeStagings() -> Set<SeenStaging> {
        if stagings.isEmpty { return [] }
        defer { stagings = [] }
        return stagings
    }

    /// Too many files were open: a problem until everything was read without that.
    func noteShortage() {
        shortages += 1
        beginOnce(
            .descriptors, "too many files are open, so folders and documents are tried again: raise LimitNOFILE=")
    }

    /// Takes note that a problem is over, and reports that once.
    func end(_ subject: Problems.Subject) {
        if let happening = problems.end(subject) { report(happening) }
    }

    /// Adds an event of an arrival.
    func record(_ kind: Event.Kind, of arrival: Arrival) {
        record(kind, of: arrival.id, arrival.name, in: arrival.folder, quietSince: arrival.quietSince)
    }

    /// Adds an event of the arrival that has this name.
    func record(
        _ kind: Event.Kind, of id: ArrivalID, _ name: FileName, in folder: Folder, quietSince: Instant? = nil
    ) {
        events.record(kind, of: id, at: .name(name, in: folder.bytePath), quietSince: quietSince)
    }

    private func report(_ happening: Happening, isLogged: Bool = true) {
        if isLogged { send(happening) }
        switch happening {
        case .problemBegan(let problem), .problemChanged(let problem): events.record(.problem(problem))
        case .problemEnded(let problem): events.record(.problemOver(problem))
        default: break
        }
    }
}

/// A staging folder that was seen in an Inbox.
struct SeenStaging: Hashable {
    let name: FileName
    /// The folder that it lies in.
    let place: BytePath
}
