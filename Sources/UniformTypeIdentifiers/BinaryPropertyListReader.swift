/// Reads Apple's binary property lists (`bplist00`), as CFBinaryPList.c describes them.
///
/// A list is a table of objects that refer to each other by number, so it may contain itself or use one part very
/// often: depth, the number of values and the length of the texts are bounded, and every offset is checked.
struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let topObject: Int
    private let tableStart: Int
    private var valuesLeft = PropertyList.maximumCount
    private var textLeft = PropertyList.maximumTextSize

    /// Checks the header and the trailer.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: "bplist0".utf8), bytes.count >= 40 else {
            throw PropertyListError("the binary property list is cut off or of an unknown version")
        }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        self.bytes = bytes
        func number(_ place: Int) -> Int? { BinaryPropertyListReader.unsigned(bytes[place..<place + 8]) }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = number(trailer + 8), let top = number(trailer + 16), let table = number(trailer + 24),
            top < count, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
        else { throw PropertyListError("the trailer of the binary property list does not fit its length") }
        objectCount = count
        topObject = top
        tableStart = table
    }

    /// Reads the whole list.
    mutating func readTop() throws(PropertyListError) -> PropertyList {
        try object(topObject, depth: 0)
    }

    private mutating func object(_ number: Int, depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth < PropertyList.maximumDepth else {
            throw PropertyListError("the property list nests deeper than \(PropertyList.maximumDepth) levels")
        }
        guard valuesLeft > 0 else { throw tooMany }
        valuesLeft -= 1
        let entry = tableStart + number * offsetSize
        guard number < objectCount, let start = Self.unsigned(bytes[entry..<entry + offsetSize]),
            start >= 8, start < tableStart
        else { throw PropertyListError("object \(number) of the binary property list is not there") }
        let marker = bytes[start]
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .boolean(marker == 0x09)
        case 0x1: return try integer(at: start)
        case 0x5, 0x6: return .string(try string(at: start))
        case 0xA, 0xC:
            let (count, first) = try length(at: start)
            var elements: [PropertyList] = []
            for reference in try references(count, from: first) {
                elements.append(try object(reference, depth: depth + 1))
            }
            return .array(elements)
        case 0xD: return try dictionary(at: start, depth: depth)
        default: return .other
        }
    }

    private mutating func dictionary(at start: Int, depth: Int) throws(PropertyListError) -> PropertyList {
        let (count, first) = try length(at: start)
        let keys = try references(count, from: first)
        let values = try references(count, from: first + count * referenceSize)
        var entries: [String: PropertyList] = [:]
        for (key, value) in zip(keys, values) {
            guard let name = try object(key, depth: depth + 1).string else {
                throw PropertyListError("a key of a dictionary is no string")
            }
            entries[name] = try object(value, depth: depth + 1)
        }
        return .dictionary(entries)
    }

    private func integer(at start: Int) throws(PropertyListError) -> PropertyList {
        let size = 1 << Int(bytes[start] & 0x0F)
        guard size <= 16, start + 1 + size <= tableStart else { throw cutOff }
        // Up to four bytes are unsigned, eight are signed; sixteen hold what no Int does.
        guard size <= 8 else { return .other }
        var value: UInt64 = 0
        for byte in bytes[start + 1..<start + 1 + size] { value = value << 8 | UInt64(byte) }
        return .integer(Int(truncatingIfNeeded: value))
    }

    private mutating func string(at start: Int) throws(PropertyListError) -> String {
        let (count, first) = try length(at: start)
        guard count <= textLeft else {
            throw PropertyListError(
                "the texts of the property list are longer than \(PropertyList.maximumTextSize) bytes")
        }
        textLeft -= count
        if bytes[start] >> 4 == 0x5 {
            guard count <= tableStart - first else { throw cutOff }
            return String(decoding: bytes[first..<first + count], as: UTF8.self)
        }
        guard count <= (tableStart - first) / 2 else { throw cutOff }
        let units = (0..<count).map { UInt16(bytes[first + 2 * $0]) << 8 | UInt16(bytes[first + 2 * $0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    /// The count that a marker gives, and where what it counts begins.
    private func length(at start: Int) throws(PropertyListError) -> (count: Int, first: Int) {
        let low = Int(bytes[start] & 0x0F)
        guard low == 0x0F else { return (low, start + 1) }
        guard start + 1 < tableStart, bytes[start + 1] >> 4 == 0x1 else { throw cutOff }
        let size = 1 << Int(bytes[start + 1] & 0x0F)
        let first = start + 2 + size
        guard size <= 8, first <= tableStart, let count = Self.unsigned(bytes[start + 2..<first]) else { throw cutOff }
        return (count, first)
    }

    private func references(_ count: Int, from first: Int) throws(PropertyListError) -> [Int] {
        guard first <= tableStart, count <= (tableStart - first) / referenceSize else { throw cutOff }
        // Before they are read: the same references may be used as often as there are values.
        guard count <= valuesLeft else { throw tooMany }
        var references: [Int] = []
        references.reserveCapacity(count)
        for index in 0..<count {
            let place = first + index * referenceSize
            guard let reference = Self.unsigned(bytes[place..<place + referenceSize]) else { throw cutOff }
            guard reference < objectCount else {
                throw PropertyListError("object \(reference) of the binary property list is not there")
            }
            references.append(reference)
        }
        return references
    }

    private var tooMany: PropertyListError {
        PropertyListError("the property list has more than \(PropertyList.maximumCount) values")
    }

    private var cutOff: PropertyListError {
        PropertyListError("an object of the binary property list is cut off")
    }

    /// A big-endian number, or nil where it is beyond what any file could hold.
    private static func unsigned(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return value <= UInt64(UInt32.max) ? Int(value) : nil
    }
}
