/// Numbers as text, written straight into bytes.
package enum DecimalDigits {
    /// Appends a number without leading zeros.
    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        // No number has more than 20 digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = number
            repeat {
                first -= 1
                digits.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends the last digits of a number, so many of them, with leading zeros.
    package static func append(_ number: Int32, width: Int, to bytes: inout [UInt8]) {
        var unit: Int32 = 1
        for _ in 1..<width { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
    }
}
