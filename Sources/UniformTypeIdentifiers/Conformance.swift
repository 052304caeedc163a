/// The whole conformance of a catalogue as a bit matrix: one load shows whether a type conforms to another.
///
/// Only types that have subtypes get a column: they are few, which keeps the matrix in some tens of kilobytes.
struct Conformance: Sendable {
    private let columns: LentArray<Int32>
    private let words: Int
    private let bits: LentArray<UInt64>

    /// An edge that would close a cycle, and was left out.
    struct Cycle {
        let row: Int
        let parent: Int
    }

    /// Follows the parents of every row, in row order; what closes a cycle is left out of `parents` and reported in
    /// `cycles`.
    ///
    /// The first row keeps its parents: of `A < B` and `B < A` the one declared second is left out.
    init(rows: inout LentArray<TypeRows.Row>, parents: inout LentArray<Int32>, cycles: inout [Cycle]) {
        var columns = [Int32](repeating: -1, count: rows.count)
        var count: Int32 = 0
        for parent in parents where columns[Int(parent)] < 0 {
            columns[Int(parent)] = count
            count += 1
        }
        let words = (Int(count) + 63) / 64
        var bits = [UInt64](repeating: 0, count: words * rows.count)
        func inherit(_ row: Int, from parent: Int) {
            for word in 0..<words { bits[row * words + word] |= bits[parent * words + word] }
            let column = Int(columns[parent])
            if column >= 0 { bits[row * words + column / 64] |= 1 << UInt64(column % 64) }
        }

        var state = [Visit](repeating: .new, count: rows.count)
        // An explicit stack: a hostile chain of declarations may be as long as there are types.
        var path: [(row: Int, next: Int32)] = []
        for start in rows.indices where state[start] == .new {
            path.append((start, rows[start].parents.lowerBound))
            state[start] = .open
            while let (row, next) = path.last {
                if next == rows[row].parents.upperBound {
                    state[row] = .done
                    path.removeLast()
                    if let below = path.last?.row { inherit(below, from: row) }
                    continue
                }
                let parent = Int(parents[Int(next)])
                switch state[parent] {
                case .open:
                    cycles.append(Cycle(row: row, parent: parent))
                    let range = rows[row].parents
                    for place in Int(next)..<Int(range.upperBound) - 1 { parents[place] = parents[place + 1] }
                    rows[row].parents = range.lowerBound..<range.upperBound - 1
                case .done:
                    path[path.count - 1].next += 1
                    inherit(row, from: parent)
                case .new:
                    path[path.count - 1].next += 1
                    state[parent] = .open
                    path.append((parent, rows[parent].parents.lowerBound))
                }
            }
        }
        self.columns = LentArray(copying: columns)
        self.words = words
        self.bits = LentArray(copying: bits)
    }

    private enum Visit { case new, open, done }

    /// The next matrix of an image.
    init(reading image: inout TableImage.Reader) {
        columns = LentArray(reading: &image)
        bits = LentArray(reading: &image)
        words = bits.count / columns.count
    }

    /// Adds the matrix to an image.
    func write(to image: inout TableImage) {
        columns.withUnsafeBufferPointer { image.append($0) }
        bits.withUnsafeBufferPointer { image.append($0) }
    }

    /// Returns whether `row` is `supertype` or conforms to it.
    @inline(__always)
    func holds(_ row: Int, _ supertype: Int) -> Bool {
        if row == supertype { return true }
        let column = Int(columns[supertype])
        guard column >= 0 else { return false }
        return bits[row &* words &+ column >> 6] >> UInt64(column & 63) & 1 == 1
    }
}
