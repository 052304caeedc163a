import InboxFiling
import InboxLinux

// Documents that were put back, and are not in an Inbox any more.
extension Intake {
    /// The wait, after a document that was put back is withdrawn, before it is forgotten: an event of its new name
    /// may be read later than ``ArrivalCourse/renameGrace``.
    private static let departureGrace = Duration.milliseconds(300)

    /// Everything was read, so that whatever has a name in an Inbox is known.
    private var isComplete: Bool {
        !isReading && parts.scanner.nextFullScan == .never && !parts.scanner.hasCrowded
    }

    /// When a document that was taken away is forgotten; `never` while it may still turn up in what is to be read.
    var nextDeparture: Instant { isComplete ? parts.undone.nextDeparture : .never }

    /// Forgets documents that their owners have taken away.
    func forgetDeparted(at moment: Moment) {
        guard parts.undone.hasDeparted else { return }
        parts.undone.planDepartures { place in
            let inbox = inboxes.first { place.isInside($0.path) }
            // Where there are no events, a new name shows when everything is read the next time.
            let reading = inbox.map { $0.isPolled ? $0.pollInterval : .zero } ?? .zero
            return moment.now + reading + Self.departureGrace
        }
        guard isComplete else { return }
        parts.undone.forgetDeparted(at: moment.now) { place in
            inboxes.contains { place.isInside($0.path) && $0.top != nil }
        }
    }

    /// Forgets documents of a user that were put back and are in no Inbox, at most so many and the oldest first.
    func forgetAbsent(_ most: Int, of user: UInt32) {
        guard isComplete else { return }
        parts.undone.forgetAbsent(most, of: user) { document, place in
            guard let inbox = inboxes.first(where: { place.isInside($0.path) }) else { return true }
            guard let top = inbox.top, roots.silent.innermost(around: place) == nil else { return false }
            // One that was on a disk of its own may be there again when that is mounted.
            return document.identity.file.device == top.key.device
        }
    }
}
