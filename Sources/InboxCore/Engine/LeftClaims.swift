import InboxFiling

/// A claim that a job has left to recovery.
struct LeftClaim {
    let arrival: ArrivalID
    /// The outcome that applies if the document is recorded, where the job knows it.
    var recorded: FilingOutcome?
    /// The document is known to have left the Inbox.
    var hasLeft = false
    /// The outcome that applies if the document is in the Inbox when the claim ends.
    var otherwise = FilingOutcome.changed
}

/// The claims that jobs have left to recovery, by their ids.
struct LeftClaims {
    /// A claim of which recovery has found something out.
    enum Known {
        /// Its arrival is in flight.
        case arrival(LeftClaim)
        /// It is no arrival any more, since recovery could not end it at once; followers know it by that number.
        case handedOver(LeftClaim)
    }

    private var arrivals: [RecordID: LeftClaim] = [:]
    private var handedOver: [RecordID: LeftClaim] = [:]

    /// The arrival of at least one of the claims is in flight.
    var hasArrivals: Bool { !arrivals.isEmpty }

    /// The records that jobs could not write, of copies that have their names.
    var published: [RecordID: FiledRecord] {
        arrivals.merging(handedOver) { one, _ in one }.compactMapValues { known in
            guard known.hasLeft, case .filed(let record)? = known.recorded else { return nil }
            return record
        }
    }

    /// A job has left a claim.
    mutating func add(_ id: RecordID, _ claim: LeftClaim) { arrivals[id] = claim }

    /// Takes out a claim; nil for what no job of this run has left.
    mutating func take(_ id: RecordID) -> Known? {
        if let known = arrivals.removeValue(forKey: id) { return .arrival(known) }
        return handedOver.removeValue(forKey: id).map { .handedOver($0) }
    }

    /// Takes out all; those whose arrivals are in flight.
    mutating func takeAll() -> [LeftClaim] {
        defer { self = LeftClaims() }
        return Array(arrivals.values)
    }

    /// Recovery cannot end these yet.
    /// - Returns: the arrivals that these were so far.
    mutating func handOver(_ ids: [RecordID]) -> [ArrivalID] {
        if arrivals.isEmpty { return [] }
        return ids.compactMap { id in
            guard let known = arrivals.removeValue(forKey: id) else { return nil }
            handedOver[id] = known
            return known.arrival
        }
    }

    /// Takes out what has ended unseen; those whose arrivals are in flight.
    mutating func takeEnded(isOpen: (RecordID) -> Bool) -> [LeftClaim] {
        handedOver = handedOver.filter { isOpen($0.key) }
        let ended = arrivals.filter { !isOpen($0.key) }
        for id in ended.keys { arrivals[id] = nil }
        return Array(ended.values)
    }
}
