/// A zip archive by what lies in it: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.
///
/// The first entry is in the head; where it does not settle the format, the directory at the archive's end is read, and
/// where that is out of reach the entries are followed from the beginning.
struct ZipContainer {
    /// The entries that are read into.
    enum Part: Int, CaseIterable {
        case contentTypes, relations, mimetype, manifest, document, index

        init?(_ name: Bytes) {
            switch name[0] {
            case UInt8(ascii: "["): self = .contentTypes
            case UInt8(ascii: "_"): self = .relations
            case UInt8(ascii: "m"): self = .mimetype
            case UInt8(ascii: "M"): self = .manifest
            case UInt8(ascii: "I"): self = .document
            case UInt8(ascii: "i"): self = .index
            default: return nil
            }
            guard name.equals(path) else { return nil }
        }

        private var path: StaticString {
            switch self {
            case .contentTypes: "[Content_Types].xml"
            case .relations: "_rels/.rels"
            case .mimetype: "mimetype"
            case .manifest: "META-INF/manifest.xml"
            case .document: "Index/Document.iwa"
            case .index: "index.xml"
            }
        }
    }

    /// Where an entry's local header lies, and how long its data are.
    typealias Extent = (offset: Int, size: Int)

    /// The names of the entries read so far.
    private var seen = ZipNames()
    /// The MIME type that a stored entry called `mimetype` holds.
    private var declared: String?
    private var places = [Extent?](repeating: nil, count: Part.allCases.count)
    /// The directory was read to its end.
    private var isComplete = false

    /// The findings in an archive.
    struct Finding {
        /// The MIME type; nil for a plain archive.
        let mime: String?
        /// The whole directory was read, and has no part of a document.
        let isBare: Bool
    }

    static func finding(_ content: inout Content) -> Finding {
        var container = ZipContainer()
        let mime = container.read(&content)
        return Finding(mime: mime, isBare: mime == nil && container.isComplete && container.seen.hasNoDocument)
    }

    /// Returns whether an archive follows other bytes, such as the program that unpacks it: the directory lies right
    /// before the record at the end.
    static func follows(_ content: inout Content) -> Bool {
        guard let size = content.size(), size > ZipEnd.recordSize,
            let end = ZipEnd.findNearby(&content, size: size), end.length > 46, end.length < size
        else { return false }
        let start = size - ZipEnd.recordSize - end.length
        // The offset in the record counts from the archive's own beginning, or from the file's.
        return [start, end.offset].contains { place in
            place >= 0 && content.reading(at: place, count: 4) { bytes, _ in bytes.has("PK\u{1}\u{2}") }
        }
    }

    private mutating func read(_ content: inout Content) -> String? {
        readHead(content.head)
        if let declared { return declared }
        if let mime = seen.conclusive { return mime }
        readDirectory(&content)
        if seen.hasFixedPages, let place = self[.relations], OpenPackaging.isOpenXPS(&content, place) {
            return "application/oxps"
        }
        if seen.isOpenPackaging, let place = self[.contentTypes], let mime = OpenPackaging.mime(&content, place) {
            return mime
        }
        if let place = self[.mimetype], let mime = ZipParts.mimetype(&content, place) { return mime }
        if let place = self[.manifest], let mime = ZipParts.manifest(&content, place) { return mime }
        // Pages and Numbers differ in what their main part begins with.
        if let place = self[.document] { seen.setMainPart(ZipParts.isPages(&content, place)) }
        if let place = self[.index], let mime = ZipParts.office09(&content, place) { return mime }
        return seen.mime
    }

    private subscript(part: Part) -> Extent? { places[part.rawValue] }

    /// Follows the local headers that the head holds.
    private mutating func readHead(_ head: Bytes) {
        var place = head.has("PK00PK") ? 4 : 0
        // More than 64 headers do not fit into a head, each being longer than its 30 fixed bytes.
        while let header = LocalHeader(head, at: place) {
            let name = head[(place + 30)..<(place + 30 + header.nameLength)]
            guard name.count == header.nameLength else { break }
            add(name, (place, header.size), isStored: header.method == 0)
            if name.equals("mimetype"), header.method == 0 { declared = declared ?? ZipParts.text(head, header) }
            guard header.hasSize else { break }
            place = header.data + header.size
        }
    }

