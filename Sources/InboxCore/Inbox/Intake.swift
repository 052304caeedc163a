import InboxLinux

/// Turns hints (events, scans, the time) into arrivals, and arrivals into documents that are ready to be filed.
///
/// Events are hints; the folder is the truth: whatever a hint says, the name is looked at before anything is
/// concluded. One thread owns all of this.
public final class Intake {
    /// So long a name that was moved away is expected to turn up elsewhere in the Inbox, before it counts as withdrawn:
    /// the two halves of a rename may be read apart.
    static let renameGrace = Duration.milliseconds(20)
    /// A folder deeper than this is not walked but held.
    static let deepest = 100
    /// More arrivals than this are not taken in at once: the rest is read when there is room.
    static let mostArrivals = 200_000

    /// The Inboxes, in the configuration's order.
    public internal(set) var inboxes: [Inbox] = []
    /// What is wrong at the moment.
    public internal(set) var problems = Problems()
    /// What has happened lately.
    public let events = EventRing(limit: ControlSettings().eventBuffer)

    var table = ArrivalTable()
    var counted = Accounting()
    var deadlines = Deadlines<ArrivalID>()
    var emptied = Deadlines<Folder>()
    var byWatch = WatchTable()
    var byKey: [FileKey: Folder] = [:]
    /// Watches that were ended here and whose last events may still be queued.
    var retired: Set<Int32> = []
    var ready: [ArrivalID] = []
    var copies = CopyRow()
    var underWay = CopiesUnderWay()
    /// With so many documents ready, folders are read on only when some of them are filed: memory stays small.
    var mostReady = 2048
    /// More folders than this are not walked at once: whoever makes a million of them gets no more memory.
    var mostFolders = 100_000
    var reading: FolderReading?
    var toRead: [Folder] = []
    var scans: UInt64 = 0
    var nextFullScan = Instant.never
    var lastFullScan: Instant?
    /// Folders that were moved away, and until when they may turn up elsewhere.
    var departed: [(parent: Folder, name: FileName, due: Instant)] = []
    var isWatchLimitReached = false
    var mounts = MountTable()
    var crowdedFolders: [ObjectIdentifier: Folder] = [:]
    let openFolders = OpenFolders()
    /// Makes what is missing, Inboxes and destinations alike.
    let making = FolderMaking()
    let inotify: Inotify?
    let isPackage: (FileName) -> Bool
    let tell: (Happening) -> Void

    /// An intake that watches nothing yet. Without an inotify instance it only looks.
    /// - Parameters:
    ///   - inotify: the events' source.
    ///   - isPackage: whether a folder of this name is one document.
    ///   - tell: what happens is told here.
    public init(
        inotify: Inotify?, isPackage: @escaping (FileName) -> Bool, tell: @escaping (Happening) -> Void
    ) {
        self.inotify = inotify
        self.isPackage = isPackage
        self.tell = tell
    }

    /// What became of everything so far.
    public var accounting: Accounting {
        var sum = counted
        sum.waiting = table.count(of: .waiting)
        sum.held = table.count(of: .held)
        sum.ignored = table.count(of: .ignored)
        return sum
    }

    /// Whether the running counts are those of the table itself: a debug build asks after each turn of the loop.
    public var isConsistent: Bool {
        accounting.isBalanced && ArrivalState.Group.allCases.allSatisfy { table.count(of: $0) == table.recount(of: $0) }
    }

    /// Every arrival that is there now, by path.
    public func arrivals(_ group: ArrivalState.Group? = nil) -> [Arrival] {
        let found = table.all.filter { group == nil || $0.state.group == group }
        return found.map { ($0, $0.folder.path(of: $0.name).bytes) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map { $0.0 }
    }

    /// The arrival of this number, if it is still there.
    public func arrival(_ id: ArrivalID) -> Arrival? { table[id] }

    /// Whether a folder is an Inbox or lies in one, also where a mount leads there.
    func isWalked(_ key: FileKey) -> Bool { byKey[key] != nil }

    /// Whether folders wait to be read.
    public var isReading: Bool { reading != nil || !toRead.isEmpty }

    /// Whether documents wait to be filed.
    public var hasReady: Bool { !ready.isEmpty }

    /// Whether nothing waits that would be filed after a quiet time: only writers, downloads and back-off are left.
    var isWaitingForOthersOnly: Bool {
        departed.isEmpty
            && table.all.allSatisfy { arrival in
                switch arrival.state {
                case .held, .ignored, .waiting(.writing), .waiting(.retrying), .waiting(.sibling): !arrival.isInHand
                case .waiting(.settling), .waiting(.empty), .waiting(.copying): false
                }
            }
    }

    /// When something is to be done by itself; `never` where only an event can bring work.
    public var nextDeadline: Instant {
        if isReading, ready.count < mostReady { return Instant(nanoseconds: 0) }
        var next = min(deadlines.first, emptied.first, nextFullScan, departed.first?.due ?? .never, nextProgress)
        for inbox in inboxes { next = min(next, inbox.nextVerification, inbox.nextRescan, inbox.nextPoll) }
        return next
    }

    /// Does what is due: looks at arrivals, reads a part of the folders that wait, removes what is empty.
    public func proceed(at moment: Moment) {
        settleDepartures(at: moment)
        keepAppointments(at: moment)
        while let (due, id) = deadlines.pop(dueAt: moment.now) {
            guard let arrival = table[id], arrival.nextLook == due, !arrival.isInHand else { continue }
            if arrival.folder.arrivals[arrival.name] == id {
                look(arrival.folder, arrival.name, because: .due, at: moment)
            } else {
                // Another has its name, and it has not turned up under a new one.
                withdraw(id)
            }
        }
        read(at: moment)
        removeEmptied(at: moment)
        relieveCrowd()
        tellOfWatches()
        tellProgress(at: moment)
    }

    /// Ends a turn of the loop: nothing stays open.
    public func rest() {
        if reading == nil { openFolders.clear() }
    }

    /// Takes note of a problem, and tells of it once.
    func begin(_ subject: Problems.Subject, _ text: String) { report(problems.begin(subject, text)) }

    /// Takes note that a problem is over, and tells of it once.
    func end(_ subject: Problems.Subject) { report(problems.end(subject)) }

    private func report(_ happening: Happening?) {
        guard let happening else { return }
        tell(happening)
        switch happening {
        case .problemBegan(let text): events.record(.problem(text))
        case .problemEnded(let text): events.record(.problemOver(text))
        default: break
        }
    }
}
