import InboxLinux

/// Arrivals that wait for their turn to be copied to another filesystem: known by number, so that a long row costs no
/// descriptors, and looked at meanwhile like every other.
struct CopyRow {
    private var row: [ArrivalID] = []
    private var taken = 0

    var isEmpty: Bool { taken == row.count }

    mutating func append(_ id: ArrivalID) { row.append(id) }

    var first: ArrivalID? { isEmpty ? nil : row[taken] }

    mutating func popFirst() -> ArrivalID? {
        guard taken < row.count else { return nil }
        defer {
            taken += 1
            if taken > 1024, taken * 2 > row.count {
                row.removeFirst(taken)
                taken = 0
            }
        }
        return row[taken]
    }
}

extension Intake {
    /// Whether documents wait to be copied.
    public var hasCopies: Bool { !copies.isEmpty }

    /// A document that is ready belongs on another filesystem: it waits for its turn.
    func awaitCopy(_ id: ArrivalID, at moment: Moment) {
        come(id, to: .waiting(.copying), detail: "waits for other copies", at: moment)
        table.update(id) { arrival in
            arrival.nextLook = .never
            arrival.isQueued = true
        }
        copies.append(id)
    }

    /// Hands over the next document that is to be copied, unless it has more bytes; it is in hand until it is resolved.
    ///
    /// A package counts as the largest of all: it may have any number of files.
    func takeForCopy(fitting most: UInt64) -> ArrivalID? {
        while let id = copies.first {
            if let arrival = table[id], (arrival.isPackage ? .max : arrival.status.size) > most { return nil }
            _ = copies.popFirst()
            if takeInHand(id) { return id }
        }
        return nil
    }

    /// Shows from now on how far the copy has come.
    func beginCopy(_ id: ArrivalID, _ progress: CopyProgress, at moment: Moment) {
        come(id, to: .waiting(.copying), at: moment)
        table.update(id) { $0.copying = progress }
        noteCopyBegins(id, at: moment)
    }

    /// A document was copied and recorded, but what stands in the Inbox could not go: it is an arrival of its own now.
    func resolve(_ id: ArrivalID, filedAs record: FiledRecord, leaving outcome: Outcome, at moment: Moment) {
        counted.seen += 1
        counted.filed += 1
        counted.bytesFiled &+= record.size
        tell(.filed(record))
        if let arrival = table[id] {
            events.record(.filed(record), of: arrival)
            events.record(.arrived(size: arrival.status.size), of: arrival)
        }
        resolve(id, outcome, at: moment)
    }
}
