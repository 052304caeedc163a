/// Reads the binary `magic` file of the database, whatever its bytes are.
///
///     MIME-Magic NUL LF
///     [priority:MIME-type] LF
///     [depth] > offset = length(2, big-endian) value [& mask] [~ word] [+ range] LF
struct MagicReader {
    /// One comparison as the file has it, the value and mask in the order of the content's bytes.
    struct Item {
        var depth: UInt8 = 0
        var offset: Int32 = 0
        var range: Int32 = 1
        var value: [UInt8] = []
        var mask: [UInt8] = []
    }

    private let file: [UInt8]
    private var place = 0

    init(_ file: [UInt8]) {
        self.file = file
    }

    private var byte: UInt8? { place < file.count ? file[place] : nil }

    mutating func readHeader() -> Bool {
        guard file.starts(with: "MIME-Magic\0\n".utf8) else { return false }
        place = 12
        return true
    }

    /// The next section's priority and MIME type; nil at the end or where the file is broken.
    mutating func readSection() -> (UInt8, ArraySlice<UInt8>)? {
        guard byte == UInt8(ascii: "["), let end = file[place...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = file[(place + 1)..<end]
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.last == UInt8(ascii: "]") else { return nil }
        var digits = place + 1
        let priority = number(&digits)
        place = end + 1
        return (UInt8(clamping: min(priority, 100)), line[(colon + 1)...].dropLast())
    }

    /// The next comparison of the section; nil where it ends.
    mutating func readRule() -> Item? {
        guard let byte, byte == UInt8(ascii: ">") || ASCII.isDigit(byte) else { return nil }
        var item = Item()
        item.depth = UInt8(clamping: number(&place))
        guard take(UInt8(ascii: ">")) else { return fail() }
        item.offset = Int32(clamping: number(&place))
        guard take(UInt8(ascii: "=")), place + 2 <= file.count else { return fail() }
        let length = Int(file[place]) << 8 | Int(file[place + 1])
        place += 2
        guard place + length <= file.count else { return fail() }
        item.value = Array(file[place..<(place + length)])
        place += length
        if take(UInt8(ascii: "&")) {
            guard place + length <= file.count else { return fail() }
            item.mask = Array(file[place..<(place + length)])
            place += length
        }
        if take(UInt8(ascii: "~")) {
            let word = number(&place)
            // Words are in big-endian order in the file, and mean this machine's order in the content.
            if 1.littleEndian == 1, word == 2 || word == 4 {
                item.value = Self.swapped(item.value, by: word)
                item.mask = Self.swapped(item.mask, by: word)
            }
        }
        if take(UInt8(ascii: "+")) { item.range = Int32(clamping: number(&place)) }
        // Whatever a later version appends to the line is passed over.
        guard let end = file[place...].firstIndex(of: UInt8(ascii: "\n")) else { return fail() }
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
        while place < file.count, ASCII.isDigit(file[place]) {
            value = min(value * 10 + Int(file[place] - UInt8(ascii: "0")), 1 << 30)
            place += 1
        }
        return value
    }

    private static func swapped(_ bytes: [UInt8], by word: Int) -> [UInt8] {
        guard !bytes.isEmpty, bytes.count % word == 0 else { return bytes }
        return stride(from: 0, to: bytes.count, by: word).flatMap { bytes[$0..<($0 + word)].reversed() }
    }
}
