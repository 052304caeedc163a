import InboxFiling
import InboxLinux

/// The folders that nothing more can be written to, each a problem as long as one of the arrivals that wait for it has not
/// gone on.
final class Obstructions {
    /// Of so many arrivals of a folder it is awaited what becomes of them.
    private static let most = 64

    private let report: IntakeReport
    private var waiting: [BytePath: Set<ArrivalID>] = [:]

    init(_ report: IntakeReport) {
        self.report = report
    }

    /// Whether there is none.
    var isEmpty: Bool { waiting.isEmpty }

    /// An arrival waits for a folder.
    func add(_ obstruction: Obstruction, for id: ArrivalID) {
        report.begin(.obstruction(obstruction.place), "\(obstruction)")
        var ids = waiting[obstruction.place] ?? []
        if ids.count < Self.most { ids.insert(id) }
        waiting[obstruction.place] = ids
    }

    /// Another try of an arrival has ended.
    func note(_ outcome: FilingOutcome, of id: ArrivalID) {
        switch outcome {
        case .obstructed(let obstruction): leave { $0 != id || $1 == obstruction.place }
        case .filed, .duplicate, .hold, .retry, .postponed: leave { other, _ in other != id }
        // It has not come so far yet.
        case .identical, .lengthy, .writer, .unprovable, .unsettled, .changed, .across: break
        }
    }

    /// Lets go of the arrivals that wait no longer, or are not there any more.
    func prune(_ waits: (ArrivalID) -> Bool) { leave { id, _ in waits(id) } }

    private func leave(_ stays: (ArrivalID, BytePath) -> Bool) {
        for (place, ids) in waiting {
            let left = ids.filter { stays($0, place) }
            waiting[place] = left.isEmpty ? nil : left
            if left.isEmpty { report.end(.obstruction(place)) }
        }
    }
}
