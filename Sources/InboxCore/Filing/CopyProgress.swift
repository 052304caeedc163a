import Synchronization

/// How far a copy has come: written by the worker, read by whoever is asked meanwhile.
final class CopyProgress: Sendable {
    /// How many bytes the document has.
    let total: UInt64
    private let copied = Atomic<UInt64>(0)

    init(total: UInt64) {
        self.total = total
    }

    /// How many bytes have been dealt with, holes included.
    var done: UInt64 {
        get { copied.load(ordering: .relaxed) }
        set { copied.store(newValue, ordering: .relaxed) }
    }
}

/// The wish that the copies under way are given up.
final class CopyAbort: Sendable {
    private let wished = Atomic<Bool>(false)

    /// Whether it was wished.
    var isWished: Bool { wished.load(ordering: .relaxed) }

    /// Wishes it, for good.
    func wish() { wished.store(true, ordering: .relaxed) }
}
