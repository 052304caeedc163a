import InboxLinux

/// The walked folders by their keys, and how many each owner has, so that at the limit the largest owner's make room and
/// nobody else's.
struct FolderTable {
    /// Each folder.
    private(set) var byKey: [FileKey: Folder] = [:]
    private var counts: [UInt32: Int] = [:]
    /// Folders whose names other folders have, and until when they may turn up under another.
    var displaced: [(folder: Folder, due: Instant)] = []

    subscript(key: FileKey) -> Folder? {
        get { byKey[key] }
        set {
            let former = byKey[key]
            byKey[key] = newValue
            if let owner = newValue?.owner { counts[owner, default: 0] += 1 }
            guard let owner = former?.owner, let count = counts[owner] else { return }
            counts[owner] = count > 1 ? count - 1 : nil
        }
    }

    /// Folders of the owner who has most, which go in favour of a new one of another owner: at most so many, without folders
    /// in them, of which none was filed from. Those that are free go first.
    /// - Returns: none where nobody has more than this owner will have.
    func giving(
        _ most: Int, for owner: UInt32, besides parent: Folder, isFree: (Folder) -> Bool
    ) -> [Folder] {
        guard let giver = counts.max(by: { $0.value < $1.value }), giver.value > counts[owner, default: 0] + 1 else {
            return []
        }
        var found: (free: [Folder], others: [Folder]) = ([], [])
        for folder in byKey.values where folder.owner == giver.key && folder !== parent {
            guard folder.parent != nil, folder.folders.isEmpty, !folder.past.wasFilled else { continue }
            if isFree(folder) {
                found.free.append(folder)
            } else if found.others.count < most {
                found.others.append(folder)
            }
            if found.free.count == most { break }
        }
        return Array((found.free + found.others).prefix(most))
    }
}
