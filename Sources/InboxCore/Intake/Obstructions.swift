import InboxFiling
import InboxLinux

/// The folders that nothing more can be written to, and the disks that do not work, each a problem as long as one of the arrivals that wait for it has not
/// gone on.
final class Obstructions {
    /// Of so many arrivals of a folder it is awaited what becomes of them.
    private static let most = 64

    private let report: IntakeReport
    private var waiting: [Problems.Subject: Set<ArrivalID>] = [:]

    init(_ report: IntakeReport) {
        self.report = report
    }

    /// Whether there is none.
    var isEmpty: Bool { waiting.isEmpty }

    private static func subject(_ problem: Obstruction) -> Problems.Subject {
        problem.isDisk ? .disk(problem.place) : .obstruction(problem.place)
    }

    /// An arrival waits for this.
    func add(_ problem: Obstruction, for id: ArrivalID) {
        let subject = Self.subject(problem)
        report.begin(subject, "\(problem)")
        var ids = waiting[subject] ?? []
        if ids.count < Self.most { ids.insert(id) }
        waiting[subject] = ids
    }

    /// Another try of an arrival has ended.
    /// - Parameter problem: what it waits for now.
    func note(_ outcome: FilingOutcome, _ problem: Obstruction?, of id: ArrivalID) {
        switch outcome {
        case .obstructed:
            let subject = problem.map(Self.subject)
            leave { $0 != id || $1 == subject }
        case .filed, .duplicate, .hold, .retry, .postponed: leave { other, _ in other != id }
        // It has not come so far yet.
        case .identical, .lengthy, .writer, .unprovable, .unsettled, .changed, .across: break
        }
    }

    /// Lets go of the arrivals that wait no longer, or are not there any more.
    func prune(_ waits: (ArrivalID) -> Bool) { leave { id, _ in waits(id) } }

    private func leave(_ stays: (ArrivalID, Problems.Subject) -> Bool) {
        for (subject, ids) in waiting {
            let left = ids.filter { stays($0, subject) }
            waiting[subject] = left.isEmpty ? nil : left
            if left.isEmpty { report.end(subject) }
        }
    }
}
