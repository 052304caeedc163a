/// The limits on documents that wait for their handlers in memory: a number for each owner, and for all owners
/// together four times that number. The other documents are only in the history.
struct HandlerShares: Sendable {
    private static let owners = 4

    /// The maximum for one owner.
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
