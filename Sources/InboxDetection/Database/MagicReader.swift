/// Reads the binary `magic` file of the database, whatever its bytes are.
///
///     MIME-Magic NUL LF
///     [priority:MIME-type] LF
///     [depth] > offset = length(2, big-endian) value [& mask] [~ word] [+ range] LF
struct MagicReader {
    /// One comparison as the file has it.
    struct Item {
        var depth: UInt8 = 0
        var offset: Int32 = 0
        var range: Int32 = 1
        /// Where in the file the value lies, and how long it is.
        var value = 0
        var length = 0
        /// Where in the file the mask lies, which is as long as the value; nil where there is none.
        var mask: Int?
        /// The number of bytes of value and mask that make a word in this machine's byte order; 1 for the order of
        /// the file.
        var word = 1
    }

    private let file: Bytes
    private var place = 0

    init(_ file: Bytes) {
        self.file = file
    }

    mutating func readHeader() -> Bool {
        guard file.has("MIME-Magic\0\n") else { return false }
        place = 12
        return true
    }

    /// The next section's priority and MIME type; nil at the end or where the file is broken.
    mutating func readSection() -> (UInt8, Bytes)? {
        guard file[place] == UInt8(ascii: "[") else { return nil }
        let colon = file.endOfField(from: place + 1, separator: UInt8(ascii: ":"))
        guard file[colon] == UInt8(ascii: ":") else { return nil }
        let end = file.endOfField(from: colon + 1, separator: UInt8(ascii: "\n"))
        guard file[end] == UInt8(ascii: "\n"), file[end - 1] == UInt8(ascii: "]") else { return nil }
        place += 1
        let priority = number()
        place = end + 1
        return (UInt8(clamping: min(priority, 100)), file[(colon + 1)..<(end - 1)])
    }

    /// The next comparison of the section; nil where it ends.
    mutating func readRule() -> Item? {
        // Nothing begins with a byte 0, which is what the window has after its end.
        guard file[place] == UInt8(ascii: ">") || ASCII.isDigit(file[place]) else { return nil }
        var item = Item()
        item.depth = UInt8(clamping: number())
        guard take(UInt8(ascii: ">")) else { return fail() }
        item.offset = Int32(clamping: number())
        guard take(UInt8(ascii: "=")), let length = file.big16(at: place) else { return fail() }
        place += 2
        guard place + length <= file.count else { return fail() }
        (item.value, item.length) = (place, length)
        place += length
        if take(UInt8(ascii: "\n")) { return item }
        if take(UInt8(ascii: "&")) {
            guard place + length <= file.count else { return fail() }
            item.mask = place
            place += length
        }
        if take(UInt8(ascii: "~")) {
            let word = number()
            // Words are in big-endian order in the file, and mean this machine's order in the content.
            if 1.littleEndian == 1, word == 2 || word == 4, length % word == 0 { item.word = word }
        }
        if take(UInt8(ascii: "+")) { item.range = Int32(clamping: number()) }
        if take(UInt8(ascii: "\n")) { return item }
        // Whatever a later version appends to the line is passed over.
        guard let end = file.index(of: UInt8(ascii: "\n"), from: place) else { return fail() }
        place = end + 1
        return item
    }

    private mutating func fail() -> Item? {
        place = file.count
        return nil
    }

    @inline(__always)
    private mutating func take(_ wanted: UInt8) -> Bool {
        guard file[place] == wanted else { return false }
        place += 1
        return true
    }

    @inline(__always)
    private mutating func number() -> Int {
        var value = 0
        while ASCII.isDigit(file[place]) {
            value = min(value * 10 + Int(file[place] - UInt8(ascii: "0")), 1 << 30)
            place += 1
        }
        return value
    }
}
