import Synchronization

/// A value that is made when it is first asked for, once, whichever thread asks.
///
/// Asking again is one load from memory: it is what every document does, several times. What does so is `@inlinable`,
/// because a generic type of another module would look up its metadata at each question.
package final class Once<Value: Sendable>: Sendable {
    /// Set once the value is in its place.
    @usableFromInline let hasMade = Atomic<Bool>(false)
    /// Written once, before `hasMade` is set, and only read after that.
    @usableFromInline nonisolated(unsafe) let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let making = Mutex<Void>(())
    private let make: @Sendable () -> Value

    /// Remembers how the value is made, and makes nothing.
    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    deinit {
        if isMade { place.deinitialize(count: 1) }
        place.deallocate()
    }

    /// The value; the first caller makes it while others wait.
    @inlinable
    package var value: Value {
        if !isMade { makeValue() }
        return place.pointee
    }

    /// The value has been made.
    @inlinable
    package var isMade: Bool { hasMade.load(ordering: .acquiring) }

    @usableFromInline
    func makeValue() {
        making.withLock { _ in
            // Another thread may have been faster.
            guard !isMade else { return }
            place.initialize(to: make())
            hasMade.store(true, ordering: .releasing)
        }
    }
}
