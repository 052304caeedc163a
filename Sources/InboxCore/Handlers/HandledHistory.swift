/// Up to where all that the history has is handled, and how it is searched for what is not.
struct HandledHistory {
    /// A part of the history that is to be searched.
    struct Search {
        let start: History.Mark
        let end: History.Mark
        /// Whether the mark on the disk is set to the end, where nothing is found.
        let isMarking: Bool
    }

    /// Bytes. After so much of the history the mark on the disk is moved even where nothing was handled.
    private static let longest: Int64 = 1 << 20

    /// Up to here all is handled; nil while there is no journal of handlers.
    private var checked: History.Mark?
    /// Where the mark on the disk is.
    private var written: History.Mark?
    /// Whether something was handled since the last mark.
    private var isUnmarked = false
    /// Whether what an earlier run has left was not searched for yet.
    private(set) var isUnsearched = false
    private(set) var isSearching = false

    /// Whether something may be found that is not known yet.
    var isOpen: Bool { isUnsearched || isSearching }

    /// All before the mark, which is on the disk, is handled.
    mutating func begin(at mark: History.Mark) {
        checked = mark
        written = mark
    }

    /// All before the mark of an earlier run is handled; what follows it is to be searched.
    mutating func resume(at mark: History.Mark) {
        begin(at: mark)
        isUnsearched = true
    }

    /// What is to be searched, where the history ends here; nil where nothing is new.
    mutating func nextSearch(to end: History.Mark) -> Search? {
        guard let start = checked, start != end else {
            isUnsearched = false
            return nil
        }
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
        isUnsearched = false
        if foundNothing { checked = end }
    }

    /// A search has failed: what it might have found is found after the next start.
    mutating func note(failedUpTo end: History.Mark) {
        note(foundNothing: true, upTo: end)
        isUnmarked = false
    }

    /// Something was handled.
    mutating func noteHandled() { isUnmarked = true }
}
