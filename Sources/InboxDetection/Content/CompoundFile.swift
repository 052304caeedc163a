/// Microsoft's compound file ([MS-CFB]) by its root storage: the root's class identifier and the names of what lies
/// directly in it. What lies deeper belongs to embedded objects.
struct CompoundFile {
    /// Entries of the directory that are inspected.
    private static let mostEntries = 256
    private static let entrySize = 128

    private let shift: Int
    /// The directory's beginning, in the order of its sectors.
    private let directory: UnsafeMutableRawBufferPointer
    private var filled = 0

    /// The MIME type of the format; nil where the root names no known one.
    static func mime(_ content: inout Content) -> String? {
        guard let shift = content.head.little16(at: 30), shift == 9 || shift == 12,
            let sector = content.head.little32(at: 48)
        else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: mostEntries * entrySize, alignment: 8) { buffer in
            var file = CompoundFile(shift: shift, directory: buffer)
            file.readDirectory(from: sector, &content)
            return file.marks().mime
        }
    }

    /// Whether the furthest sector that the allocation table lists as used is there.
    static func completeness(_ content: inout Content, _ size: Int) -> Completeness {
        guard let shift = content.head.little16(at: 30), shift == 9 || shift == 12,
            let count = content.head.little32(at: 44), count > 0, count < 1 << 20
        else { return .unknown }
        let table = AllocationTable(shift: shift)
        let perSector = 1 << (shift - 2)
        for index in stride(from: count - 1, through: max(0, count - 4), by: -1) {
            guard let sector = table.place(of: index, &content), sector < 0xFFFF_FFFA else { return .unknown }
            let place = (sector + 1) << shift
            let cut = Completeness.needs(place + 1 << shift, of: size, "a compound document of this table")
            guard cut == .complete else { return cut }
            let last = content.reading(at: place, count: 1 << shift) { bytes, _ in
                (0..<(bytes.count / 4)).last { bytes.little32(at: 4 * $0) != 0xFFFF_FFFF }
            }
            // Some writers leave the rest of the last sector out.
            if let last {
                let needed = (index * perSector + last + 1) << shift + 1
                return .needs(needed, of: size, "a compound document of this table")
            }
        }
        return .unknown
    }

    private init(shift: Int, directory: UnsafeMutableRawBufferPointer) {
        self.shift = shift
        self.directory = directory
    }

    /// Follows the directory's sectors; those that lie side by side are read at once.
    private mutating func readDirectory(from start: Int, _ content: inout Content) {
        var sector = start
        var table = AllocationTable(shift: shift)
        while sector < 0xFFFF_FFFA, filled < directory.count {
            var count = 1
            var next = table.following(sector, &content)
            while let behind = next, behind == sector + count, count < 8 {
                count += 1
                next = table.following(behind, &content)
            }
            let wanted = min(count << shift, directory.count - filled)
            let place = UnsafeMutableRawBufferPointer(rebasing: directory[filled..<(filled + wanted)])
            let bytes = content.read(at: (sector + 1) << shift, into: place)
            guard !bytes.isEmpty else { return }
            // What the head holds already is handed out where it lies.
            bytes.withRaw { place.copyMemory(from: $0) }
            filled += bytes.count
            guard bytes.count == wanted, let next else { return }
            sector = next
        }
    }

    /// The entries of the root storage: a tree of siblings below the root's child.
    private func marks() -> CompoundNames {
        let bytes = Bytes(UnsafeRawBufferPointer(rebasing: directory[..<filled]))
        let count = filled / Self.entrySize
        var names = CompoundNames()
        guard count > 0, let child = bytes.little32(at: 76) else { return names }
        names.addRoot(bytes[80..<96])
        var isSeen = [Bool](repeating: false, count: count)
        var open = [child]
        while let index = open.popLast() {
            guard index < count, !isSeen[index] else { continue }
            isSeen[index] = true
            let entry = bytes[(index * Self.entrySize)..<((index + 1) * Self.entrySize)]
            names.add(entry)
            open.append(entry.little32(at: 68) ?? .max)
            open.append(entry.little32(at: 72) ?? .max)
        }
        return names
    }
}

/// The chains of a compound file's sectors, of which the last piece read is kept.
private struct AllocationTable {
    /// Lists of the table's sectors that are followed; what lies in the head is read without end otherwise.
    private static let mostLists = 16
    /// How many chain links are read at once.
    private static let window = 64

    let shift: Int
    private var first = -1
    private var links: [Int] = []

    init(shift: Int) {
        self.shift = shift
    }

    /// The sector that follows another; nil where the table is out of reach.
    mutating func following(_ sector: Int, _ content: inout Content) -> Int? {
        if first >= 0, sector >= first, sector < first + links.count { return links[sector - first] }
        let perSector = 1 << (shift - 2)
        let index = sector / perSector
        guard let table = place(of: index, &content), table < 0xFFFF_FFFA else { return nil }
        let start = sector % perSector
        let count = min(Self.window, perSector - start)
        links = content.reading(at: ((table + 1) << shift) + 4 * start, count: 4 * count) { bytes, _ in
            (0..<(bytes.count / 4)).map { bytes.little32(at: 4 * $0) ?? .max }
        }
        first = sector
        return links.first
    }

    /// Which sector holds a sector of the table: the header lists the first 109, which suffice for 7 MB, and a chain of
    /// further lists the others.
    func place(of index: Int, _ content: inout Content) -> Int? {
        guard index >= 109 else { return content.head.little32(at: 76 + 4 * index) }
        let perList = (1 << (shift - 2)) - 1
        var rest = index - 109
        var list = content.head.little32(at: 68)
        // Each list ends with the place of the next one, which may be itself: a file has no more of them than may be read.
        for _ in 0..<Self.mostLists {
            guard let known = list, known < 0xFFFF_FFFA else { return nil }
            let isHere = rest < perList
            let entry = ((known + 1) << shift) + 4 * (isHere ? rest : perList)
            list = content.reading(at: entry, count: 4) { bytes, _ in bytes.little32(at: 0) }
            if isHere { return list }
            rest -= perList
        }
        return nil
    }
}
