import InboxLinux

/// When the roots are searched for staging folders of other daemons: should one of those have died, nobody else would end
/// its claims.
struct StagingSearch {
    /// Where nothing was seen, the roots that are no Inbox are searched no more often than this. It is also the longest wait.
    private static let interval = Duration.seconds(600)
    /// The wait before a folder that was seen is inspected: most are gone by then.
    private static let patience = Duration.seconds(30)

    /// Folders. More that are no roots, and in which some were seen, are not remembered.
    private static let mostPlaces = 64

    /// Where staging folders were seen: in an Inbox they may lie in the folder of a document.
    private(set) var places: Set<BytePath> = []
    /// When the next search is due; `never` while there is no reason for one.
    private(set) var due = Instant.never
    /// The wait before what is seen is inspected: it doubles as long as each search finds something, be it a folder of
    /// somebody who gave it such a name.
    private var wait = Self.patience
    /// When the last search ended, and how often everything had been read by then.
    private var last: (at: Instant, rescans: Int)?

    /// There may be a staging folder that nobody works with: one was seen in these places of an Inbox, or a disk is back.
    mutating func saw(in seen: Set<BytePath> = [], at moment: Moment) {
        if places.count + seen.count <= Self.mostPlaces { places.formUnion(seen) } else { places = seen }
        due = min(due, moment.now + wait)
    }

    /// Everything is read again, so often by now.
    mutating func noteRescans(_ count: Int, at moment: Moment) {
        guard let last, count > last.rescans, moment.now - last.at >= Self.interval else { return }
        due = min(due, moment.now)
    }

    /// Returns true, once, if a search is to begin now.
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
