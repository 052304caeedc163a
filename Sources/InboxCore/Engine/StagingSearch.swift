import InboxLinux

/// When the roots are searched for staging folders of other daemons: should one of those have died, nobody else would end
/// its claims.
struct StagingSearch {
    /// Where nothing was seen, the roots that are no Inbox are searched no more often than this. It is also the longest wait.
    private static let interval = Duration.seconds(600)
    /// How long to wait before a folder that was seen is inspected: most are gone by then.
    private static let patience = Duration.seconds(30)

    /// When the next search is due; `never` while there is no reason for one.
    private(set) var due = Instant.never
    /// The wait before what is seen is inspected: it doubles as long as each search finds something, be it a folder of
    /// somebody who gave it such a name.
    private var wait = Self.patience
    /// When the last search ended, and how often everything had been read by then.
    private var last: (at: Instant, rescans: Int)?

    /// A staging folder of another daemon is in an Inbox.
    mutating func saw(at moment: Moment) { due = min(due, moment.now + wait) }

    /// Everything is read again, so often by now.
    mutating func noteRescans(_ count: Int, at moment: Moment) {
        guard let last, count > last.rescans, moment.now - last.at >= Self.interval else { return }
        due = min(due, moment.now)
    }

    /// Whether to search now; asked once.
    mutating func begins(at moment: Moment) -> Bool {
        guard due <= moment.now else { return false }
        due = .never
        last = nil
        return true
    }

    /// A search has ended.
    /// - Parameter hasFound: whether anything was there that may be one.
    mutating func ended(_ rescans: Int, hasFound: Bool, at moment: Moment) {
        last = (moment.now, rescans)
        wait = hasFound ? min(wait * 2, Self.interval) : Self.patience
        if hasFound { saw(at: moment) }
    }
}
