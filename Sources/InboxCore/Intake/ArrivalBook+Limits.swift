import InboxFiling

extension ArrivalBook {
    /// The numbers of arrivals for which there is room.
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

    /// The reason why an arrival has left the book.
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
        /// The maximum number of arrivals.
        let limit: Int
        /// Only waiting arrivals count.
        let isOfWaiting: Bool
        /// The user who has most of them.
        let owner: UInt32
        /// The number of arrivals that this user has.
        let share: Int

        /// The reason why something is not listed, with advice.
        var words: String {
            isOfWaiting
                ? "at most \(limit) arrivals may wait at once, and \(share) of those that do belong to the user \(owner): it is "
                    + "taken in by itself as they are filed"
                : "at most \(limit) arrivals are kept, and \(share) of them belong to the user \(owner): it is taken in by "
                    + "itself when a tenth of the room is free, so move away or remove what is ignored or held"
        }
    }

    /// A tenth of the room is free.
    var hasRoom: Bool { !isCrowded && activeCount < limits.waiting / 10 * 9 }

    /// Less than a tenth of the room for arrivals, whatever their state, is free.
    var isCrowded: Bool { slots.room >= limits.all / 10 * 9 }

    /// There would soon be no room if reading went on, but documents that are ready to be filed will make some.
    var isFilling: Bool { activeCount >= limits.waiting / 10 * 9 && readyCount > 0 }

    /// The limit of which less than a tenth is free, and who has most of what it limits.
    var crowd: Crowd? {
        if hasRoom { return nil }
        guard let largest = ownerShares.largest(isCrowded ? \.all : \.waiting) else { return nil }
        return isCrowded
            ? Crowd(limit: limits.all, isOfWaiting: false, owner: largest.owner, share: largest.all)
            : Crowd(limit: limits.waiting, isOfWaiting: true, owner: largest.owner, share: largest.waiting)
    }

    /// Returns the number of an owner's arrivals that are waiting.
    func waitingCount(of owner: UInt32) -> Int { ownerShares.known(owner)?.waiting ?? 0 }

    /// While reading is held back, more arrivals are taken in only of users who have fewer waiting than this: half of what
    /// the user has who has most.
    var fairShare: Int { ((ownerShares.largest(\.waiting)?.waiting ?? 0) + 1) / 2 }
}
