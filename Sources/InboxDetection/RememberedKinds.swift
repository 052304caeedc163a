import Synchronization

/// The kinds that tags may mean, as worked out before; once there are more tags than a limit, everything is
/// forgotten.
///
/// A dictionary would do, but its first use costs half a million instructions at the start: the runtime searches all
/// conformances of the program for the one of the key to `Hashable`.
final class RememberedKinds: Sendable {
    private struct Known: ~Copyable {
        var tags = NameArena(expectedCount: 0)
        /// Of each tag, by its number.
        var kinds: [[NamedKind]] = []
    }

    private let most: Int
    private let known = Mutex(Known())

    /// Remembers nothing yet, and never more than so many tags.
    init(most: Int) {
        self.most = most
    }

    /// The kinds of a tag, worked out at the first question.
    func kinds(of tag: ArraySlice<UInt8>, _ make: () -> [NamedKind]) -> [NamedKind] {
        let found = known.withLock { known in known.tags.find(tag).map { known.kinds[Int($0)] } }
        if let found { return found }
        let kinds = make()
        known.withLock { known in
            if known.kinds.count >= most { known = Known() }
            // Another thread may have been faster.
            if Int(known.tags.add(tag)) == known.kinds.count { known.kinds.append(kinds) }
        }
        return kinds
    }
}
