import InboxFiling

extension ArrivalBook {
    /// The numbers of all arrivals, or of those of a group, in no order. Of a million that takes a while.
    func ids(_ group: ArrivalState.Group? = nil) -> [ArrivalID] {
        let count = group.map { accounting[$0] } ?? count
        var (position, found) = (UInt32(0), [ArrivalID]())
        while found.count < count, let id = nextID(group, from: &position) { found.append(id) }
        return found
    }

    /// Returns true if an arrival in a folder, or in a folder inside it, is being filed.
    func isFiling(in folder: Folder) -> Bool {
        active.slotsInFlight.contains { slots.folder(of: $0).isWithin(folder) }
    }
}
