import Synchronization

/// A value that is made when it is first asked for, once, whichever thread asks.
///
/// Asking again is one load from memory: it is what every document does, several times. Everything that does so is
/// `@inlinable`, because a generic type of another module would look up its metadata at each question.
package final class Once<Value: Sendable>: Sendable {
    /// Holds the value, so that it can be published by one pointer.
    @usableFromInline
    final class Made: Sendable {
        @usableFromInline let value: Value

        init(_ value: Value) { self.value = value }
    }

    @usableFromInline let made = AtomicLazyReference<Made>()
    private let making = Mutex<Void>(())
    private let make: @Sendable () -> Value

    /// Remembers how the value is made, and makes nothing.
    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value; the first caller makes it while others wait.
    @inlinable
    package var value: Value {
        if let made = made.load() { return made.value }
        return makeValue()
    }

    /// Whether somebody asked already.
    @inlinable
    package var isMade: Bool { made.load() != nil }

    @usableFromInline
    func makeValue() -> Value {
        making.withLock { _ in
            // Another thread may have been faster.
            if let made = made.load() { return made.value }
            return made.storeIfNil(Made(make())).value
        }
    }
}
