import InboxDetection

/// The items of a picture in HEIF (ISO/IEC 23008-12): EXIF and XMP are items of their own.
struct ItemList {
    /// Items that are inspected: the largest pictures have a thousand tiles.
    private static let most = 4096

    private var exif: Int?
    private var packet: Int?
    private var places: [Int: (isInside: Bool, offset: Int, size: Int)] = [:]
    private var inside: Range<Int>?

    /// The items of a box `meta`.
    init(_ content: Range<Int>, _ excerpts: inout Excerpts) {
        guard content.count > 4 else { return }
        var copy = self
        var list: Range<Int>?
        Box.visit((content.lowerBound + 4)..<content.upperBound, &excerpts, ahead: 8192) { box, excerpts in
            if box.name.equals("iinf") {
                copy.readNames(box.content, &excerpts)
            } else if box.name.equals("iloc") {
                list = box.content
            } else if box.name.equals("idat") {
                copy.inside = box.content
            }
            return true
        }
        if let list {
            copy.readPlaces(excerpts.bytes(at: list.lowerBound, count: min(list.count, 32 * 1024)))
        }
        self = copy
    }

    /// Takes what the items say.
    func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        if let place = exif.flatMap(place) {
            let skip = 4 + (excerpts.bytes(at: place.lowerBound, count: min(4, place.count)).big32(at: 0) ?? 0)
            PictureDirectory(at: place.lowerBound + skip, size: place.count - skip, &excerpts)?
                .read(&excerpts, into: &findings)
        }
        guard !findings.isComplete, let place = packet.flatMap(place) else { return }
        XMPPacket.read(excerpts.bytes(at: place.lowerBound, count: min(place.count, 64 * 1024)), into: &findings)
    }

    private func place(_ item: Int) -> Range<Int>? {
        guard let place = places[item] else { return nil }
        guard place.isInside else { return place.offset..<(place.offset + place.size) }
        guard let inside, place.offset + place.size <= inside.count else { return nil }
        let start = inside.lowerBound + place.offset
        return start..<(start + place.size)
    }

    private mutating func readNames(_ content: Range<Int>, _ excerpts: inout Excerpts) {
        let list = excerpts.bytes(at: content.lowerBound, count: min(content.count, 32 * 1024))
        let isLong = list[0] > 0
        var place = isLong ? 8 : 6
        for _ in 0..<Self.most {
            guard let size = list.big32(at: place), size >= 12, list.has("infe", at: place + 4) else { return }
            let entry = list[(place + 8)..<(place + size)]
            let isWide = entry[0] >= 3
            if let item = isWide ? entry.big32(at: 4) : entry.big16(at: 4), entry[0] >= 2 {
                let kind = entry.from(isWide ? 10 : 8)
                if kind.has("Exif") { exif = exif ?? item }
                if kind.has("mime"), kind.contains("application/rdf+xml") { packet = packet ?? item }
            }
            place += size
        }
    }

    /// The list of places, whose numbers are as long as it says (8.11.3).
    private mutating func readPlaces(_ list: Bytes) {
        let version = list[0]
        let offsetSize = Int(list[4] >> 4)
        let lengthSize = Int(list[4] & 15)
        let baseSize = Int(list[5] >> 4)
        let indexSize = version > 0 ? Int(list[5] & 15) : 0
        var place = 6
        func number(_ size: Int) -> Int? {
            defer { place += size }
            switch size {
            case 0: return 0
            case 2: return list.big16(at: place)
            case 4: return list.big32(at: place)
            case 8:
                guard let high = list.big32(at: place), let low = list.big32(at: place + 4), high < 1 << 24 else {
                    return nil
                }
                return high << 32 | low
            default: return nil
            }
        }
        guard let count = number(version < 2 ? 2 : 4) else { return }
        for _ in 0..<min(count, Self.most) {
            guard let item = number(version < 2 ? 2 : 4) else { return }
            var method = 0
            if version > 0 { method = (number(2) ?? 0) & 15 }
            guard number(2) != nil, let base = number(baseSize), let extents = number(2) else { return }
            for index in 0..<extents {
                guard number(indexSize) != nil, let offset = number(offsetSize), let length = number(lengthSize) else {
                    return
                }
                if index == 0, method < 2, item == exif || item == packet {
                    places[item] = (method == 1, base + offset, length)
                }
                // Each of them takes room, but where the list says that its numbers have none.
                if place >= list.count { return }
                if indexSize + offsetSize + lengthSize == 0 { break }
            }
        }
    }
}
