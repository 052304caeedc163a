/// Microsoft's compound file ([MS-CFB]) by its root storage: the root's class identifier and the names of what lies
/// directly in it. What lies deeper belongs to embedded objects.
package struct CompoundFile {
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

    /// Returns whether the furthest sector that the allocation table lists as used is there.
    static func completeness(_ content: inout Content, _ size: Int) -> Completeness {
        guard let shift = content.head.little16(at: 30), shift == 9 || shift == 12,
            let count = content.head.little32(at: 44), count > 0, count < 1 << 20
        else { return .unknown }
        let table = AllocationTable(shift: shift)
        let perSector = 1 << (shift - 2)
        for index in stride(from: count - 1, through: max(0, count - 4), by: -1) {
            guard let sector = table.place(of: index, &content), sector < 0xFFFF_FFFA else { return .unknown }
            let place = (sector + 1) << shift
            let cut = Completeness.needs(place + 1 << shift, of: size, "a compound document")
            guard cut == .complete else { return cut }
            let last = content.reading(at: place, count: 1 << shift) { bytes, _ in
                (0..<(bytes.count / 4)).last { bytes.little32(at: 4 * $0) != 0xFFFF_FFFF }
            }
            // Some writers leave the rest of the last sector out.
            if let last {
                let needed = (index * perSector + last + 1) << shift + 1
                return .needs(needed, of: size, "a compound document")
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

    private func marks() -> CompoundNames {
        var names = CompoundNames()
        guard filled >= Self.entrySize else { return names }
        names.addRoot(entries[80..<96])
        visitRoot { names.add($0) }
        return names
    }

    private var entries: Bytes { Bytes(UnsafeRawBufferPointer(rebasing: directory[..<filled])) }

    /// Shows the entries of the root storage: a tree of siblings below the root's child.
    private func visitRoot(_ body: (Bytes) -> Void) {
        let bytes = entries
        let count = filled / Self.entrySize
        guard count > 0, let child = bytes.little32(at: 76) else { return }
        var isSeen = [Bool](repeating: false, count: count)
        var open = [child]
        while let index = open.popLast() {
            guard index < count, !isSeen[index] else { continue }
            isSeen[index] = true
            let entry = bytes[(index * Self.entrySize)..<((index + 1) * Self.entrySize)]
            body(entry)
            open.append(entry.little32(at: 68) ?? .max)
            open.append(entry.little32(at: 72) ?? .max)
        }
    }
}

extension CompoundFile {
    /// Bytes of a sector of the stream that small streams lie in.
    private static let smallSector = 64

    /// Returns the beginning of a stream of the root storage, in `buffer`; nil where there is none of this name.
    package static func stream(
        named name: StaticString, _ content: inout Content, into buffer: UnsafeMutableRawBufferPointer
    ) -> Bytes? {
        guard let shift = content.head.little16(at: 30), shift == 9 || shift == 12,
            let sector = content.head.little32(at: 48)
        else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: mostEntries * entrySize, alignment: 8) { space in
            var file = CompoundFile(shift: shift, directory: space)
            file.readDirectory(from: sector, &content)
            var found: (start: Int, size: Int)?
            file.visitRoot { entry in
                guard hasName(entry, name), let start = entry.little32(at: 116), let size = entry.little32(at: 120)
                else { return }
                found = (start, size)
            }
            guard let found else { return nil }
            let count = file.readStream(found.start, found.size, &content, into: buffer)
            return Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Returns whether an entry has this name, which is of ASCII, in UTF-16.
    private static func hasName(_ entry: Bytes, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard entry.little16(at: 64) == 2 * count + 2 else { return false }
        return (0..<count).allSatisfy { entry[2 * $0] == name.utf8Start[$0] && entry[2 * $0 + 1] == 0 }
    }

    /// Reads the beginning of a stream; returns how many bytes.
    private func readStream(
        _ start: Int, _ size: Int, _ content: inout Content, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let wanted = min(size, buffer.count)
        guard let cutoff = content.head.little32(at: 56), size < cutoff else {
            var chain = SectorChain(start, shift: shift)
            return chain.read(0..<wanted, &content, into: buffer)
        }
        // The root's own stream holds all small ones, in sectors of 64 bytes with a table of their own.
        guard let holder = entries.little32(at: 116), let table = content.head.little32(at: 60) else { return 0 }
        var links = SectorChain(table, shift: shift)
        var chain = SectorChain(holder, shift: shift)
        var filled = 0
        var sector = start
        while filled < wanted, sector < 0xFFFF_FFFA {
            // Neighbours are read at once.
            var count = 1
            var next = links.number(sector, &content)
            while let following = next, following == sector + count, filled + count * Self.smallSector < wanted {
                count += 1
                next = links.number(following, &content)
            }
            let part = min(count * Self.smallSector, wanted - filled)
            let place = sector * Self.smallSector
            let read = chain.read(
                place..<(place + part), &content, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            filled += read
            guard read == part, let next else { return filled }
            sector = next
        }
        return filled
    }
}

/// A stream's sectors, followed from the beginning as far as they are asked for.
private struct SectorChain {
    /// Sectors that are followed: a summary lies at a stream's beginning.
    private static let most = 4096

    private let shift: Int
    private var table: AllocationTable
    private var sectors: [Int]
    private var last: (window: Int, links: [Int]) = (-1, [])

    init(_ start: Int, shift: Int) {
        self.shift = shift
        table = AllocationTable(shift: shift)
        sectors = start < 0xFFFF_FFFA ? [start] : []
    }

    private mutating func sector(_ index: Int, _ content: inout Content) -> Int? {
        guard index < Self.most else { return nil }
        while sectors.count <= index {
            guard let last = sectors.last, let next = table.following(last, &content), next < 0xFFFF_FFFA else {
                return nil
            }
            sectors.append(next)
        }
        return sectors[index]
    }

    /// Reads a stretch of the stream; returns how many bytes of it, from its beginning on, are there.
    mutating func read(
        _ stretch: Range<Int>, _ content: inout Content, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        var filled = 0
        while filled < min(stretch.count, buffer.count) {
            let place = stretch.lowerBound + filled
            let inside = place & ((1 << shift) - 1)
            guard let first = sector(place >> shift, &content) else { break }
            var count = 1
            while filled + (count << shift) - inside < stretch.count,
                sector((place >> shift) + count, &content) == first + count
            {
                count += 1
            }
            let wanted = min((count << shift) - inside, stretch.count - filled, buffer.count - filled)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + wanted)])
            let bytes = content.read(at: ((first + 1) << shift) + inside, into: part)
            // What the head holds already is handed out where it lies.
            bytes.withRaw { part.copyMemory(from: $0) }
            filled += bytes.count
            guard bytes.count == wanted else { break }
        }
        return filled
    }

    /// The number with this index of a stream that is a table of numbers; 64 of them are read at once.
    mutating func number(_ index: Int, _ content: inout Content) -> Int? {
        let window = index / 64
        if window != last.window {
            withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
                let count = read((window * 256)..<(window * 256 + 256), &content, into: buffer)
                let bytes = Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                last = (window, (0..<(count / 4)).map { bytes.little32(at: 4 * $0) ?? .max })
            }
        }
        let place = index % 64
        return place < last.links.count ? last.links[place] : nil
    }
}

/// The chains of a compound file's sectors, of which the last piece read is kept.
private struct AllocationTable {
    /// Lists of the table's sectors that are followed; what lies in the head is read without end otherwise.
    private static let mostLists = 16
    /// The number of chain links read at once.
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
