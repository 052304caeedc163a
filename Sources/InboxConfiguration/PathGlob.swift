/// A glob(7) that whoever opens the control socket may give, for long paths.
///
/// All ways in which the path so far may match are followed at once, each by a bit, so that a path is read once and 64
/// steps of the pattern are compared with a byte at a time: 1 KiB of pattern and a path of 4 KiB take tens of
/// microseconds, where `Glob` could take as many milliseconds. The table for that is too large for the many small patterns
/// that `Glob` has.
struct PathGlob: Sendable {
    /// The number of words that hold a bit for each step that takes one byte, and one for the end of the pattern.
    private let width: Int
    /// The bit of the pattern's end.
    private let end: Int
    /// `width` words for each byte: the steps that accept it.
    private var accepting: [UInt64]
    /// The steps that a `*` comes before, so that any byte may come before them.
    private var lingering: [UInt64]

    /// - Parameter glob: a pattern in which the case of letters counts.
    init(_ glob: Glob) {
        end = glob.bytes.steps.count { $0 != .run }
        width = end / 64 + 1
        accepting = [UInt64](repeating: 0, count: 256 * width)
        lingering = [UInt64](repeating: 0, count: width)
        /// The steps that accept every byte.
        var any = [UInt64](repeating: 0, count: width)
        var place = 0
        for step in glob.bytes.steps {
            switch step {
            case .run, .span, .folders:
                lingering[place / 64] |= 1 << (place % 64)
                continue
            case .one(let byte): note(place, accepts: byte)
            case .any: any[place / 64] |= 1 << (place % 64)
            case .set: for byte in UInt8.min...UInt8.max where step.accepts(byte) { note(place, accepts: byte) }
            }
            place += 1
        }
        for index in accepting.indices { accepting[index] |= any[index % width] }
    }

    private mutating func note(_ place: Int, accepts byte: UInt8) {
        accepting[Int(byte) * width + place / 64] |= 1 << (place % 64)
    }

    /// Returns whether the whole path matches.
    func matches(_ path: ArraySlice<UInt8>) -> Bool {
        /// The steps that may be next after what was read.
        var next = [UInt64](repeating: 0, count: width)
        next[0] = 1
        for byte in path {
            let row = Int(byte) * width
            var carry: UInt64 = 0
            var isAny: UInt64 = 0
            for word in 0..<width {
                let taken = next[word] & accepting[row + word]
                let after = taken << 1 | carry | next[word] & lingering[word]
                carry = taken >> 63
                next[word] = after
                isAny |= after
            }
            if isAny == 0 { return false }
        }
        return next[end / 64] >> (end % 64) & 1 == 1
    }
}
