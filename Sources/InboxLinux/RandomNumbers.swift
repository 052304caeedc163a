import Glibc

/// Random numbers of the kernel, fetched 32 at a time: a call for each would cost as much as a small read.
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    /// Bytes: getentropy(3) gives no more at once.
    private static let most = 256

    private var numbers: [UInt64] = []

    /// None fetched yet.
    package init() {}

    /// The next one.
    package mutating func next() -> UInt64 {
        if let number = numbers.popLast() { return number }
        numbers = [UInt64](repeating: 0, count: Self.most / MemoryLayout<UInt64>.size)
        let isFilled = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) == 0 }
        if !isFilled {
            // A kernel without the call: the standard library knows another way.
            var system = SystemRandomNumberGenerator()
            for index in numbers.indices { numbers[index] = system.next() }
        }
        return numbers.removeLast()
    }
}
