import InboxLinux

/// Bytes that are only appended to. It has one owner, so that no append asks whether somebody else has the same bytes, as
/// an array does at each.
package struct ByteWriter: ~Copyable {
    private var storage = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// How many bytes there are.
    package private(set) var count = 0
    /// The time that was written last, and where its text is: the records of a batch have one.
    private var lastTime: (time: Timestamp, place: Int)?

    /// No bytes.
    package init() {}

    deinit { storage.deallocate() }

    /// The bytes, as an array.
    package var bytes: [UInt8] { Array(storage[..<count]) }

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
    /// and backslashes, and with `isASCII` what is beyond ASCII. Eight at a time, since every path is written twice.
    /// - Returns: false, and nothing is appended, where one does.
    mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> Bool {
        let length = text.count
        makeRoom(length + 2)
        guard let start = text.baseAddress, let end = storage.baseAddress else { return appendEmpty() }
        let (source, target) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(end + count))
        var specials: UInt64 = 0
        if length >= 8 {
            // The last eight bytes may have been among the ones before: they are written twice, to the same place.
            var place = 0
            while place < length {
                let word = source.loadUnaligned(fromByteOffset: min(place, length - 8), as: UInt64.self)
                specials |= Self.specials(word, isASCII: isASCII)
                target.storeBytes(of: word, toByteOffset: min(place, length - 8) + 1, as: UInt64.self)
                place += 8
            }
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
        let tops: UInt64 = 0x8080_8080_8080_8080
        func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
        /// Not zero where one of the bytes is less than this one, which is at most 0x80.
        func less(_ word: UInt64, than byte: UInt8) -> UInt64 { (word &- each(byte)) & ~word & tops }
        return less(word, than: 0x20) | less(word ^ each(0x7F), than: 1)
            | less(word ^ each(UInt8(ascii: "\"")), than: 1)
            | less(word ^ each(UInt8(ascii: "\\")), than: 1) | (isASCII ? word & tops : 0)
    }

    /// Appends what `body` writes: at most so many bytes, of which it returns the number.
    mutating func append(most: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        makeRoom(most)
        count += body(
            UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: storage[count..<(count + most)])))
    }

    /// Appends a number without leading zeros.
    mutating func append(_ number: UInt64) {
        // No number has more than 20 digits.
        makeRoom(20)
        var (digits, limit) = (1, UInt64(10))
        while digits < 20, number >= limit {
            digits += 1
            limit &*= 10
        }
        var (rest, place) = (number, count + digits)
        count = place
        while rest >= 10 {
            place -= 2
            let (tens, pair) = (rest / 100, rest % 100)
            storage.initializeElement(at: place + 1, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair % 10))
            storage.initializeElement(at: place, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: pair / 10))
            rest = tens
            digits -= 2
        }
        if digits > 0 {
            storage.initializeElement(at: place - 1, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest))
        }
    }

    /// Appends ``Timestamp/text``.
    mutating func append(_ time: Timestamp) {
        if let lastTime, lastTime.time == time {
            makeRoom(Self.timeLength)
            let text = UnsafeBufferPointer(rebasing: storage[lastTime.place..<(lastTime.place + Self.timeLength)])
            return append(text)
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
