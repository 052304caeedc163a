import InboxDetection

/// Documents that are zip archives: Office Open XML, OpenDocument and EPUB, each by the one part that describes it.
enum ArchivedDocument {
    /// Bytes of an archive's directory that are read.
    private static let directoryReach = 48 * 1024
    private static let partLimit = 48 * 1024

    /// A part that describes a document.
    private enum Part: Int {
        case office, odf, epub
    }

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let size = excerpts.size
        guard let end = excerpts.reading({ ZipEnd.find(&$0, size: size) }), end.offset < size else { return }
        let directory = excerpts.bytes(
            at: end.offset, count: min(end.length, directoryReach), ahead: min(end.length, directoryReach))
        var entries = ZipEntries(directory)
        var found: [(part: Part, place: (offset: Int, size: Int))] = []
        while let entry = entries.next() {
            guard let part = part(entry.name) else { continue }
            // A book has one list of its parts; of several editions the first counts. Office leaves an older summary
            // behind now and then.
            if found.count < 2 { found.append((part, entry.place)) }
        }
        for (part, place) in found where !findings.isComplete {
            guard let text = unpacked(place, &excerpts) else { continue }
            switch part {
            case .office: readOffice(text, into: &findings)
            case .odf: readOpenDocument(text, into: &findings)
            case .epub: readBook(text, into: &findings)
            }
        }
    }

    private static func part(_ name: Bytes) -> Part? {
        if name.hasIgnoringCase("docprops/core") && name.ends(with: ".xml") || name.ends(with: ".psmdcp") {
            return .office
        }
        if name.equals("meta.xml") { return .odf }
        return name.ends(with: ".opf") ? .epub : nil
    }

    private static func unpacked(_ place: (offset: Int, size: Int), _ excerpts: inout Excerpts) -> Bytes? {
        let wanted = min(max(place.size, 0), partLimit)
        let bytes = excerpts.bytes(at: place.offset, count: wanted + 256, ahead: wanted + 1024)
        guard let header = LocalHeader(bytes, at: 0), header.data < 8192 else { return nil }
        let data = excerpts.bytes(at: place.offset + header.data, count: wanted, ahead: wanted)
        switch header.method {
        case 0: return data
        case 8: return excerpts.inflate(data, limit: partLimit)
        default: return nil
        }
    }

    private static func readOffice(_ text: Bytes, into findings: inout Findings) {
        var (date, title, author) = (DocumentDate?.none, String?.none, String?.none)
        MarkedProperties.visit(text, in: ["coreProperties"]) { property in
            switch property.space {
            case .terms where property.name.equals("created"): date = date ?? property.date
            case .core where property.name.equals("title"): title = title ?? property.text
            case .core where property.name.equals("creator"): author = author ?? firstName(property.text)
            default: break
            }
        }
        findings.offer(date, from: .office)
        findings.offer(title: title)
        findings.offer(author: author)
    }

    /// Office parts several creators by semicolons.
    private static func firstName(_ names: String) -> String {
        names.split(separator: ";").first.map(String.init) ?? names
    }

    /// OpenDocument, also as one file.
    static func readOpenDocument(_ text: Bytes, into findings: inout Findings) {
        var (date, title) = (DocumentDate?.none, String?.none)
        var authors = [String?](repeating: nil, count: 2)
        MarkedProperties.visit(text, in: ["meta"]) { property in
            switch property.space {
            case .document where property.name.equals("creation-date"): date = date ?? property.date
            case .document where property.name.equals("initial-creator"): authors[0] = authors[0] ?? property.text
            case .core where property.name.equals("title"): title = title ?? property.text
            case .core where property.name.equals("creator"): authors[1] = authors[1] ?? property.text
            default: break
            }
        }
        findings.offer(date, from: .odf)
        findings.offer(title: title)
        // Whoever changed it last is called its creator there.
        for author in authors { findings.offer(author: author) }
    }

    private static func readBook(_ text: Bytes, into findings: inout Findings) {
        var (date, title, author) = (DocumentDate?.none, String?.none, String?.none)
        MarkedProperties.visit(text, in: ["metadata", "dc-metadata"]) { property in
            guard property.space == .core else { return }
            if property.name.hasIgnoringCase("date"), !property.attributes.contains("modification") {
                date = date ?? property.date
            } else if property.name.hasIgnoringCase("title") {
                title = title ?? property.text
            } else if property.name.hasIgnoringCase("creator") {
                author = author ?? property.text
            }
        }
        findings.offer(date, from: .epub)
        findings.offer(title: title)
        findings.offer(author: author)
    }
}
