import InboxLinux

/// Up to where all that the history has is handled, and how it is searched for what is not.
struct HandledHistory {
    /// A part of the history that is to be searched.
    struct Search {
        let start: History.Mark
        let end: History.Mark
        /// The mark on the disk is set to the end of the search if it finds nothing.
        let isMarking: Bool
    }

    /// Bytes. After so much of the history the mark on the disk is moved even where nothing was handled.
    private static let longest: Int64 = 1 << 20
    /// After so many searches that have failed, documents are handled without waiting for another one.
    private static let mostAwaited = 4

    /// The ends of handlers that the history does not have yet.
    var recorder = HandlerRecorder()
    /// Up to here all is handled; nil while there is no journal of handlers.
    private var checked: History.Mark?
    /// Where the mark on the disk is.
    private var written: History.Mark?
    /// A document may have been handled since the last mark.
    private var isUnmarked = false
    /// The documents that an earlier run has left have not been searched for yet.
    private(set) var isUnsearched = false
    /// Where what an earlier run has recorded ends, until that was searched; nil where this run has handled some of it.
    private var earlierEnd: History.Mark?
    /// The records that the recovery of an interruption may have written have not been searched yet.
    private(set) var isIncomplete = false
    private(set) var isSearching = false
    /// The number of consecutive failures of the search.
    private var failures = 0
    /// No search begins before, since one has failed.
    private(set) var nextTry = Instant(nanoseconds: 0)

    /// Everything that is searched next was recorded before this run.
    var isEarlier: Bool { earlierEnd != nil }

    /// The last search failed, so another one is due.
    var hasFailed: Bool { failures > 0 }

    /// A search may find something that is not known yet.
    var isOpen: Bool { isUnsearched || isSearching }

    /// All before the mark, which is on the disk, is handled.
    mutating func begin(at mark: History.Mark) {
        checked = mark
        written = mark
    }

    /// All before the mark of an earlier run is handled; what follows it is to be searched, at first up to where the
    /// history ended before this run, unless that is nil.
    mutating func resume(at mark: History.Mark, upTo end: History.Mark?) {
        begin(at: mark)
        isUnsearched = true
        earlierEnd = end
    }

    /// Returns the part of the history to search next; nil if nothing is new.
    /// - Parameter end: the end of the history; nil if this run may not have reported yet everything that it has
    ///   recorded.
    mutating func nextSearch(to end: History.Mark?) -> Search? {
        if let search = search(to: earlierEnd) { return search }
        if earlierEnd != nil { noteSearched() }
        guard let end else { return nil }
        let search = search(to: end)
        if search == nil { noteSearched() }
        return search
    }

    private func search(to end: History.Mark?) -> Search? {
        guard let start = checked, let end, start != end else { return nil }
        let isFar = written.map { $0.file != end.file || end.size - $0.size > Self.longest } ?? true
        return Search(start: start, end: end, isMarking: isUnmarked || isFar)
    }

    /// A search is under way.
    mutating func note(begun search: Search) {
        isSearching = true
        if search.isMarking { written = search.end }
        isUnmarked = false
    }

    /// A search has ended; where it found nothing, all up to its end is handled.
    mutating func note(foundNothing: Bool, upTo end: History.Mark) {
        isSearching = false
        noteSearched()
        failures = 0
        if foundNothing { checked = end }
    }

    private mutating func noteSearched() {
        isUnsearched = false
        isIncomplete = earlierEnd != nil
        earlierEnd = nil
    }

    /// A search has failed, and is due again after a while.
    /// - Returns: whether it has failed so often that nothing should wait for it any longer.
    mutating func noteFailure(at now: Instant) -> Bool {
        isSearching = false
        // Whether the mark was set is not known.
        isUnmarked = true
        failures += 1
        nextTry = now + Settling.backOff(failures: failures, ceiling: .seconds(3600))
        guard failures >= Self.mostAwaited else { return false }
        (isUnsearched, isIncomplete, earlierEnd) = (false, false, nil)
        return true
    }

    /// Something was handled.
    mutating func noteHandled() { isUnmarked = true }
}
