import InboxFiling
import InboxLinux

/// Whose turn it is: to be inspected, to be filed, to be copied.
struct Turns {
    private var deadlines = Deadlines<ArrivalID>()
    private var ready = UniqueOwnerQueue<ArrivalID>()
    private var copies = UniqueOwnerQueue<ArrivalID>()

    /// When an arrival is to be inspected.
    var nextDeadline: Instant { deadlines.first }

    /// How many arrivals have a deadline.
    var deadlineCount: Int { deadlines.count }

    /// How many arrivals wait to be filed.
    var readyCount: Int { ready.count }

    /// Whether arrivals wait to be copied.
    var hasCopies: Bool { copies.count > 0 }

    /// The next arrival that is due.
    mutating func popDue(at now: Instant) -> ArrivalID? { deadlines.pop(dueAt: now)?.key }

    /// The next arrival to be filed; it may have another phase by now.
    mutating func popReady() -> ArrivalID? { ready.popFirst() }

    /// The next arrival to be copied; it may have another phase by now.
    mutating func popCopy() -> ArrivalID? { copies.popFirst() }

    /// These are not filed now: without this, the queues would keep them until their turn comes.
    mutating func giveUp(_ ids: Set<ArrivalID>) {
        guard !ids.isEmpty else { return }
        ready.remove(ids)
        copies.remove(ids)
    }

    /// An arrival has this phase now.
    mutating func note(_ phase: ArrivalPhase, of id: ArrivalID, owner: UInt32) {
        switch phase {
        case .observing(let until), .missing(_, let until): deadlines.set(id, at: until)
        case .queued:
            deadlines.remove(id)
            ready.append(id, of: owner)
        case .queuedForCopy:
            deadlines.remove(id)
            copies.append(id, of: owner)
        case .resting, .inFlight: deadlines.remove(id)
        }
    }
}
