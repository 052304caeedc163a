import InboxLinux

/// Who is to be looked at when: a binary heap whose outdated entries are dropped as they surface.
struct Deadlines<Key> {
    private var heap: [(moment: Instant, key: Key)] = []

    /// The earliest entry's time; `never` when there is none. An outdated entry may make it too early, never too late.
    var first: Instant { heap.first?.moment ?? .never }

    /// How many entries there are, outdated ones included.
    var count: Int { heap.count }

    mutating func add(_ key: Key, at moment: Instant) {
        guard moment != .never else { return }
        heap.append((moment, key))
        var child = heap.count - 1
        while child > 0, heap[child].moment < heap[(child - 1) / 2].moment {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the earliest entry that is due.
    mutating func pop(dueAt now: Instant) -> (moment: Instant, key: Key)? {
        guard let first = heap.first, first.moment <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].moment < heap[least].moment { least = child }
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
