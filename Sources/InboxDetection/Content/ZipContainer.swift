/// A zip archive by what lies in it: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.
///
/// The first entry is in the head; where it does not settle the format, the directory at the archive's end is read, and
/// where that is out of reach the entries are followed from the beginning.
struct ZipContainer {
    /// What the entries' names told so far.
    private var seen = ZipNames()
    /// The MIME type that a stored first entry called `mimetype` holds.
    private var declared: String?
    /// Where the entry with the package's content types lies, for the OPC formats.
    private var contentTypes: (offset: Int, size: Int)?

    /// Where the package's relations lie.
    private var relations: (offset: Int, size: Int)?

    /// The MIME type of the archive's format; nil for a plain archive.
    static func mime(_ content: inout Content) -> String? {
        var container = ZipContainer()
        container.readHead(content.head)
        if let declared = container.declared, FormatTable.builtIn.format(mime: declared) != nil { return declared }
        if let mime = container.seen.conclusive { return mime }
        container.readDirectory(&content)
        if container.seen.hasFixedPages, let entry = container.relations,
            OpenPackaging.isOpenXPS(&content, at: entry.offset, size: entry.size)
        {
            return "application/oxps"
        }
        if container.seen.isOpenPackaging, let entry = container.contentTypes,
            let mime = OpenPackaging.mime(&content, at: entry.offset, size: entry.size)
        {
            return mime
        }
        return container.seen.mime ?? container.declared
    }

    /// Follows the local headers that the head holds.
    private mutating func readHead(_ head: Bytes) {
        var place = head.has("PK00PK") ? 4 : 0
        // More than 64 headers do not fit into a head, each being longer than its 30 fixed bytes.
        while let header = LocalHeader(head, at: place) {
            let name = head[(place + 30)..<(place + 30 + header.nameLength)]
            guard name.count == header.nameLength else { break }
            seen.add(name)
            if name.equals("[Content_Types].xml") { contentTypes = (place, header.size) }
            if name.equals("Index/Document.iwa") { seen.addDocument(head[header.data..<(header.data + 32)]) }
            if name.equals("mimetype"), header.method == 0 {
                declared = declared ?? mimetype(head, header)
            }
            guard header.hasSize else { break }
            place = header.data + header.size
        }
    }

    /// The entry's text: a MIME type and nothing else, whatever follows it.
    private func mimetype(_ head: Bytes, _ header: LocalHeader) -> String? {
        let isSized = header.size > 0 && header.size <= 128
        // A size that stands behind the data leaves only the following header as the end.
        guard isSized || header.size == 0, header.data + header.size <= head.count else { return nil }
        let bytes = head[header.data..<(header.data + (isSized ? header.size : 128))]
        guard isSized || bytes.contains("PK\u{3}\u{4}") || bytes.contains("PK\u{7}\u{8}") else { return nil }
        var length = 0
        while length < bytes.count, isToken(bytes[length]) { length += 1 }
        // A following local header begins with `PK`, which could be part of a MIME type.
        let end = bytes.find("PK\u{3}\u{4}") ?? bytes.find("PK\u{7}\u{8}") ?? length
        let text = bytes[0..<end]
        guard text.count > 3, text.index(of: UInt8(ascii: "/")) != nil else { return nil }
        return text[0..<min(length, text.count)].text
    }

    private func isToken(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "_")
    }

    /// Reads the central directory: its end record is the last 22 bytes unless a comment follows.
    private mutating func readDirectory(_ content: inout Content) {
        guard let size = content.size(), size > 22 else { return }
        let tail = min(size, 1024)
        let place = content.reading(at: size - tail, count: tail) { bytes, _ -> (Int, Int)? in
            var here = bytes.count - 22
            while here >= 0 {
                if bytes.has("PK\u{5}\u{6}", at: here), let length = bytes.little32(at: here + 12),
                    let offset = bytes.little32(at: here + 16)
                {
                    return (offset, length)
                }
                here -= 1
            }
            return nil
        }
        guard let (offset, length) = place, offset < size else { return }
        var found = self
        content.reading(at: offset, count: min(length, 24 * 1024)) { bytes, _ in found.readEntries(bytes) }
        self = found
    }

    private mutating func readEntries(_ bytes: Bytes) {
        var here = 0
        while bytes.has("PK\u{1}\u{2}", at: here), let nameLength = bytes.little16(at: here + 28),
            let extra = bytes.little16(at: here + 30), let comment = bytes.little16(at: here + 32)
        {
            let name = bytes[(here + 46)..<(here + 46 + nameLength)]
            seen.add(name)
            if name.equals("[Content_Types].xml"),
                let size = bytes.little32(at: here + 20), let offset = bytes.little32(at: here + 42)
            {
                contentTypes = (offset, size)
            }
            if name.equals("_rels/.rels"),
                let size = bytes.little32(at: here + 20), let offset = bytes.little32(at: here + 42)
            {
                relations = (offset, size)
            }
            here += 46 + nameLength + extra + comment
        }
    }
}

/// A local file header.
struct LocalHeader {
    let method: Int
    /// The compressed size; 0 where it stands behind the data.
    let size: Int
    let hasSize: Bool
    let nameLength: Int
    /// Where the data begins.
    let data: Int

    init?(_ bytes: Bytes, at place: Int) {
        guard bytes.has("PK\u{3}\u{4}", at: place), let flags = bytes.little16(at: place + 6),
            let method = bytes.little16(at: place + 8), let size = bytes.little32(at: place + 18),
            let nameLength = bytes.little16(at: place + 26), let extra = bytes.little16(at: place + 28)
        else { return nil }
        self.method = method
        self.size = size
        self.nameLength = nameLength
        hasSize = flags & 8 == 0 || size > 0
        data = place + 30 + nameLength + extra
    }
}
