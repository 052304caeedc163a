import InboxLinux

/// The number of times that each copied source returned to the Inbox. Without a limit, a source that somebody changes
/// each time would be copied forever.
struct ReturnedSources {
    /// After so many returns a source is copied no more.
    private static let mostReturns = 3
    /// So many sources are remembered.
    private static let most = 1000

    private var counts: [FileKey: Int] = [:]

    /// A source has returned.
    mutating func note(_ file: FileKey) {
        if counts.count > Self.most { counts = [:] }
        counts[file, default: 0] += 1
    }

    /// Returns the number of times that a source has returned; nil if it may be copied once more.
    func exhausted(_ file: FileKey) -> Int? {
        guard let count = counts[file], count >= Self.mostReturns else { return nil }
        return count
    }
}
