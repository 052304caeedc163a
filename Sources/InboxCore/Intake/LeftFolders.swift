/// The folders that have left the tree, with what is held or ignored in them: that may be a million arrivals, of which some go
/// in each turn of the loop, so that nobody waits for all.
struct LeftFolders {
    /// Arrivals: so many go in a turn.
    static let portion = 1_024

    /// The fate of the arrivals in a folder that has left the tree.
    enum Fate {
        /// Their owner took them back.
        case taken
        /// Nothing is known of them: what they are in may merely be absent.
        case absent
        /// They are parts of another arrival.
        case absorbed
    }

    /// The folders with arrivals that are left.
    var row: [(folder: Folder, fate: Fate)] = []
    /// The number of arrivals that may still go in this turn.
    var budget = portion

    /// The folder whose arrivals go next, and how many of them may go in this turn; nil where there is none.
    var next: (folder: Folder, fate: Fate, most: Int)? {
        guard budget > 0, let last = row.last else { return nil }
        return (last.folder, last.fate, budget)
    }

    /// So many of the next folder's arrivals have gone.
    mutating func note(gone count: Int) {
        // Fewer than were asked for: those were the last.
        if count < budget { row.removeLast() }
        budget -= count
    }
}
