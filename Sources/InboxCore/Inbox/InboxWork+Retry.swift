import InboxLinux

/// Somebody asks for another try.
extension InboxWork {
    /// Tries again at once, whatever is held or waits for its next try, and accepts the filesystems that stand there now.
    /// - Parameter path: only what stands there, or beneath it: an arrival, a folder in an Inbox, an Inbox, or Documents
    ///   (and what is mounted in it); nil for all.
    public func retry(_ path: BytePath?, at moment: Moment) throws(Explanation.Failure) {
        guard let path else {
            acceptDestinations(at: moment)
            for inbox in intake.inboxes { intake.accept(inbox, at: moment) }
            intake.retry(at: moment) { _ in true }
            return
        }
        guard let path = path.normalized else { throw .elsewhere }
        func isThere(_ other: BytePath) -> Bool { other == path || other.isInside(path) }
        if let inbox = intake.inboxes.first(where: { $0.path == path || path.isInside($0.path) }) {
            if inbox.path == path { intake.accept(inbox, at: moment) }
            let found = intake.retry(at: moment) { $0.folder.inbox === inbox && isThere($0.path) }
            // Nothing waits in an Inbox that is empty, which is no failure.
            if found == 0, inbox.path != path { throw .failed(SyscallError(.statx, .noEntry)) }
        } else if configuration.documents == path || path.isInside(configuration.documents) {
            acceptDestinations(at: moment)
            intake.retry(at: moment) { $0.state == .waiting(.retrying) }
        } else {
            throw .elsewhere
        }
    }
}

extension Intake {
    /// Whatever filesystem an Inbox is on now is the one that is meant.
    func accept(_ inbox: Inbox, at moment: Moment) {
        inbox.place = nil
        inbox.nextVerification = moment.now
    }

    /// Decides anew on what is held or waits for its next try; answers how many arrivals were meant, those included that
    /// go on by themselves.
    @discardableResult
    func retry(at moment: Moment, where isMeant: (Arrival) -> Bool) -> Int {
        var count = 0
        for arrival in table.all where isMeant(arrival) {
            count += 1
            guard !arrival.isInHand else { continue }
            switch arrival.state {
            case .held, .waiting(.retrying):
                table.update(arrival.id) { $0.failures = 0 }
                evaluate(arrival.id, at: moment)
            case .waiting, .ignored: break
            }
        }
        return count
    }
}
