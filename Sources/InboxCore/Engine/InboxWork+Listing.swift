import InboxFiling
import InboxLinux
import InboxVarlink

/// The counts of what became of arrivals, and the order in which arrivals are listed.
extension InboxWork {
    /// The counts of what became of all documents so far.
    package var accounting: Accounting {
        var sum = intake.accounting
        filing?.records.recovery.staged.add(to: &sum, except: isArrival)
        return sum
    }

    /// The documents whose filing was interrupted and cannot be ended yet.
    package var interrupted: [InterruptedDocument] {
        filing?.records.recovery.staged.interrupted.filter { !isArrival($0) } ?? []
    }

    /// Returns true if a document is in the Inbox because it was never claimed or is back.
    private func isArrival(_ document: InterruptedDocument) -> Bool {
        let path = document.inInbox
        guard let inbox = intake.inboxes.first(where: { path.isInside($0.path) }) else { return false }
        let names = Array(path.names.dropFirst(inbox.path.names.count))
        guard let arrival = intake.arrival(at: names, in: inbox.path) else { return false }
        return arrival.facts.map { $0.status.identity.file.isFile(document.file) } ?? true
    }

    /// When it is tried to end them again, by itself.
    package var nextRecovery: Instant { filing?.records.recovery.nextTry ?? .never }

    /// So many numbers are put in order; more would take the loop's time.
    private static let mostSorted = 4096

    /// The numbers of the arrivals that are there now, or of those in one group. Where they are few, the one that has its
    /// state for the longest time is first. Where they are many, and there may be 200,000, nothing is put in order and
    /// nothing is gathered: each is searched when it is asked for, so that the first few cost as much as beside nobody.
    package func arrivalNumbers(_ group: ArrivalState.Group?) -> AnyIterator<ArrivalID> {
        let accounting = intake.accounting
        let count = group.map { accounting[$0] } ?? accounting.waiting + accounting.held + accounting.ignored
        guard count <= Self.mostSorted else { return intake.numbersInTurn(group) }
        // Not by the numbers themselves: those of arrivals that have gone are in part used again.
        let arrivals = intake.parts.book.ids(group).compactMap { intake.arrival($0) }
        let sorted = arrivals.sorted { ($0.since, $0.id.number) < ($1.since, $1.id.number) }
        return AnyIterator(sorted.map(\.id).makeIterator())
    }
}
