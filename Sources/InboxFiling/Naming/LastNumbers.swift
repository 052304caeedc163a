import InboxLinux
import Synchronization

/// The last number that was given in each row of names: only a hint of where to look for a free one, shared by all
/// batches and copies.
package final class LastNumbers: Sendable {
    /// One name in one folder.
    struct Row: Hashable {
        let folder: FileKey
        let name: FileName
    }

    /// This many rows are remembered; after that all are forgotten, and the next number is searched for again.
    static let limit = 4096

    private let known = Mutex<[Row: Int]>([:])

    /// Nothing remembered.
    package init() {}

    /// The number of rows remembered.
    var count: Int { known.withLock { $0.count } }

    /// The last number given in a row; nil where that is not remembered.
    func last(of row: Row) -> Int? { known.withLock { $0[row] } }

    /// A number was given.
    func remember(_ number: Int, for row: Row) {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[row] = number
        }
    }
}
