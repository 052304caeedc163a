import InboxFiling

extension ArrivalBook {
    /// The numbers of all arrivals, or of those of a group, in no order. Of a million that takes a while.
    func ids(_ group: ArrivalState.Group? = nil) -> [ArrivalID] {
        let count = group.map { accounting[$0] } ?? count
        var (position, found) = (UInt32(0), [ArrivalID]())
        while found.count < count, let id = nextID(group, from: &position) { found.append(id) }
        return found
    }
}
