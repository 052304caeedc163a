import InboxFiling
import InboxLinux

/// The filesystems that nothing more can be written to, and the disks that do not work, each a problem as long as one of the
/// arrivals that wait for it has not gone on.
final class Obstructions {
    /// Of so many arrivals of a problem it is awaited what becomes of them.
    private static let most = 64

    private let report: IntakeReport
    private var waiting: [Problems.Subject: Set<ArrivalID>] = [:]
    /// The problem for whose end each of these arrivals waits.
    private var subjects: [ArrivalID: Problems.Subject] = [:]

    init(_ report: IntakeReport) {
        self.report = report
    }

    /// There is no obstruction.
    var isEmpty: Bool { waiting.isEmpty }

    private static func subject(_ problem: Obstruction) -> Problems.Subject {
        switch problem.kind {
        case .disk: .disk(problem.place)
        case .quota: .quota(problem.place)
        case .writing: .obstruction(problem.place)
        }
    }

    /// An arrival waits for this, and no longer for something else.
    func add(_ problem: Obstruction, for id: ArrivalID) {
        let subject = Self.subject(problem)
        if subjects[id] != subject { leave(id) }
        report.begin(subject, "\(problem)")
        guard waiting[subject, default: []].count < Self.most else { return }
        waiting[subject, default: []].insert(id)
        subjects[id] = subject
    }

    /// Another try of an arrival has ended.
    func note(_ outcome: FilingOutcome, of id: ArrivalID) {
        switch outcome {
        case .filed, .duplicate, .hold, .retry, .postponed: leave(id)
        // It may wait for the same.
        case .obstructed: break
        // It has not come so far yet.
        case .identical, .lengthy, .writer, .unprovable, .unsettled, .changed, .across, .incomplete, .hollow, .unready,
            .unchecked, .checked:
            break
        }
    }

    /// Lets go of the arrivals that wait no longer, or are not there any more.
    func prune(_ waits: (ArrivalID) -> Bool) {
        for id in subjects.keys.filter({ !waits($0) }) { leave(id) }
    }

    private func leave(_ id: ArrivalID) {
        guard let subject = subjects.removeValue(forKey: id) else { return }
        waiting[subject]?.remove(id)
        guard waiting[subject]?.isEmpty == true else { return }
        waiting[subject] = nil
        report.end(subject)
    }
}
