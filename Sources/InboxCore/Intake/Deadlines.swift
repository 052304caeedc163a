import InboxLinux

/// The keys by the times at which they are due: a binary heap that contains each key once, so that its size is
/// bounded by the number of things to do.
struct Deadlines<Key: Hashable> {
    private var heap: [(moment: Instant, key: Key)] = []
    private var positions: [Key: Int] = [:]

    /// The earliest entry's time; `never` when there is none.
    var first: Instant { heap.first?.moment ?? .never }

    /// The number of entries.
    var count: Int { heap.count }

    /// Sets the deadline of a key, replacing an earlier one; `never` removes the key.
    mutating func set(_ key: Key, at moment: Instant) {
        guard moment != .never else { return remove(key) }
        if let position = positions[key] {
            heap[position].moment = moment
            rise(from: position)
            positions[key].map { sink(from: $0) }
        } else {
            heap.append((moment, key))
            positions[key] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// The key is due no more.
    mutating func remove(_ key: Key) {
        guard !positions.isEmpty, let position = positions.removeValue(forKey: key) else { return }
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[last.key] = position
        rise(from: position)
        positions[last.key].map { sink(from: $0) }
    }

    /// Takes out the earliest entry that is due.
    mutating func pop(dueAt now: Instant) -> (moment: Instant, key: Key)? {
        guard let first = heap.first, first.moment <= now else { return nil }
        remove(first.key)
        return first
    }

    private mutating func rise(from position: Int) {
        var child = position
        while child > 0, heap[child].moment < heap[(child - 1) / 2].moment {
            exchange(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink(from position: Int) {
        var parent = position
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].moment < heap[least].moment { least = child }
            }
            guard least != parent else { return }
            exchange(parent, least)
            parent = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        positions[heap[one].key] = one
        positions[heap[other].key] = other
    }
}
