/// The ends of pages, databases, fonts, discs and markup.
enum EndOfData {
    /// Readers look for the mark in the last 1024 bytes (ISO 32000-1, annex H), but other bytes may follow it. A file that
    /// is made for the web has one near its beginning too, after a table that begins at 0, and one that was changed has
    /// objects after each.
    static func pages(_ content: inout Content, _ size: Int) -> Completeness {
        let cut = Completeness.incomplete("a PDF document without %%EOF near its end")
        return content.readingTail(of: size) { bytes, _ in
            guard let mark = bytes.findLast("%%EOF") else {
                return bytes.from(bytes.count - 1024).contains("startxref") ? .complete : cut
            }
            if isObject(bytes.from(mark + 5)) { return cut }
            let before = bytes[max(0, mark - 64)..<mark].withoutPadding
            return before.ends(with: "startxref\n0") || before.ends(with: "startxref\r\n0")
                || before.ends(with: "startxref\r0")
                ? cut : .complete
        }
    }

    /// Returns whether an object of a document follows: two numbers, and `obj`.
    private static func isObject(_ bytes: Bytes) -> Bool {
        var place = 0
        func skip(_ isSkipped: (UInt8) -> Bool) -> Bool {
            let start = place
            while let byte = bytes.byte(at: place), isSkipped(byte) { place += 1 }
            return place > start
        }
        _ = skip(ASCII.isSpace)
        return skip(ASCII.isDigit) && skip(ASCII.isSpace) && skip(ASCII.isDigit) && skip(ASCII.isSpace)
            && bytes.has("obj", at: place)
    }

    /// Pages of one size; the header says how many, where it is not left over from an older program. What has a log beside
    /// it may be written in any order.
    static func database(_ content: inout Content, _ size: Int) -> Completeness {
        guard let short = content.head.big16(at: 16), let pages = content.head.big32(at: 28) else { return .unknown }
        let page = short == 1 ? 65536 : short
        guard page >= 512, page & (page - 1) == 0 else { return .unknown }
        if size % page != 0 { return .incomplete("an SQLite database that ends inside a page") }
        let isCurrent = content.head.big32(at: 24) == content.head.big32(at: 92)
        guard isCurrent, pages > 0, content.head[18] == 1 else { return .unknown }
        return .needs(pages * page, of: size, "an SQLite database")
    }

    /// A directory of tables, each with its place and length.
    static func font(_ content: inout Content, _ size: Int) -> Completeness {
        let head = content.head
        guard let count = head.big16(at: 4), (1...128).contains(count) else { return .unknown }
        var needed = 12 + 16 * count
        var isFont = false
        for index in 0..<count {
            let place = 12 + 16 * index
            guard (place..<(place + 4)).allSatisfy({ (0x20...0x7E).contains(head[$0]) }),
                let start = head.big32(at: place + 8), let length = head.big32(at: place + 12)
            else { return head.count == size && place + 16 > size ? .needs(needed, of: size, "a font") : .unknown }
            needed = max(needed, start + length)
            isFont = isFont || head.has("head", at: place) || head.has("cmap", at: place) || head.has("name", at: place)
        }
        return isFont ? .needs(needed, of: size, "a font") : .unknown
    }

    /// The header of a font for the web has the file's length.
    static func webFont(_ content: inout Content, _ size: Int) -> Completeness {
        content.head.big32(at: 8).map { .needs($0, of: size, "a font") } ?? .unknown
    }

    /// The volume's size in blocks (ECMA-119, 8.4.8). A drive may not read the last blocks of a disc that was written at
    /// once.
    static func disc(_ content: inout Content, _ size: Int) -> Completeness {
        content.reading(at: 16 * 2048, count: 256) { bytes, _ in
            guard bytes.has("\u{1}CD001"), let blocks = bytes.little32(at: 80), let block = bytes.little16(at: 128)
            else {
                return .unknown
            }
            let needed = blocks * block
            return needed > size + 16 * block ? .needs(needed, of: size, "a disc") : .complete
        }
    }

    /// XML ends with its root's end tag, or after it with comments and instructions. Only a document that says that it is
    /// XML counts: pages of HTML leave tags out.
    static func markup(_ content: inout Content, _ size: Int) -> Completeness {
        let text = content.head.from(content.head.has("\u{FEFF}") ? 3 : 0)
        var prolog = Prolog(text)
        prolog.read()
        guard let root = prolog.root else {
            // A long comment may precede the root.
            let isCut =
                prolog.isDeclared && content.isWhole && (text.findLast("<!--") ?? -1) > (text.findLast("-->") ?? -1)
            return isCut ? .incomplete("an XML document without its root") : .unknown
        }
        let known = XMLRoot(name: root, start: prolog.rootStart, doctype: prolog.doctype)
        guard prolog.isDeclared || known.isTelling else { return .unknown }
        if prolog.rootStart.ends(with: "/>") { return .complete }
        return content.readingTail(of: size) { bytes, _ in
            var here = 0
            while let found = bytes.find("</", from: here) {
                here = found + 2
                let end = here + root.count
                guard root.isEqual(to: bytes[here..<end]) else { continue }
                let next = (end..<min(bytes.count, end + 256)).first { !ASCII.isSpace(bytes[$0]) }
                if let next, bytes[next] == UInt8(ascii: ">") { return .complete }
            }
            return .incomplete("an XML document without its last tag")
        }
    }
}
