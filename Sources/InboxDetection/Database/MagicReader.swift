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
        /// How many bytes of value and mask make a word whose order is this machine's; 1 where the order is the file's.
        var word = 1
    }

    private let file: Bytes
    private var place = 0

    init(_ file: Bytes) {
        self.file = file
    }

    private var byte: UInt8? { file.byte(at: place) }

    mutating func readHeader() -> Bool {
        guard file.has("MIME-Magic\0\n") else { return false }
        place = 12
        return true
    }

    /// The next section's priority and MIME type; nil at the end or where the file is broken.
    mutating func readSection() -> (UInt8, Bytes)? {
        guard byte == UInt8(ascii: "["), let end = file.index(of: UInt8(ascii: "\n"), from: place) else { return nil }
        let line = file[(place + 1)..<end]
        guard let colon = line.index(of: UInt8(ascii: ":")), line.ends(with: "]") else { return nil }
        var digits = place + 1
        let priority = number(&digits)
        place = end + 1
        return (UInt8(clamping: min(priority, 100)), line[(colon + 1)..<(line.count - 1)])
    }

    /// The next comparison of the section; nil where it ends.
    mutating func readRule() -> Item? {
        guard let byte, byte == UInt8(ascii: ">") || ASCII.isDigit(byte) else { return nil }
        var item = Item()
        item.depth = UInt8(clamping: number(&place))
        guard take(UInt8(ascii: ">")) else { return fail() }
        item.offset = Int32(clamping: number(&place))
        guard take(UInt8(ascii: "=")), let length = file.big16(at: place) else { return fail() }
        place += 2
        guard place + length <= file.count else { return fail() }
        (item.value, item.length) = (place, length)
        place += length
        if take(UInt8(ascii: "&")) {
            guard place + length <= file.count else { return fail() }
            item.mask = place
            place += length
        }
        if take(UInt8(ascii: "~")) {
            let word = number(&place)
            // Words are in big-endian order in the file, and mean this machine's order in the content.
            if 1.littleEndian == 1, word == 2 || word == 4, length % word == 0 { item.word = word }
        }
        if take(UInt8(ascii: "+")) { item.range = Int32(clamping: number(&place)) }
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

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        place += 1
        return true
    }

    private func number(_ place: inout Int) -> Int {
        var value = 0
        while let byte = file.byte(at: place), ASCII.isDigit(byte) {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1 << 30)
            place += 1
        }
        return value
    }
}
