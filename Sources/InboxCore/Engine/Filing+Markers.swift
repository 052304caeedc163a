import InboxFiling
import InboxLinux

// The markers of documents that are recorded are removed, and only then do the journal's entries of these end.
extension Filing {
    /// Does what is to be done with markers.
    func settleMarkers(at moment: Moment) {
        let (spent, outcomes) = (intake.parts.spent, intake.parts.spent.takeOutcomes())
        guard records.journal.hasSpent else { return }
        let recorded = Set(outcomes.compactMap(\.record))
        let refused = Set(outcomes.compactMap { $0.record == nil ? $0.arrival?.number : nil })
        var ended: [RecordID] = []
        for entry in records.journal.spent {
            if recorded.contains(entry.id) {
                spent.add(entry)
            } else if let arrival = entry.arrival, refused.contains(arrival) {
                ended.append(entry.id)
            }
        }
        ended += spent.proceed(intake, at: moment)
        end(markersOf: ended, at: moment)
    }

    /// Recovery has ended entries: of those that are recorded the markers are to be removed.
    func takeMarkers(_ findings: Recovery.Findings, at moment: Moment) {
        guard records.journal.hasSpent else { return }
        let recorded = findings.recorded.union(findings.records.map(\.id.text))
        var ended: [RecordID] = []
        for entry in records.journal.spent where findings.inspected.contains(entry.id) {
            if recorded.contains(entry.id.text) {
                intake.parts.spent.add(entry)
            } else if findings.failure == nil {
                ended.append(entry.id)
            }
        }
        end(markersOf: ended, at: moment)
    }

    private func end(markersOf ids: [RecordID], at moment: Moment) {
        do throws(SyscallError) { try records.journal.endSpent(ids) } catch {
            stateFailed("the journal", error, at: moment)
        }
    }
}