    private mutating func add(_ name: Bytes, _ place: Extent, isStored: Bool) {
        seen.add(name, isStored: isStored)
        if let part = Part(name) { places[part.rawValue] = place }
    }

    /// Bytes: the parts of the directory's beginning, and of its end if it is longer, that are read.
    private static let directoryReach = (start: 24 * 1024, end: 8 * 1024)

    /// Reads the central directory.
    private mutating func readDirectory(_ content: inout Content) {
        guard let size = content.size(), size >= ZipEnd.recordSize, let end = ZipEnd.find(&content, size: size),
            end.offset <= size, end.length <= size
        else { return }
        let (offset, length) = (end.offset, end.length)
        let start = min(length, Self.directoryReach.start)
        var found = self
        let used = content.reading(at: offset, count: start) { bytes, _ in found.readEntries(bytes) }
        found.isComplete = used == length
        if length > start {
            let end = min(length - start, Self.directoryReach.end)
            content.reading(at: offset + length - end, count: end) { bytes, _ in
                if let first = bytes.find("PK\u{1}\u{2}") { _ = found.readEntries(bytes.from(first)) }
            }
        }
        self = found
    }

    /// Reads entries of the directory; returns how many bytes the complete ones take.
    private mutating func readEntries(_ bytes: Bytes) -> Int {
        var entries = ZipEntries(bytes)
        while let entry = entries.next() { add(entry.name, entry.place, isStored: entry.isStored) }
        return entries.place
    }
}

/// The entries of a central directory, one after the other.
package struct ZipEntries {
    /// An entry by what the directory says of it.
    package struct Entry {
        /// Its path in the archive.
        package let name: Bytes
        /// Where its local header lies, and how long its data are.
        package let place: (offset: Int, size: Int)
        /// The data are as they were packed.
        package let isStored: Bool
    }

    private let bytes: Bytes
    /// Bytes of the directory that the entries so far take.
    private(set) var place = 0

    /// The entries of a directory, of which the beginning may be missing from the end.
    package init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Returns the next entry; nil at the first one that is not complete.
    package mutating func next() -> Entry? {
        guard bytes.has("PK\u{1}\u{2}", at: place), let nameLength = bytes.little16(at: place + 28),
            let extra = bytes.little16(at: place + 30), let comment = bytes.little16(at: place + 32)
        else { return nil }
        let name = bytes[(place + 46)..<(place + 46 + nameLength)]
        guard name.count == nameLength, let size = bytes.little32(at: place + 20),
            let offset = bytes.little32(at: place + 42)
        else { return nil }
        var extent = (offset: offset, size: size)
        if size == ZipLargeField.full || offset == ZipLargeField.full,
            var large = ZipLargeField(bytes[(place + 46 + nameLength)..<(place + 46 + nameLength + extra)])
        {
            _ = large.number(bytes.little32(at: place + 24) ?? 0)
            extent.size = large.number(size)
            extent.offset = large.number(offset)
        }
        let isStored = bytes.little16(at: place + 10) == 0
        place += 46 + nameLength + extra + comment
        return Entry(name: name, place: extent, isStored: isStored)
    }
}

/// A local file header.
package struct LocalHeader {
    /// The compression method: 0 for none, 8 for deflate.
    package let method: Int
    /// The compressed size; 0 where it is written after the data.
    let size: Int
    let hasSize: Bool
    let nameLength: Int
    /// Where the data begins.
    package let data: Int

    /// The header at an offset; nil where there is none.
    package init?(_ bytes: Bytes, at place: Int) {
        guard bytes.has("PK\u{3}\u{4}", at: place), let flags = bytes.little16(at: place + 6),
            let method = bytes.little16(at: place + 8), var size = bytes.little32(at: place + 18),
            let nameLength = bytes.little16(at: place + 26), let extra = bytes.little16(at: place + 28)
        else { return nil }
        data = place + 30 + nameLength + extra
        if size == ZipLargeField.full, var large = ZipLargeField(bytes[(data - extra)..<data]) {
            _ = large.number(bytes.little32(at: place + 22) ?? 0)
            size = large.number(size)
        }
        self.method = method
        self.size = size
        self.nameLength = nameLength
        hasSize = flags & 8 == 0 || size > 0
    }
}
