import InboxFiling

/// A document that a job has left to recovery.
struct LeftClaim {
    let arrival: ArrivalID
    /// The outcome that applies if the document is recorded, where the job knows it.
    var recorded: FilingOutcome?
    /// The document is known to have left the Inbox.
    var hasLeft = false
    /// Its entry in the journal, where it was renamed and only its record is missing.
    var move: JournalEntry?
    /// The outcome that applies if the document is in the Inbox when the claim ends.
    var otherwise = FilingOutcome.changed
}

/// The documents that jobs have left to recovery, by the ids of their entries.
struct LeftClaims {
    /// A document of which recovery has found something out.
    enum Known {
        /// Its arrival is in flight.
        case arrival(LeftClaim)
        /// It is no arrival any more, since recovery could not end it at once; followers know it by that number.
        case handedOver(LeftClaim)
    }

    private var arrivals: [RecordID: LeftClaim] = [:]
    private var handedOver: [RecordID: LeftClaim] = [:]

    /// The arrival of at least one of them is in flight.
    var hasArrivals: Bool { !arrivals.isEmpty }

    /// The records that jobs could not write, of documents that have their names.
    var published: [RecordID: FiledRecord] {
        if arrivals.isEmpty, handedOver.isEmpty { return [:] }
        return arrivals.merging(handedOver) { one, _ in one }.compactMapValues { known in
            guard known.hasLeft, case .filed(let record)? = known.recorded else { return nil }
            return record
        }
    }

    /// A job has left a document.
    mutating func add(_ id: RecordID, _ claim: LeftClaim) { arrivals[id] = claim }

    /// Takes one out; nil for what no job of this run has left.
    mutating func take(_ id: RecordID) -> Known? {
        if let known = arrivals.removeValue(forKey: id) { return .arrival(known) }
        return handedOver.removeValue(forKey: id).map { .handedOver($0) }
    }

    /// Those of which only the record is missing.
    var moves: [LeftClaim] { (Array(arrivals.values) + handedOver.values).filter { $0.move != nil } }

    /// Takes out all others; those whose arrivals are in flight.
    mutating func takeClaims() -> [LeftClaim] {
        defer {
            arrivals = arrivals.filter { $0.value.move != nil }
            handedOver = handedOver.filter { $0.value.move != nil }
        }
        return arrivals.values.filter { $0.move == nil }
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
