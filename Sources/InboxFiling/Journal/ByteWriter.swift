import InboxLinux

/// Bytes that are only appended to. It has one owner, so that no append asks whether somebody else has the same bytes, as
/// an array does at each.
package struct ByteWriter: ~Copyable {
    private var storage = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// The number of bytes.
    package private(set) var count = 0
    /// The time that was written last, and where its text is: the records of a batch are of one second.
    private var lastTime: (time: Timestamp, place: Int)?

    /// No bytes, and room for so many: bytes that have to move for more are copied, as often as that doubles the room.
    package init(room: Int = 0) { if room > 0 { storage = .allocate(capacity: room) } }

    deinit { storage.deallocate() }

    /// The bytes, as an array.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(rebasing: storage[..<count])) }

    /// The sum of the bytes from a place on.
    func sum(from start: Int) -> UInt64 {
        LineSum.of(UnsafeRawBufferPointer(UnsafeMutableBufferPointer(rebasing: storage[start..<count])))
    }

    /// Appends a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        makeRoom(1)
        storage.initializeElement(at: count, to: byte)
        count += 1
    }

    /// Appends bytes that lie together.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        makeRoom(bytes.count)
        _ = storage[count...].initialize(fromContentsOf: bytes)
        count += bytes.count
    }

    /// Appends a JSON string of these bytes, unless one of them needs an escape in it: control characters, quotation marks
    /// and backslashes, and with `isASCII` what is beyond ASCII. Sixteen at a time, since every path is written twice.
    /// - Returns: false, and nothing is appended, where one does.
    mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> Bool {
        let length = text.count
        makeRoom(length + 2)
        guard let start = text.baseAddress, let end = storage.baseAddress else { return appendEmpty() }
        let (source, target) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(end + count))
        var specials: UInt64 = 0
        if length > 16 {
            var place = 0
            while place < length - 16 {
                let (first, second) = (
                    source.loadUnaligned(fromByteOffset: place, as: UInt64.self),
                    source.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
                )
                specials |= Self.specials(first, isASCII: isASCII) | Self.specials(second, isASCII: isASCII)
                target.storeBytes(of: first, toByteOffset: place + 1, as: UInt64.self)
                target.storeBytes(of: second, toByteOffset: place + 9, as: UInt64.self)
                place += 16
            }
        }
        if length >= 8 {
            // The last bytes may have been among the ones before: they are written twice, to the same place.
            let place = max(0, length - 16)
            let (first, last) = (
                source.loadUnaligned(fromByteOffset: place, as: UInt64.self),
                source.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
            )
            specials |= Self.specials(first, isASCII: isASCII) | Self.specials(last, isASCII: isASCII)
            target.storeBytes(of: first, toByteOffset: place + 1, as: UInt64.self)
            target.storeBytes(of: last, toByteOffset: length - 7, as: UInt64.self)
        } else if length >= 4 {
            let (first, last) = (
                source.loadUnaligned(as: UInt32.self),
                source.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)
            )
            specials = Self.specials(UInt64(last) << 32 | UInt64(first), isASCII: isASCII)
            target.storeBytes(of: first, toByteOffset: 1, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: length - 3, as: UInt32.self)
        } else {
            // Blanks in place of what is missing.
            var word: UInt64 = 0x2020_2020_2020_2020
            for place in 0..<length {
                let byte = source.load(fromByteOffset: place, as: UInt8.self)
                word = word << 8 | UInt64(byte)
                target.storeBytes(of: byte, toByteOffset: place + 1, as: UInt8.self)
            }
            specials = Self.specials(word, isASCII: isASCII)
        }
        guard specials == 0 else { return false }
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length + 1, as: UInt8.self)
        count += length + 2
        return true
    }

    private mutating func appendEmpty() -> Bool {
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: "\""))
        return true
    }

    /// Not zero where one of the eight bytes needs an escape.
    @inline(__always)
    private static func specials(_ word: UInt64, isASCII: Bool) -> UInt64 {
        func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
        /// Has the top bit of each ASCII byte that is this one, and of others only beside such a byte.
        func equal(_ byte: UInt8) -> UInt64 { (word ^ each(byte)) &- each(1) }
        let found = (word &- each(0x20)) | equal(0x7F) | equal(UInt8(ascii: "\"")) | equal(UInt8(ascii: "\\"))
        return (found & ~word | (isASCII ? word : 0)) & each(0x80)
    }

    /// Appends a JSON string of these bytes, none of which needs an escape, and a colon: a key.
    mutating func appendKey(_ key: StaticString) {
        let length = key.utf8CodeUnitCount
        assert(key.withUTF8Buffer { $0.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C } })
        makeRoom(length + 3)
        guard let start = storage.baseAddress.map({ UnsafeMutableRawPointer($0 + count) }) else { return }
        start.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        Self.copy(UnsafeRawPointer(key.utf8Start), to: start + 1, length)
        start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length + 1, as: UInt8.self)
        start.storeBytes(of: UInt8(ascii: ":"), toByteOffset: length + 2, as: UInt8.self)
        count += length + 3
    }

    /// Copies a few bytes, for which a call would take longer; the last ones of eight or more may be copied twice.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ length: Int) {
        func copy<Word: BitwiseCopyable>(_ word: Word.Type, at place: Int) {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: place, as: word), toByteOffset: place, as: word)
        }
        if length < 8 { return (0..<length).forEach { copy(UInt8.self, at: $0) } }
        for place in stride(from: 0, to: length - 8, by: 8) { copy(UInt64.self, at: place) }
        copy(UInt64.self, at: length - 8)
    }

    /// Appends what `body` writes: at most so many bytes, of which it returns the number.
    mutating func append(most: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        makeRoom(most)
        count += body(
            UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: storage[count..<(count + most)])))
    }

    /// The numbers below 100, two digits each.
    private static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354\
        555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    /// Appends a number without leading zeros.
    mutating func append(_ number: UInt64) {
        // At most 20 digits: they are written beyond their place, from the last ones on, and moved there.
        makeRoom(72)
        guard let start = storage.baseAddress.map({ UnsafeMutableRawPointer($0 + count) }) else { return }
        let pairs = UnsafeRawPointer(Self.pairs.utf8Start)
        var (rest, place) = (number, 48)
        repeat {
            let pair = Int(truncatingIfNeeded: rest % 100)
            rest /= 100
            place -= 2
            start.storeBytes(
                of: pairs.loadUnaligned(fromByteOffset: 2 * pair, as: UInt16.self), toByteOffset: place, as: UInt16.self
            )
        } while rest > 0
        if start.load(fromByteOffset: place, as: UInt8.self) == UInt8(ascii: "0"), place < 47 { place += 1 }
        let digits = start.loadUnaligned(fromByteOffset: place, as: (UInt64, UInt64, UInt64).self)
        start.storeBytes(of: digits, as: (UInt64, UInt64, UInt64).self)
        count += 48 - place
    }

    /// Appends ``Timestamp/text``.
    mutating func append(_ time: Timestamp) {
        if let lastTime, lastTime.time.seconds == time.seconds {
            makeRoom(Self.timeLength)
            append(UnsafeBufferPointer(rebasing: storage[lastTime.place..<(lastTime.place + Self.timeLength)]))
            var rest = min(time.nanoseconds, 999_999_999) / 1_000_000
            for place in 2...4 {
                storage[count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return
        }
        var text: [UInt8] = []
        time.appendText(to: &text)
        if text.count == Self.timeLength { lastTime = (time, count) }
        text.withUnsafeBufferPointer { append($0) }
    }

    /// Bytes: a moment as RFC 3339 has it, with milliseconds.
    private static let timeLength = 24

    @inline(__always)
    private mutating func makeRoom(_ needed: Int) {
        if storage.count - count < needed { grow(needed) }
    }

    private mutating func grow(_ needed: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(512, 2 * storage.count, count + needed))
        _ = larger.initialize(fromContentsOf: storage[..<count])
        storage.deallocate()
        storage = larger
    }
}
