/// Elements that wait for their turn, each once: those of an owner in their order, and one of each owner in turn, so that
/// nobody waits for all that belongs to somebody else.
struct OwnerRow<Element: Hashable> {
    /// What an owner has here.
    private struct Row {
        let owner: UInt32
        var elements = FIFO<Element>()
    }

    /// In no order; those without elements are taken out.
    private var rows: [Row] = []
    private var places: [UInt32: Int] = [:]
    /// The owners that have elements here, the next one first.
    private var turn = FIFO<UInt32>()
    private var members: Set<Element> = []
    /// The place that was asked for last: nearly always all belongs to one owner.
    private var last = 0

    var isEmpty: Bool { members.isEmpty }

    /// How many wait.
    var count: Int { members.count }

    /// The element whose turn it is.
    var first: Element? { turn.first.flatMap { places[$0] }.flatMap { rows[$0].elements.first } }

    /// Adds an element at the end of its owner's row; one that waits already keeps its turn.
    mutating func append(_ element: Element, of owner: UInt32) {
        guard members.insert(element).inserted else { return }
        if let place = place(of: owner) { return rows[place].elements.append(element) }
        turn.append(owner)
        places[owner] = rows.count
        rows.append(Row(owner: owner))
        rows[rows.count - 1].elements.append(element)
    }

    /// Takes the element whose turn it is.
    mutating func popFirst() -> Element? {
        guard let owner = turn.popFirst(), let place = place(of: owner), let element = rows[place].elements.popFirst()
        else { return nil }
        if rows[place].elements.first == nil { removeRow(at: place) } else { turn.append(owner) }
        members.remove(element)
        return element
    }

    private mutating func place(of owner: UInt32) -> Int? {
        if last < rows.count, rows[last].owner == owner { return last }
        guard let place = places[owner] else { return nil }
        last = place
        return place
    }

    private mutating func removeRow(at place: Int) {
        places[rows[place].owner] = nil
        let other = rows.removeLast()
        guard place < rows.count else { return }
        rows[place] = other
        places[other.owner] = place
    }
}

/// A queue whose taken elements are dropped in bulk.
private struct FIFO<Element> {
    private var elements: [Element] = []
    private var taken = 0

    var first: Element? { taken < elements.count ? elements[taken] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

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
