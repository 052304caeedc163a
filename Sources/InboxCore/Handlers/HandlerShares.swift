/// The limits on documents that wait for their handlers in memory: a number for each owner, and for all owners
/// together four times that number. The other documents are only in the journal.
struct HandlerShares: Sendable {
    private static let owners = 4

    /// The maximum for one owner.
    private let most: Int
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    init(most: Int) {
        self.most = most
    }

    /// Returns the number of documents of an owner that there is room for; none while the owner has more than half of the
    /// share, so that they are not read one by one.
    func room(for owner: UInt32) -> Int {
        let count = counts[owner, default: 0]
        return count * 2 > most ? 0 : max(0, min(most - count, most * Self.owners - total))
    }

    /// The number of an owner's documents.
    func count(of owner: UInt32) -> Int { counts[owner, default: 0] }

    /// Takes places for documents of this owner.
    mutating func take(_ count: Int = 1, for owner: UInt32) {
        counts[owner, default: 0] += count
        total += count
    }

    /// Gives a place back that was taken.
    mutating func giveBack(_ owner: UInt32) {
        guard let count = counts[owner] else { return }
        counts[owner] = count > 1 ? count - 1 : nil
        total -= 1
    }
}
