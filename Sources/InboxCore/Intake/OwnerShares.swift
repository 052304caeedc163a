/// The number of arrivals of each owner, so that at a limit the largest owner's make room and nobody else's.
struct OwnerShares {
    /// The share of one owner.
    struct Share {
        /// Whose it is.
        let owner: UInt32
        /// All of its arrivals, as many as have the room that they take.
        var all = 0
        /// Those that are waiting.
        var waiting = 0
        /// Those of the waiting ones that wait for time to pass.
        var idle = 0

        /// Those that are held or ignored, and that nothing is done with.
        var resting: Int { all - waiting }
    }

    /// More owners than this share the last one's number.
    private static let mostOwners = Int(UInt16.max)

    private var shares: [Share] = []
    private var numbers: [UInt32: UInt16] = [:]

    subscript(number: UInt16) -> Share {
        get { shares[Int(number)] }
        _modify { yield &shares[Int(number)] }
    }

    /// The number of an owner, given at the first question.
    mutating func number(of owner: UInt32) -> UInt16 {
        if let number = numbers[owner] { return number }
        guard shares.count < Self.mostOwners else { return UInt16(Self.mostOwners - 1) }
        let number = UInt16(shares.count)
        shares.append(Share(owner: owner))
        numbers[owner] = number
        return number
    }

    /// Returns the share of an owner; nil for one who never had any.
    func known(_ owner: UInt32) -> Share? { numbers[owner].map { shares[Int($0)] } }

    /// The owner that has most; nil where nobody has anything.
    func largest(_ count: KeyPath<Share, Int>) -> Share? {
        shares.max { $0[keyPath: count] < $1[keyPath: count] }
    }

    /// The owner that has most, unless that one is no larger than this one will be.
    func largest(_ count: KeyPath<Share, Int>, besides number: UInt16) -> UInt16? {
        guard let largest = shares.indices.max(by: { shares[$0][keyPath: count] < shares[$1][keyPath: count] }),
            shares[largest][keyPath: count] > self[number][keyPath: count] + 1
        else { return nil }
        return UInt16(largest)
    }
}
