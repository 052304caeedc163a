import Synchronization

/// A value that is made when it is first asked for, once, whichever thread asks.
package final class Once<Value: Sendable>: Sendable {
    private let made: Mutex<Value?> = Mutex(nil)
    private let make: @Sendable () -> Value

    /// Remembers how the value is made, and makes nothing.
    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value; the first caller makes it while others wait.
    package var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }

    /// Whether somebody asked already.
    package var isMade: Bool { made.withLock { $0 != nil } }
}
