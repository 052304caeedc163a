import InboxLinux

/// The `id` of a record: unique for ever, in the order of time, and short enough to type.
///
/// 45 bits of milliseconds since 1970 and 35 random bits, in the alphabet of Crockford's base 32, lower case.
package struct RecordID: Hashable, Sendable {
    private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

    private let milliseconds: UInt64
    private let random: UInt64

    /// An identifier that another run wrote; nil where it is none.
    package init?(_ text: String) {
        var text = text
        let digits = text.withUTF8 { text in text.count == 16 ? text.compactMap(Self.digit) : [] }
        guard digits.count == 16 else { return nil }
        milliseconds = digits[..<9].reduce(0) { $0 << 5 | $1 }
        random = digits[9...].reduce(0) { $0 << 5 | $1 }
    }

    /// The identifier after a prefix in the name of a file; nil for every other name.
    init?(in name: FileName, after prefix: String) {
        guard name.count == prefix.utf8.count + 16, name.bytes.starts(with: prefix.utf8) else { return nil }
        self.init(String(decoding: name.bytes.suffix(16), as: UTF8.self))
    }

    private static func digit(_ letter: UInt8) -> UInt64? {
        alphabet.withUTF8Buffer { letters in letters.firstIndex(of: letter).map { UInt64($0) } }
    }

    /// An identifier that goes before all that are made from the millisecond of this time on.
    package init(before time: Timestamp) { self.init(milliseconds: time.millisecondsOfID, random: 0) }

    private init(milliseconds: UInt64, random: UInt64) {
        // What the letters cannot hold is left out, so that an identifier is what its text says.
        self.milliseconds = milliseconds & (1 << 45 - 1)
        self.random = random & (1 << 35 - 1)
    }

    /// The 16 letters.
    package var text: String {
        String(unsafeUninitializedCapacity: 16) { write(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// Appends the 16 letters.
    func append(to bytes: inout ByteWriter) { bytes.append(most: 16) { write(to: $0) } }

    private func write(to letters: UnsafeMutableRawBufferPointer) -> Int {
        Self.alphabet.withUTF8Buffer { alphabet in
            for place in 0..<9 { letters[place] = alphabet[Int(milliseconds >> UInt64((8 - place) * 5) & 31)] }
            for place in 0..<7 { letters[9 + place] = alphabet[Int(random >> UInt64((6 - place) * 5) & 31)] }
        }
        return 16
    }

    /// When it was made, in seconds since 1970.
    package var seconds: Int64 { Int64(milliseconds / 1000) }

    /// Makes identifiers that grow from one to the next, even when the clock goes back or stops.
    package struct Source {
        private var milliseconds: UInt64 = 0
        private var random: UInt64 = 0
        private var numbers = RandomNumbers()

        /// None made yet.
        package init() {}

        /// The next one, at this time of the wall clock.
        package mutating func next(at time: Timestamp) -> RecordID {
            let now = time.millisecondsOfID
            if now > milliseconds {
                milliseconds = now
                // The upper bit stays free, so that counting on within a millisecond cannot run over.
                random = 1 + numbers.next() & (1 << 34 - 1)
            } else {
                random += 1 + numbers.next() & (1 << 16 - 1)
                if random >= 1 << 35 {
                    milliseconds += 1
                    random = 1 + numbers.next() & (1 << 34 - 1)
                }
            }
            return RecordID(milliseconds: milliseconds, random: random)
        }
    }
}

extension RecordID: Comparable {
    /// In the order of time, which is that of the texts too.
    package static func < (left: RecordID, right: RecordID) -> Bool {
        (left.milliseconds, left.random) < (right.milliseconds, right.random)
    }
}

extension Timestamp {
    /// Since 1970; none before.
    fileprivate var millisecondsOfID: UInt64 { UInt64(max(0, seconds)) &* 1000 &+ UInt64(nanoseconds / 1_000_000) }
}
