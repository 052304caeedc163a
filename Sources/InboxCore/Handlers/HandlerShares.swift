/// How many documents wait for their handlers in memory: so many of each owner, and of all together as many as four owners
/// may have. The history alone has the others.
struct HandlerShares: Sendable {
    private static let owners = 4

    /// How many one owner may have.
    let most: Int
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    init(most: Int) {
        self.most = most
    }

    /// Takes a place for a document of this owner; false where there is none.
    mutating func take(for owner: UInt32) -> Bool {
        guard counts[owner, default: 0] < most, total / Self.owners < most else { return false }
        counts[owner, default: 0] += 1
        total += 1
        return true
    }

    /// Gives a place back that was taken.
    mutating func giveBack(_ owner: UInt32) {
        guard let count = counts[owner] else { return }
        counts[owner] = count > 1 ? count - 1 : nil
        total -= 1
    }

    /// Takes places for documents of these owners alone, whatever was taken before.
    mutating func reset(to owners: some Sequence<UInt32>) {
        counts = [:]
        total = 0
        for owner in owners {
            counts[owner, default: 0] += 1
            total += 1
        }
    }
}
