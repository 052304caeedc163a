import InboxFiling
import InboxLinux

/// Whose turn it is: to be inspected, to be filed, to be copied.
struct Turns {
    private var deadlines = Deadlines<ArrivalID>()
    private var ready = UniqueOwnerQueue<ArrivalID>()
    /// Small documents, and large ones and packages: each kind has a worker of its own, for which only its own wait.
    private var copies = (small: UniqueOwnerQueue<ArrivalID>(), large: UniqueOwnerQueue<ArrivalID>())

    /// When an arrival is to be inspected.
    var nextDeadline: Instant { deadlines.first }

    /// The number of arrivals that are waiting to be filed.
    var readyCount: Int { ready.count }

    /// Returns true if large or small arrivals of users other than these are waiting to be copied.
    func hasCopies(large isLarge: Bool, besides owners: Set<UInt32>) -> Bool {
        (isLarge ? copies.large : copies.small).hasOwner(besides: owners)
    }

    /// The next arrival that is due.
    mutating func popDue(at now: Instant) -> ArrivalID? { deadlines.pop(dueAt: now)?.key }

    /// The next arrival to be filed; it may have another phase by now.
    mutating func popReady() -> ArrivalID? { ready.popFirst() }

    /// The next arrival to be copied, of other users than these; it may have another phase by now.
    mutating func popCopy(large isLarge: Bool, besides owners: Set<UInt32>) -> ArrivalID? {
        isLarge ? copies.large.popFirst(besides: owners) : copies.small.popFirst(besides: owners)
    }

    /// One that waited to be filed or copied has gone: without this, the queues would keep it until its turn comes.
    mutating func giveUp(_ id: ArrivalID) {
        ready.remove(id)
        copies.small.remove(id)
        copies.large.remove(id)
    }

    /// An arrival has this phase now.
    mutating func note(_ phase: ArrivalPhase, of id: ArrivalID, owner: UInt32, isLarge: Bool = false) {
        switch phase {
        case .observing(let until), .missing(_, let until): deadlines.set(id, at: until)
        case .queued:
            deadlines.remove(id)
            ready.append(id, of: owner)
        case .queuedForCopy:
            deadlines.remove(id)
            if isLarge { copies.large.append(id, of: owner) } else { copies.small.append(id, of: owner) }
        case .resting, .inFlight: deadlines.remove(id)
        }
    }
}
