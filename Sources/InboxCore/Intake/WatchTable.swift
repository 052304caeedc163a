import InboxFiling

/// Which walked folders the events of a watch are about.
///
/// The kernel numbers what is watched, not where it is seen: two mounts of one tree inside an Inbox share their
/// watches, so that an event is about both folders.
struct WatchTable {
    private var folders: [Int32: Folder] = [:]
    /// The further folders of the watches that several share: there are hardly ever any.
    private var others: [Int32: [Folder]] = [:]
    /// The number of times that events were lost.
    private(set) var losses: UInt32 = 0
    /// Watches that were ended here and whose last events may still be queued.
    private var retired: Set<Int32> = []

    /// The watches that are in use.
    var watches: Dictionary<Int32, Folder>.Keys { folders.keys }

    /// Every folder that the watch's events are about.
    subscript(watch: Int32) -> [Folder] {
        guard let first = folders[watch] else { return [] }
        return [first] + (others[watch] ?? [])
    }

    /// The folder's events have this watch.
    mutating func add(_ folder: Folder, _ watch: Int32) {
        retired.remove(watch)
        guard let first = folders[watch] else {
            folders[watch] = folder
            return
        }
        if first !== folder, others[watch]?.contains(where: { $0 === folder }) != true {
            others[watch, default: []].append(folder)
        }
    }

    /// The folder waits for no more events of this watch; returns one that still does.
    @discardableResult
    mutating func remove(_ folder: Folder, _ watch: Int32) -> Folder? {
        let rest = self[watch].filter { $0 !== folder }
        folders[watch] = rest.first
        others[watch] = rest.count > 1 ? Array(rest.dropFirst()) : nil
        return rest.first
    }

    /// Events were lost, and the last ones of watches that were ended here may be among them: none is waited for any more.
    mutating func noteLoss() {
        losses &+= 1
        retired = []
    }

    /// A watch was ended here.
    mutating func retire(_ watch: Int32) { retired.insert(watch) }

    /// Returns true if an event belongs to a watch that was ended here, or is the last one of any watch, which the
    /// kernel marks.
    mutating func isRetired(_ watch: Int32, isLast: Bool) -> Bool {
        guard isLast else { return retired.contains(watch) }
        retired.remove(watch)
        return true
    }
}
