import InboxDetection

/// HTML by its title and what it says of its author.
enum WebPage {
    private static let reach = 64 * 1024

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard findings.needsWords else { return }
        let bytes = narrowed(excerpts.bytes(at: 0, count: reach, ahead: 16 * 1024), &excerpts)
        var reader = MarkupReader(bytes)
        var charset = ""
        var title: Bytes?
        var author: Bytes?
        reading: while let piece = reader.next() {
            switch piece {
            case .start(let name, let attributes, _):
                if name.count == 4, name.hasIgnoringCase("meta") {
                    readMeta(attributes, &charset, &author)
                } else if name.count == 5, name.hasIgnoringCase("title"), title == nil {
                    let start = reader.place
                    reader.skip(to: "title")
                    title = bytes[start..<reader.place]
                } else if name.count == 6, name.hasIgnoringCase("script") {
                    reader.skip(to: "script")
                } else if name.count == 5, name.hasIgnoringCase("style") {
                    reader.skip(to: "style")
                } else if name.count == 4, name.hasIgnoringCase("body") {
                    break reading
                }
            case .end, .text: break
            }
        }
        findings.offer(title: title.map { MarkupReader.plain($0, charset: charset) })
        findings.offer(author: author.map { MarkupReader.plain($0, charset: charset) })
    }

    private static func readMeta(_ attributes: Bytes, _ charset: inout String, _ author: inout Bytes?) {
        var (isAuthor, content, named) = (false, Bytes?.none, Bytes?.none)
        MarkupReader.visit(attributes) { name, value in
            if name.count == 4, name.hasIgnoringCase("name") {
                isAuthor =
                    value.count == 6 && value.hasIgnoringCase("author")
                    || value.count == 10 && (value.hasIgnoringCase("dc.creator") || value.hasIgnoringCase("dc:creator"))
            } else if name.count == 7, name.hasIgnoringCase("content") {
                content = value
            } else if name.count == 7, name.hasIgnoringCase("charset") {
                named = value
            }
        }
        if isAuthor { author = author ?? content }
        // `text/html; charset=iso-8859-1`
        if let content, let place = content.find("charset=") { named = named ?? content.from(place + 8) }
        if charset.isEmpty, let named { charset = named[0..<40].text }
    }

    /// UTF-16 by its mark as UTF-8; everything else as it is.
    private static func narrowed(_ bytes: Bytes, _ excerpts: inout Excerpts) -> Bytes {
        let isBig = bytes.has([0xFE, 0xFF], 0..<2, at: 0)
        guard isBig || bytes.has([0xFF, 0xFE], 0..<2, at: 0) else { return bytes }
        let text = TextDecoding.wide(bytes.from(2), big: isBig)
        return excerpts.keep(limit: text.utf8.count) { room in
            room.copyBytes(from: text.utf8)
            return text.utf8.count
        }
    }
}
