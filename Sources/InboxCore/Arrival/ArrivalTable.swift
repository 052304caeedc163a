import InboxLinux

/// Every arrival that is there now, found by number and by file, and counted by where it stands.
struct ArrivalTable {
    private var arrivals: [ArrivalID: Arrival] = [:]
    private var byFile: [FileKey: [ArrivalID]] = [:]
    private var counts: [ArrivalState.Group: Int] = [.waiting: 0, .held: 0, .ignored: 0]
    private var last: UInt64 = 0

    /// How many there are.
    var count: Int { arrivals.count }

    /// All of them, in no order.
    var all: Dictionary<ArrivalID, Arrival>.Values { arrivals.values }

    /// How many stand so.
    func count(of group: ArrivalState.Group) -> Int { counts[group, default: 0] }

    /// The counts anew from the arrivals themselves: what the running counts are checked against.
    func recount(of group: ArrivalState.Group) -> Int { arrivals.values.count { $0.state.group == group } }

    subscript(id: ArrivalID) -> Arrival? { arrivals[id] }

    /// The arrivals that are names of this file.
    func names(of file: FileKey) -> [ArrivalID] { byFile[file] ?? [] }

    /// Takes a new arrival in.
    mutating func insert(folder: Folder, name: FileName, status: FileStatus, moment: Moment) -> ArrivalID {
        last += 1
        let id = ArrivalID(number: last)
        arrivals[id] = Arrival(id: id, folder: folder, name: name, status: status, moment: moment)
        byFile[status.identity.file, default: []].append(id)
        counts[.waiting, default: 0] += 1
        folder.arrivals[name] = id
        return id
    }

    /// Changes one in place; nil where it is gone. The file that it is stays the same.
    @discardableResult
    mutating func update<Result>(_ id: ArrivalID, _ change: (inout Arrival) -> Result) -> Result? {
        guard let index = arrivals.index(forKey: id) else { return nil }
        let before = arrivals.values[index].state.group
        let result = change(&arrivals.values[index])
        let after = arrivals.values[index].state.group
        if before != after {
            counts[before, default: 0] -= 1
            counts[after, default: 0] += 1
        }
        return result
    }

    /// The arrival has another name now, in the same folder or in another.
    mutating func move(_ id: ArrivalID, to folder: Folder, as name: FileName) {
        guard let arrival = arrivals[id] else { return }
        forget(id, in: arrival.folder, as: arrival.name)
        folder.arrivals[name] = id
        update(id) {
            $0.folder = folder
            $0.name = name
        }
    }

    /// Its name is another's from now on, though it is still in hand.
    func forget(_ id: ArrivalID, in folder: Folder, as name: FileName) {
        if folder.arrivals[name] == id { folder.arrivals[name] = nil }
    }

    /// Takes one out for good.
    @discardableResult
    mutating func remove(_ id: ArrivalID) -> Arrival? {
        guard let arrival = arrivals.removeValue(forKey: id) else { return nil }
        counts[arrival.state.group, default: 0] -= 1
        forget(id, in: arrival.folder, as: arrival.name)
        let file = arrival.status.identity.file
        byFile[file]?.removeAll { $0 == id }
        if byFile[file]?.isEmpty == true { byFile[file] = nil }
        return arrival
    }
}
