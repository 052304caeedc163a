import Synchronization

/// Bytes copied so far: written by the worker, read by any thread.
package final class CopyProgress: Sendable {
    /// The number of bytes of the document.
    package let total: UInt64
    private let copied = Atomic<UInt64>(0)

    /// A copy of so many bytes, none of them done.
    package init(total: UInt64) {
        self.total = total
    }

    /// The number of bytes processed, holes included.
    package var done: UInt64 {
        get { copied.load(ordering: .relaxed) }
        set { copied.store(newValue, ordering: .relaxed) }
    }
}
