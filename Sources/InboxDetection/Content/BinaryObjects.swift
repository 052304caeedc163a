/// CBOR (RFC 8949), recognised by its self-description tag or by being well formed to the last byte.
struct BinaryObjects {
    private let bytes: Bytes
    private var place = 0
    private var items = 0
    private var texts = 0

    /// The MIME type; nil where the bytes are not CBOR or too few to be sure.
    static func mime(_ head: Bytes, isWhole: Bool) -> String? {
        if head[0] == 0xD9, head[1] == 0xD9, head[2] == 0xF7 { return "application/cbor" }
        // Without the tag only a map whose keys are text strings is accepted.
        guard isWhole, head.count >= 8, head[0] >> 5 == 5 else { return nil }
        var reader = BinaryObjects(bytes: head)
        guard reader.map(depth: 0), reader.place == head.count, reader.texts >= 2 else { return nil }
        return "application/cbor"
    }

    private init(bytes: Bytes) {
        self.bytes = bytes
    }

    /// The argument of an item: its value, or nil where the length is left open or the bytes end.
    private mutating func argument() -> (value: Int?, isOpen: Bool)? {
        guard let first = bytes.byte(at: place) else { return nil }
        place += 1
        let low = Int(first & 31)
        switch low {
        case 0..<24: return (low, false)
        case 24...27:
            let width = 1 << (low - 24)
            guard place + width <= bytes.count else { return nil }
            var value = 0
            for index in 0..<width { value = (value & 0xFF_FFFF_FFFF_FFFF) << 8 | Int(bytes[place + index]) }
            place += width
            return (value & .max, false)
        case 31: return (nil, true)
        default: return nil
        }
    }

    private mutating func map(depth: Int) -> Bool {
        guard let (count, isOpen) = argument() else { return false }
        return entries(count, isOpen) { reader in
            guard reader.bytes[reader.place] >> 5 == 3, reader.item(depth: depth + 1) else { return false }
            reader.texts += 1
            return reader.item(depth: depth + 1)
        }
    }

    /// As many entries as were announced, or those up to a break.
    private mutating func entries(_ count: Int?, _ isOpen: Bool, _ read: (inout Self) -> Bool) -> Bool {
        guard let count else {
            guard isOpen else { return false }
            while bytes.byte(at: place) != 0xFF {
                guard place < bytes.count, read(&self) else { return false }
            }
            place += 1
            return true
        }
        guard count <= bytes.count else { return false }
        for _ in 0..<count where !read(&self) { return false }
        return true
    }

    private mutating func item(depth: Int) -> Bool {
        items += 1
        guard depth < 16, items < 4096, let first = bytes.byte(at: place) else { return false }
        switch first >> 5 {
        case 0, 1: return argument()?.isOpen == false
        case 2, 3: return string(first >> 5, depth: depth)
        case 4:
            guard let (count, isOpen) = argument() else { return false }
            return entries(count, isOpen) { $0.item(depth: depth + 1) }
        case 5: return map(depth: depth)
        case 6:
            guard argument()?.isOpen == false else { return false }
            return item(depth: depth + 1)
        default: return argument()?.isOpen == false
        }
    }

    private mutating func string(_ kind: UInt8, depth: Int) -> Bool {
        guard let (length, isOpen) = argument() else { return false }
        guard let length else {
            return entries(nil, isOpen) { reader in
                reader.bytes[reader.place] >> 5 == kind && reader.item(depth: depth + 1)
            }
        }
        guard length <= bytes.count - place else { return false }
        if kind == 3, bytes[place..<(place + length)].textSurvey() == nil { return false }
        place += length
        return true
    }
}
