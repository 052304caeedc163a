import InboxFiling
import InboxLinux

/// Which arrivals need which markers. Without `Ready=` there are none.
struct MarkedArrivals {
    /// The arrivals that one marker releases.
    struct Row {
        /// Those that it releases at the moment.
        var ready: Set<ArrivalID> = []
        /// Those that wait for it.
        var waiting: Set<ArrivalID> = []
    }

    private struct Key: Hashable {
        let folder: Folder
        let name: FileName
    }

    private var rows: [Key: Row] = [:]
    private var keys: [ArrivalID: Key] = [:]
    /// Those whose markers have changed while they were in flight.
    var touched: Set<ArrivalID> = []

    /// No arrival needs a marker.
    var isEmpty: Bool { keys.isEmpty }

    /// An arrival needs the marker of this name.
    /// - Parameter isReady: whether that counts.
    mutating func note(_ id: ArrivalID, needs name: FileName, in folder: Folder, isReady: Bool) {
        let key = Key(folder: folder, name: name)
        if keys[id] != key { forget(id) }
        keys[id] = key
        if isReady {
            rows[key, default: Row()].ready.insert(id)
            rows[key]?.waiting.remove(id)
        } else {
            rows[key, default: Row()].waiting.insert(id)
            rows[key]?.ready.remove(id)
        }
    }

    /// An arrival needs none.
    mutating func forget(_ id: ArrivalID) {
        touched.remove(id)
        guard let key = keys.removeValue(forKey: id) else { return }
        rows[key]?.ready.remove(id)
        rows[key]?.waiting.remove(id)
        if let row = rows[key], row.ready.isEmpty, row.waiting.isEmpty { rows[key] = nil }
    }

    /// The arrivals that need this marker.
    func row(of name: FileName, in folder: Folder) -> Row {
        rows[Key(folder: folder, name: name)] ?? Row()
    }
}
