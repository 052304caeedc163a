/// Sorting by a number, byte by byte from its lowest one; items with the same number keep their order.
///
/// An array's own sorting would do, but its first use costs a start 160,000 instructions: the runtime searches all
/// conformances of the program for the one of `Int` to `Comparable`.
enum StableOrder {
    /// Sorts the items by the lowest `bytes` bytes of their numbers.
    static func sort<Item>(_ items: inout [Item], bytes: Int, by number: (Item) -> UInt64) {
        for byte in 0..<bytes {
            let shift = UInt64(8 * byte)
            var starts = [Int](repeating: 0, count: 257)
            for item in items { starts[Int(number(item) >> shift & 0xFF) + 1] += 1 }
            // Where all have the same byte there is nothing to do: offsets seldom need more than two.
            guard !starts.contains(items.count) else { continue }
            for value in 0..<256 { starts[value + 1] += starts[value] }
            var sorted = items
            for item in items {
                let value = Int(number(item) >> shift & 0xFF)
                sorted[starts[value]] = item
                starts[value] += 1
            }
            items = sorted
        }
    }
}
