import InboxFiling
import InboxLinux

/// A request to try again what is held or failed.
///
/// It visits each arrival that is there all the time once. One that has come since may be visited too, and one that has
/// gone is not.
final class RetryWalk {
    /// Arrivals: of so many that are held each is inspected by itself. Of more, whose folders are read again, that costs less.
    private static let mostByName = 1_000

    /// The arrivals that it is about.
    struct Aim {
        /// The states that they have: those of others are not put together.
        var isState: (ArrivalState) -> Bool = { $0 != .ignored }
        /// Returns true if an arrival in such a state is meant.
        var isMeant: (Arrival) -> Bool = { _ in true }
        /// Returns true if an arrival that is meant is counted.
        var isCounted: (Arrival) -> Bool = { _ in true }
    }

    fileprivate let aim: Aim
    /// The number of arrivals that were meant so far, including those that proceed by themselves.
    fileprivate(set) var count = 0
    /// All arrivals were visited.
    fileprivate(set) var isDone = false
    /// The slot that is visited next.
    fileprivate var position: UInt32 = 0
    private var byName = RetryWalk.mostByName
    private var folders: Set<Folder> = []

    init(_ aim: Aim = Aim()) {
        self.aim = aim
    }

    /// The walk has visited an arrival.
    fileprivate var hasBegun: Bool { position > 0 || isDone }

    /// Counts a held arrival, and returns true if it is to be inspected by itself.
    fileprivate func takeByName() -> Bool {
        byName -= 1
        return byName >= 0
    }

    /// Returns true if a folder is to be read for this walk: once, since a reading meets everything that was there
    /// when the request was made.
    fileprivate func takeReading(of folder: Folder) -> Bool {
        folders.insert(folder).inserted
    }
}

/// Tries again what is held or failed, a round in each turn of the loop, so that nobody waits while a million arrivals are
/// visited.
final class RetryRounds {
    /// Slots of arrivals: a round visits so many.
    static let mostVisited: UInt32 = 4_096
    /// Arrivals: so many of them are inspected in a round at most.
    static let mostInspected = 512

    private let book: ArrivalBook
    private let scanner: FolderScanner
    private let inspection: NameInspection
    private let undone: UndoneHolds
    /// The requests that are under way, the one whose round is next first. A connection has one at a time.
    private var walks: [RetryWalk] = []
    /// The last request that came of other surroundings.
    private weak var surroundings: RetryWalk?

    init(_ book: ArrivalBook, _ scanner: FolderScanner, _ inspection: NameInspection, _ undone: UndoneHolds) {
        self.book = book
        self.scanner = scanner
        self.inspection = inspection
        self.undone = undone
    }

    /// No request is under way.
    var isEmpty: Bool { walks.isEmpty }

    /// Begins in the next turn.
    func append(_ walk: RetryWalk) { walks.append(walk) }

    /// The surroundings are others. Changes that follow each other at once are one request.
    func noteSurroundings(_ aim: RetryWalk.Aim) {
        if surroundings?.hasBegun == false { return }
        let walk = RetryWalk(aim)
        walks.append(walk)
        surroundings = walk
    }

    /// Does a round of the request whose turn it is.
    /// - Parameter mayInspect: whether more is inspected in this turn of the loop.
    func proceed(at moment: Moment, while mayInspect: () -> Bool) {
        guard !walks.isEmpty else { return }
        let walk = walks.removeFirst()
        let end = walk.position + Self.mostVisited
        var inspected = 0
        while inspected < Self.mostInspected, mayInspect(),
            let id = book.nextID(from: &walk.position, before: end)
        {
            guard book.state(of: id).map(walk.aim.isState) == true, let arrival = book[id], walk.aim.isMeant(arrival)
            else { continue }
            if walk.aim.isCounted(arrival) { walk.count += 1 }
            if tryAgain(arrival, for: walk, at: moment) { inspected += 1 }
        }
        walk.isDone = walk.position >= book.slotCount
        if !walk.isDone { walks.append(walk) }
    }

    /// Decides anew on one arrival at once.
    /// - Parameter walk: the request that has visited it; nil where it is about this one alone.
    /// - Returns: whether the arrival was inspected.
    @discardableResult
    func tryAgain(_ arrival: Arrival, for walk: RetryWalk? = nil, at moment: Moment) -> Bool {
        if arrival.isInFlight { return false }
        switch arrival.state {
        case .waiting(.retrying): break
        // Its folder may have been read before it is released. There are not many.
        case .held(.undone): undone.release(arrival.id)
        // By itself, since the request is about what it is now.
        case .held(.incomplete), .held(.duplicate), .held(.loops): break
        case .held:
            guard let walk, !walk.takeByName() else { break }
            if walk.takeReading(of: arrival.folder) { scanner.enqueue(arrival.folder, retrying: .everything) }
            return false
        case .waiting, .ignored: return false
        }
        let mayBeIncomplete = arrival.state == .held(.incomplete)
        let mayBeDuplicate = arrival.state == .held(.duplicate)
        let mayLoop = arrival.state == .held(.loops)
        let wasUndone = arrival.state == .held(.undone)
        book.update(arrival.id) { facts in
            facts.failures = 0
            facts.unseenChanges = 0
        }
        inspection.inspect(arrival.name, in: arrival.folder, because: .request, at: moment)
        // The inspection has found it again, if it has not changed.
        if mayBeIncomplete { book.update(arrival.id) { $0.mayBeIncomplete = true } }
        if mayBeDuplicate { book.update(arrival.id) { $0.mayBeDuplicate = true } }
        if mayLoop { book.update(arrival.id) { $0.mayLoop = true } }
        // Its marker went when it was filed.
        if wasUndone, arrival.folder.inbox.settings.ready != nil {
            book.update(arrival.id) { $0.needsMarker = false }
            inspection.course.evaluate(arrival.id, at: moment)
        }
        return true
    }
}
