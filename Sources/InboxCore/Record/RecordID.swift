import InboxLinux

/// The `id` of a record: unique for ever, in the order of time, and short enough to type.
///
/// 45 bits of milliseconds since 1970 and 35 random bits, in the alphabet of Crockford's base 32, lower case.
public struct RecordID: Hashable, Sendable {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The 16 letters.
    public let text: String

    /// An identifier that another run wrote; nil where it is none.
    public init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = text
    }

    /// When it was made, in seconds since 1970.
    var seconds: Int64 {
        let digits = text.utf8.prefix(9).compactMap { Self.alphabet.firstIndex(of: $0) }
        return Int64(digits.reduce(0) { $0 << 5 | UInt64($1) } / 1000)
    }

    private init(milliseconds: UInt64, random: UInt64) {
        func letters(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { Self.alphabet[Int(number >> UInt64((count - 1 - $0) * 5) & 31)] }
        }
        text = String(decoding: letters(milliseconds, 9) + letters(random, 7), as: UTF8.self)
    }

    /// Makes identifiers that grow from one to the next, even when the clock goes back or stands still.
    struct Source {
        private var milliseconds: UInt64 = 0
        private var random: UInt64 = 0

        mutating func next(at time: Timestamp) -> RecordID {
            let now = UInt64(max(0, time.seconds)) &* 1000 &+ UInt64(time.nanoseconds / 1_000_000)
            if now > milliseconds {
                milliseconds = now
                // The upper bit stays free, so that counting on within a millisecond cannot run over.
                random = UInt64.random(in: 0..<(1 << 34))
            } else {
                random += UInt64.random(in: 1...(1 << 16))
                if random >= 1 << 35 {
                    milliseconds += 1
                    random = UInt64.random(in: 0..<(1 << 34))
                }
            }
            return RecordID(milliseconds: milliseconds, random: random)
        }
    }
}
