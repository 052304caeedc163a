import InboxFiling

extension ArrivalBook {
    /// How much there is room for.
    struct Limits {
        /// More arrivals are not taken in at once: the rest is read when there is room.
        var all = ArrivalSlots.most
        /// More are not waiting at once.
        var waiting = 32_768
        /// Of more, no words are kept that say why they are held.
        var details = 10_000
    }

    /// Bytes. A document of so many is large, and has another worker that copies it than small ones have.
    static let largeCopy: UInt64 = 16 << 20

    /// Why an arrival is there no more.
    enum Departure {
        /// Its owner took it back.
        case withdrawn
        /// It was filed.
        case filed(FiledRecord)
        /// An identical document is at its destination.
        case duplicate
        /// It is a part of another arrival, or counted elsewhere: as if it had never been seen.
        case absorbed
    }
}

// Room.
extension ArrivalBook {
    /// A limit of which less than a tenth is free.
    struct Crowd {
        /// How many arrivals there may be.
        let limit: Int
        /// Whether only those count that are waiting.
        let isOfWaiting: Bool
        /// The user who has most of them.
        let owner: UInt32
        /// How many those are.
        let share: Int

        /// Why something is not listed, and what a person can do about it.
        var words: String {
            isOfWaiting
                ? "at most \(limit) arrivals may wait at once, and \(share) of those that do belong to the user \(owner): it is "
                    + "taken in by itself as they are filed"
                : "at most \(limit) arrivals are kept, and \(share) of them belong to the user \(owner): it is taken in by "
                    + "itself when a tenth of the room is free, so move away or remove what is ignored or held"
        }
    }

    /// Whether a tenth of the room is free.
    var hasRoom: Bool { !isCrowded && activeCount < limits.waiting / 10 * 9 }

    /// Whether less than a tenth of the room for arrivals is free, whatever they are.
    var isCrowded: Bool { slots.room >= limits.all / 10 * 9 }

    /// Whether reading on would soon find no room, though what is being filed will make some.
    var isFilling: Bool { activeCount >= limits.waiting / 10 * 9 && readyCount > 0 }

    /// The limit of which less than a tenth is free, and who has most of what it limits.
    var crowd: Crowd? {
        if hasRoom { return nil }
        guard let largest = ownerShares.largest(isCrowded ? \.all : \.waiting) else { return nil }
        return isCrowded
            ? Crowd(limit: limits.all, isOfWaiting: false, owner: largest.owner, share: largest.all)
            : Crowd(limit: limits.waiting, isOfWaiting: true, owner: largest.owner, share: largest.waiting)
    }

    /// How many arrivals of an owner are waiting.
    func waitingCount(of owner: UInt32) -> Int { ownerShares.known(owner)?.waiting ?? 0 }

    /// While reading is held back, more arrivals are taken in only of users who have fewer waiting than this: half of what
    /// the user has who has most.
    var fairShare: Int { ((ownerShares.largest(\.waiting)?.waiting ?? 0) + 1) / 2 }
}
