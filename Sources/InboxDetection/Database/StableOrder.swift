/// Sorting by a number, byte by byte from its lowest one; items with the same number keep their order.
///
/// An array's own sorting would do, but its first use costs a start 160,000 instructions: the runtime searches all
/// conformances of the program for the one of `Int` to `Comparable`.
enum StableOrder {
    /// The places of the items in the order of their numbers, of which the lowest `bytes` bytes count.
    static func places(of numbers: [UInt64], bytes: Int) -> [Int] {
        var places = Array(numbers.indices)
        for byte in 0..<bytes {
            let shift = UInt64(8 * byte)
            var starts = [Int](repeating: 0, count: 257)
            for number in numbers { starts[Int(number >> shift & 0xFF) + 1] += 1 }
            // Where all have the same byte there is nothing to do: offsets seldom need more than two.
            guard !starts.contains(numbers.count) else { continue }
            for value in 0..<256 { starts[value + 1] += starts[value] }
            var sorted = places
            for place in places {
                let value = Int(numbers[place] >> shift & 0xFF)
                sorted[starts[value]] = place
                starts[value] += 1
            }
            places = sorted
        }
        return places
    }

    /// Where the items of each byte begin among the items in the order of the bytes, and after those of 255 the end.
    static func starts(of bytes: [UInt64]) -> [Int32] {
        var starts = [Int32](repeating: 0, count: 257)
        for byte in bytes { starts[Int(byte & 0xFF) + 1] += 1 }
        for byte in 0..<256 { starts[byte + 1] += starts[byte] }
        return starts
    }
}
