import InboxFiling

/// Requests that wait for a worker: each owner's in their order, and one of each owner in turn, so that nobody waits for
/// all documents of somebody else.
struct OwnerQueue {
    private var rows: [UInt32: [FilingRequest]] = [:]
    /// The owners that have requests here, the next one first.
    private var turn: [UInt32] = []
    /// How many requests wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The request that is taken next.
    var first: FilingRequest? { turn.first.flatMap { rows[$0]?.first } }

    mutating func append(_ request: FilingRequest) {
        let owner = request.status.owner
        if rows[owner, default: []].isEmpty { turn.append(owner) }
        rows[owner, default: []].append(request)
        count += 1
    }

    /// Puts requests that were taken back to the front.
    mutating func putBack(_ requests: [FilingRequest]) {
        for (owner, row) in Dictionary(grouping: requests, by: \.status.owner) {
            if rows[owner, default: []].isEmpty { turn.append(owner) }
            rows[owner, default: []].insert(contentsOf: row, at: 0)
        }
        count += requests.count
    }

    /// Takes everything.
    mutating func takeAll() -> [FilingRequest] { take(most: .max, bytes: .max) }

    /// Takes requests in turn until there are as many, or their sizes add up to so many bytes; at least one.
    mutating func take(most: Int, bytes limit: UInt64) -> [FilingRequest] {
        var taken: [FilingRequest] = []
        var bytes: UInt64 = 0
        var positions: [UInt32: Int] = [:]
        while taken.count < most, bytes < limit, !turn.isEmpty {
            let owner = turn.removeFirst()
            let position = positions[owner, default: 0]
            guard let row = rows[owner], position < row.count else { continue }
            taken.append(row[position])
            bytes &+= row[position].status.size
            positions[owner] = position + 1
            if position + 1 < row.count { turn.append(owner) }
        }
        for (owner, position) in positions {
            rows[owner]?.removeFirst(position)
            if rows[owner]?.isEmpty == true { rows[owner] = nil }
        }
        count -= taken.count
        return taken
    }
}
