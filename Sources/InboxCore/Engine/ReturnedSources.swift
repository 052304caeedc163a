import InboxLinux

/// How often sources returned to the Inbox that had been copied: where somebody changes one each time, there would be no
/// end of copies.
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

    /// How often a source has returned; nil where it may be copied once more.
    func exhausted(_ file: FileKey) -> Int? {
        guard let count = counts[file], count >= Self.mostReturns else { return nil }
        return count
    }
}
