import InboxFiling

/// Elements that wait for their turn: those of an owner in their order, and one of each owner in turn, so that nobody
/// waits for all that belongs to somebody else.
package struct OwnerQueue<Element> {
    /// The elements of one owner.
    private struct Row {
        let owner: UInt32
        var elements = FIFO<Element>()
    }

    /// In no order; those without elements are taken out.
    private var rows: [Row] = []
    private var places: [UInt32: Int] = [:]
    /// The owners that have elements here, the next one first.
    private var turn = FIFO<UInt32>()
    /// The place that was asked for last: nearly always all belongs to one owner.
    private var last = 0
    /// The number of elements that are waiting.
    package private(set) var count = 0

    /// An empty queue.
    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The element whose turn it is.
    var first: Element? { turn.first.flatMap { places[$0] }.flatMap { rows[$0].elements.first } }

    /// All that wait, in no order.
    var elements: [Element] { rows.flatMap { $0.elements.waiting } }

    /// Returns the number of elements of an owner that are waiting.
    package func count(of owner: UInt32) -> Int { places[owner].map { rows[$0].elements.count } ?? 0 }

    /// The number of waiting elements of the owner who has most.
    var largestCount: Int { rows.reduce(0) { max($0, $1.elements.count) } }

    /// Adds an element at the end of its owner's row.
    package mutating func append(_ element: Element, of owner: UInt32) {
        rows[place(of: owner)].elements.append(element)
        count += 1
    }

    /// Puts elements that were taken back to the front of their owner's row.
    mutating func putBack(_ elements: [Element], of owner: UInt32) {
        rows[place(of: owner)].elements.putBack(elements)
        count += elements.count
    }

    /// Takes the element whose turn it is.
    mutating func popFirst() -> Element? {
        guard let owner = turn.first else { return nil }
        let place = place(of: owner)
        guard let element = rows[place].elements.popFirst() else { return nil }
        count -= 1
        let isLast = rows[place].elements.isEmpty
        // Who is alone here keeps the turn.
        if isLast || rows.count > 1 { _ = turn.popFirst() }
        if isLast { removeRow(at: place) } else if rows.count > 1 { turn.append(owner) }
        return element
    }

    /// Returns whether an element of another owner than these waits.
    package func hasOwner(besides owners: Set<UInt32>) -> Bool {
        owners.isEmpty ? !isEmpty : places.keys.contains { !owners.contains($0) }
    }

    /// Takes the element whose turn it is of those that belong to others than these.
    package mutating func popFirst(besides owners: Set<UInt32>) -> Element? {
        guard hasOwner(besides: owners) else { return nil }
        while let owner = turn.first, owners.contains(owner) {
            _ = turn.popFirst()
            turn.append(owner)
        }
        return popFirst()
    }

    /// Takes out some elements wherever they wait; the others keep their turns.
    package mutating func removeAll(where isMeant: (Element) -> Bool) {
        var kept = OwnerQueue()
        for owner in turn.waiting {
            guard let place = places[owner] else { continue }
            for element in rows[place].elements.waiting where !isMeant(element) { kept.append(element, of: owner) }
        }
        self = kept
    }

    /// The place of an owner's row, who has his turn from its first element on.
    private mutating func place(of owner: UInt32) -> Int {
        if last < rows.count, rows[last].owner == owner { return last }
        if let place = places[owner] {
            last = place
            return place
        }
        turn.append(owner)
        places[owner] = rows.count
        last = rows.count
        rows.append(Row(owner: owner))
        return last
    }

    private mutating func removeRow(at place: Int) {
        places[rows[place].owner] = nil
        let other = rows.removeLast()
        guard place < rows.count else { return }
        rows[place] = other
        places[other.owner] = place
    }
}

extension OwnerQueue<FilingRequest> {
    /// Adds a request at the end of its owner's row.
    mutating func append(_ request: FilingRequest) { append(request, of: request.status.owner) }

    /// Puts requests that were taken back to the front.
    mutating func putBack(_ requests: [FilingRequest]) {
        for (owner, row) in Dictionary(grouping: requests, by: \.status.owner) { putBack(row, of: owner) }
    }

    /// Takes everything.
    mutating func takeAll() -> [FilingRequest] { take(most: .max, bytes: .max) }

    /// Takes requests in turn until there are as many, or their sizes add up to so many bytes; at least one.
    /// - Parameter owners: whose requests stay.
    mutating func take(most: Int, bytes limit: UInt64, besides owners: Set<UInt32> = []) -> [FilingRequest] {
        var taken: [FilingRequest] = []
        var bytes: UInt64 = 0
        while taken.count < most, bytes < limit, let request = popFirst(besides: owners) {
            taken.append(request)
            bytes &+= request.status.size
        }
        return taken
    }
}

/// The same for elements of which each waits once.
struct UniqueOwnerQueue<Element: Hashable> {
    /// So many that were taken out keep their places at least, before all of those are cleared.
    private static var leastGone: Int { 1_024 }

    private var queue = OwnerQueue<Element>()
    private var members: Set<Element> = []

    /// The number of elements that are waiting.
    var count: Int { members.count }

    /// The number of places, including those of elements that were taken out.
    var places: Int { queue.count }

    /// Adds an element at the end of its owner's row; one that waits already keeps its turn.
    mutating func append(_ element: Element, of owner: UInt32) {
        if members.insert(element).inserted { queue.append(element, of: owner) }
    }

    /// Takes out an element wherever it waits; it must not be added again.
    mutating func remove(_ element: Element) {
        guard members.remove(element) != nil, queue.count > 2 * members.count + Self.leastGone else { return }
        let members = members
        queue.removeAll { !members.contains($0) }
    }

    /// Returns whether an element of another owner than these waits.
    func hasOwner(besides owners: Set<UInt32>) -> Bool { !members.isEmpty && queue.hasOwner(besides: owners) }

    /// Takes the element whose turn it is, of those that belong to others than these.
    mutating func popFirst(besides owners: Set<UInt32> = []) -> Element? {
        while let element = queue.popFirst(besides: owners) {
            if members.remove(element) != nil { return element }
        }
        return nil
    }
}

/// A queue whose taken elements are dropped in bulk.
private struct FIFO<Element> {
    private var elements: [Element] = []
    private var taken = 0

    var isEmpty: Bool { taken == elements.count }

    var count: Int { elements.count - taken }

    var first: Element? { isEmpty ? nil : elements[taken] }

    /// Those that are not taken.
    var waiting: ArraySlice<Element> { elements[taken...] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func putBack(_ row: [Element]) {
        elements.replaceSubrange(..<taken, with: row)
        taken = 0
    }

    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        taken += 1
        if taken > 1024, taken * 2 > elements.count {
            elements.removeFirst(taken)
            taken = 0
        }
        return first
    }
}
