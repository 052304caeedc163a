import InboxLinux

/// The copies under way, and what followers know of them.
struct CopiesUnderWay {
    /// So often a follower is told how far a copy has come.
    static let interval = Duration.seconds(1)

    /// How many bytes of each were told last.
    fileprivate var told: [ArrivalID: UInt64] = [:]
    /// When somebody was told last.
    fileprivate var last = Instant(nanoseconds: 0)
}

extension Intake {
    /// When followers are told how far the copies have come; `never` without a copy or without a follower.
    var nextProgress: Instant {
        underWay.told.isEmpty || events.followers == 0 ? .never : underWay.last + CopiesUnderWay.interval
    }

    /// A copy begins.
    func noteCopyBegins(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = table[id] else { return }
        if underWay.told.isEmpty { underWay.last = moment.now }
        underWay.told[id] = 0
        events.record(.copying(done: 0, size: arrival.status.size), of: arrival)
    }

    /// A document's time in hand has ended: if it was being copied, it no longer is.
    func noteCopyEnds(_ id: ArrivalID) {
        if !underWay.told.isEmpty { underWay.told[id] = nil }
    }

    /// Tells of the copies that have come further.
    func tellProgress(at moment: Moment) {
        guard nextProgress <= moment.now else { return }
        underWay.last = moment.now
        for id in underWay.told.keys.sorted(by: { $0.number < $1.number }) {
            guard let arrival = table[id], let done = arrival.copied, done != underWay.told[id] else { continue }
            underWay.told[id] = done
            events.record(.copying(done: done, size: arrival.status.size), of: arrival)
        }
    }
}
