import InboxFiling

/// The arrivals that wait for checks: for each check one of each owner's in turn.
struct CheckTurns {
    /// So many wait for one check at most; those that have gone are cleared before there are more.
    private static let most = 1 << 16

    private var queues: [ObjectIdentifier: (check: CheckInForce, queue: UniqueOwnerQueue<ArrivalID>)] = [:]

    /// The checks that arrivals wait for.
    var awaited: [CheckInForce] { queues.values.map(\.check) }

    /// Returns the number of arrivals that wait for a check, those included that have gone since.
    func count(of check: CheckInForce) -> Int { queues[ObjectIdentifier(check)]?.queue.count ?? 0 }

    /// Adds an arrival at the end of its owner's row, unless it waits already.
    /// - Parameter isWaiting: whether an arrival still waits.
    mutating func append(
        _ id: ArrivalID, of owner: UInt32, for check: CheckInForce,
        where isWaiting: (ArrivalID) -> (isWaiting: Bool, owner: UInt32)
    ) {
        let key = ObjectIdentifier(check)
        var entry = queues[key] ?? (check, UniqueOwnerQueue())
        queues[key] = nil
        if entry.queue.places >= Self.most {
            var kept = UniqueOwnerQueue<ArrivalID>()
            while let id = entry.queue.popFirst() {
                let (isWaiting, owner) = isWaiting(id)
                if isWaiting { kept.append(id, of: owner) }
            }
            entry.queue = kept
        }
        entry.queue.append(id, of: owner)
        queues[key] = entry
    }

    /// Takes the arrival whose turn it is; nil where none waits for the check.
    mutating func popFirst(of check: CheckInForce) -> ArrivalID? {
        let key = ObjectIdentifier(check)
        let id = queues[key]?.queue.popFirst()
        if id == nil { queues[key] = nil }
        return id
    }

    /// Takes all out that wait for checks that are not in force any more.
    mutating func takeAll(where isOver: (CheckInForce) -> Bool) -> [ArrivalID] {
        var taken: [ArrivalID] = []
        for check in awaited where isOver(check) {
            while let id = popFirst(of: check) { taken.append(id) }
        }
        return taken
    }
}
