/// Elements that wait for their turn, each once: those of an owner in their order, and one of each owner in turn, so that
/// nobody waits for all that belongs to somebody else.
struct OwnerRow<Element: Hashable> {
    private var rows: [UInt32: FIFO<Element>] = [:]
    /// The owners that have elements here, the next one first.
    private var turn = FIFO<UInt32>()
    private var members: Set<Element> = []

    var isEmpty: Bool { members.isEmpty }

    /// How many wait.
    var count: Int { members.count }

    /// The element whose turn it is.
    var first: Element? { turn.first.flatMap { rows[$0]?.first } }

    /// Adds an element at the end of its owner's row; one that waits already keeps its turn.
    mutating func append(_ element: Element, of owner: UInt32) {
        guard members.insert(element).inserted else { return }
        if rows[owner] == nil { turn.append(owner) }
        rows[owner, default: FIFO()].append(element)
    }

    /// Takes the element whose turn it is.
    mutating func popFirst() -> Element? {
        guard let owner = turn.popFirst(), let element = rows[owner]?.popFirst() else { return nil }
        if rows[owner]?.first == nil { rows[owner] = nil } else { turn.append(owner) }
        members.remove(element)
        return element
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
