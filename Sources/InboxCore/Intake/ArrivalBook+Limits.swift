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

    /// Why an arrival is there no more.
    enum Departure {
        /// Its owner took it back.
        case withdrawn
        /// It was filed.
        case filed(FiledRecord)
        /// An identical document is at its destination.
        case duplicate
        /// It is a part of another arrival: as if it had never been seen.
        case absorbed
    }
}
