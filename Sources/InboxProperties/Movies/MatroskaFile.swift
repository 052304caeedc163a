import InboxDetection
import InboxLinux

/// Matroska and WebM by the element that describes the whole (RFC 9559, section 5.1.2).
enum MatroskaFile {
    private static let mostElements = 64

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard let header = element(at: 0, &excerpts), let segment = element(at: header.content.upperBound, &excerpts),
            segment.identifier == 0x1853_8067
        else { return }
        var place = segment.content.lowerBound
        var announced: Int?
        for _ in 0..<mostElements {
            guard let element = element(at: place, &excerpts) else { break }
            switch element.identifier {
            case 0x1549_A966:
                readInfo(element.content, &excerpts, into: &findings)
                return
            case 0x114D_9B74:
                announced = self.announced(in: element.content, &excerpts).map { segment.content.lowerBound + $0 }
            case 0x1F43_B675:
                // The film itself: what describes it comes after it, if an index says where.
                guard let announced, let info = self.element(at: announced, &excerpts),
                    info.identifier == 0x1549_A966
                else { return }
                readInfo(info.content, &excerpts, into: &findings)
                return
            default: break
            }
            place = element.content.upperBound
        }
    }

    private static func element(at place: Int, _ excerpts: inout Excerpts) -> (identifier: Int, content: Range<Int>)? {
        let header = excerpts.bytes(at: place, count: 12)
        guard let (identifier, afterIdentifier) = MatroskaContainer.rawNumber(header, at: 0),
            let (size, data) = MatroskaContainer.number(header, at: afterIdentifier), place < excerpts.size
        else { return nil }
        // A size of ones alone is not known yet: it reaches to the end.
        return (identifier, (place + data)..<(place + data + min(size, max(0, excerpts.size - place - data))))
    }

    /// Shows the elements in another that is short.
    private static func visit(
        _ content: Range<Int>, _ excerpts: inout Excerpts, _ body: (_ identifier: Int, _ content: Bytes) -> Void
    ) {
        let bytes = excerpts.bytes(at: content.lowerBound, count: min(content.count, 4096))
        var place = 0
        while let (identifier, afterIdentifier) = MatroskaContainer.rawNumber(bytes, at: place),
            let (size, data) = MatroskaContainer.number(bytes, at: afterIdentifier), size <= bytes.count
        {
            body(identifier, bytes[data..<(data + size)])
            place = data + size
        }
    }

    /// Where the description is, by the index of a segment.
    private static func announced(in content: Range<Int>, _ excerpts: inout Excerpts) -> Int? {
        var found: Int?
        visit(content, &excerpts) { identifier, entry in
            guard identifier == 0x4DBB else { return }
            // The identifier of what it is about, and its place.
            guard let mark = entry.find("\u{15}I"), entry[mark + 2] == 0xA9, entry[mark + 3] == 0x66,
                let start = entry.find("S", from: mark + 4), entry[start + 1] == 0xAC,
                let (size, data) = MatroskaContainer.number(entry, at: start + 2), size <= 7
            else { return }
            found = (0..<size).reduce(0) { $0 << 8 | Int(entry[data + $1]) }
        }
        return found
    }

    private static func readInfo(_ content: Range<Int>, _ excerpts: inout Excerpts, into findings: inout Findings) {
        var date: DocumentDate?
        var title: String?
        visit(content, &excerpts) { identifier, value in
            switch identifier {
            case 0x4461:
                guard value.count == 8, let high = value.big32(at: 0), let low = value.big32(at: 4) else { return }
                // Nanoseconds from 2001 on, in UTC; before that they are negative.
                let nanoseconds = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
                let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
                date = DocumentDate(
                    local: Timestamp(seconds: seconds - (rest < 0 ? 1 : 0) + 978_307_200, nanoseconds: 0))
            case 0x7BA9: title = value[0..<TextDecoding.longest].text
            default: break
            }
        }
        findings.offer(date, from: .matroska)
        findings.offer(title: title)
    }
}
