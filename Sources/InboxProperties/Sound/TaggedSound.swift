import InboxDetection

/// ID3 (version 2.2 to 2.4, and 1) at the beginning or the end of sound.
struct TaggedSound {
    /// Frames that are followed.
    private static let mostFrames = 64
    /// Bytes of a tag that is written otherwise than it is meant.
    private static let longestPlain = 48 * 1024

    private var dates: [(rank: Int, date: DocumentDate)] = []
    private var day: Bytes?
    private var time: Bytes?
    private var title: String?
    private var author: String?

    /// Takes what a tag at an offset says; returns where it ends, or nil where there is none.
    static func read(at start: Int, _ excerpts: inout Excerpts, into findings: inout Findings) -> Int? {
        let header = excerpts.bytes(at: start, count: 10)
        guard header.has("ID3"), let size = synchsafe(header, at: 6), (2...4).contains(header[3]) else { return nil }
        var tag = TaggedSound()
        tag.readFrames(
            (start + 10)..<(start + 10 + size), version: header[3], flags: header[5], &excerpts)
        tag.finish(&findings)
        return start + 10 + size + (header[5] & 0x10 != 0 ? 10 : 0)
    }

    /// Takes what a tag says that is a chunk of WAVE or AIFF.
    static func readChunks(_ excerpts: inout Excerpts, isBig: Bool, into findings: inout Findings) {
        var place = 12
        for _ in 0..<mostFrames {
            let header = excerpts.bytes(at: place, count: 8)
            guard let size = header.number32(at: 4, big: isBig) else { return }
            if header.hasIgnoringCase("id3 ") {
                _ = read(at: place + 8, &excerpts, into: &findings)
                return
            }
            place += 8 + size + size % 2
        }
    }

    /// Takes what the short tag at the end of older files says.
    static func readEnd(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let tag = excerpts.bytes(at: excerpts.size - 128, count: 128, ahead: 128)
        guard tag.has("TAG") else { return }
        func text(_ range: Range<Int>) -> String {
            let field = tag[range]
            let end = field.index(of: 0)
            return TextDecoding.plain(field[0..<(end ?? field.count)], isCut: end == nil)
        }
        findings.offer(WrittenDate.standard(tag[93..<97]), from: .id3)
        findings.offer(title: text(3..<33))
        findings.offer(author: text(33..<63))
    }

    private static func synchsafe(_ bytes: Bytes, at place: Int) -> Int? {
        var size = 0
        for index in place..<(place + 4) {
            guard let byte = bytes.byte(at: index), byte < 0x80 else { return nil }
            size = size << 7 | Int(byte)
        }
        return size
    }

    private mutating func readFrames(_ tag: Range<Int>, version: UInt8, flags: UInt8, _ excerpts: inout Excerpts) {
        // Before version 4 all of the tag is written so that it never looks like sound, the frames' sizes included.
        if version < 4, flags & 0x80 != 0 {
            let written = excerpts.bytes(at: tag.lowerBound, count: min(tag.count, Self.longestPlain))
            let plain = Self.synchronized(written, &excerpts)
            var inside = Excerpts(plain: plain)
            return readFrames(0..<plain.count, version: version, flags: flags & 0x7F, &inside)
        }
        var place = tag.lowerBound
        if flags & 0x40 != 0, version > 2 {
            let extended = excerpts.bytes(at: place, count: 4)
            place += version == 4 ? Self.synchsafe(extended, at: 0) ?? 0 : 4 + (extended.big32(at: 0) ?? 0)
        }
        let headerSize = version == 2 ? 6 : 10
        for _ in 0..<Self.mostFrames where place + headerSize < tag.upperBound {
            let header = excerpts.bytes(at: place, count: headerSize, ahead: 8192)
            guard header.count == headerSize, header[0] != 0 else { return }
            let size: Int
            switch version {
            case 2: size = Int(header[3]) << 16 | Int(header[4]) << 8 | Int(header[5])
            case 3: size = header.big32(at: 4) ?? 0
            default:
                // Some programs write plain numbers there, as in the version before.
                let plain = header.big32(at: 4) ?? 0
                let safe = Self.synchsafe(header, at: 4) ?? plain
                size = safe == plain || isFrame(at: place + headerSize + safe, tag, &excerpts) ? safe : plain
            }
            let start = place + headerSize
            place = start + size
            guard size > 1, start + size <= tag.upperBound, header[0] == UInt8(ascii: "T") else { continue }
            let isUnsynchronized =
                version < 4 ? flags & 0x80 != 0 : header[9] & 0x02 != 0
            // A frame that is packed or encrypted is not read.
            guard version < 3 || header[9] & (version == 3 ? 0xC0 : 0x0C) == 0 else { continue }
            let hasLength = version == 4 && header[9] & 0x01 != 0
            var value = excerpts.bytes(at: start, count: min(size, TextDecoding.longest)).from(hasLength ? 4 : 0)
            if isUnsynchronized { value = Self.synchronized(value, &excerpts) }
            take(header[0..<(version == 2 ? 3 : 4)], value)
        }
    }

    private func isFrame(at place: Int, _ tag: Range<Int>, _ excerpts: inout Excerpts) -> Bool {
        if place >= tag.upperBound { return place == tag.upperBound }
        let byte = excerpts.bytes(at: place, count: 1)[0]
        return byte == 0 || byte >= 0x41 && byte <= 0x5A
    }

    /// The bytes without the zeros that keep them from looking like sound.
    private static func synchronized(_ bytes: Bytes, _ excerpts: inout Excerpts) -> Bytes {
        excerpts.keep(limit: bytes.count) { room in
            var count = 0
            for index in 0..<bytes.count where count < room.count && !(bytes[index] == 0 && bytes[index - 1] == 0xFF) {
                room[count] = bytes[index]
                count += 1
            }
            return count
        }
    }

    /// A frame's first text.
    private static func text(_ value: Bytes) -> String {
        let body = value.from(1)
        switch value[0] {
        case 0:
            // Latin-1 by the letter, but many programs write the machine's own encoding.
            return TextDecoding.plain(body[0..<(body.index(of: 0) ?? body.count)])
        case 1:
            let isBig = body[0] == 0xFE && body[1] == 0xFF
            let isMarked = isBig || body[0] == 0xFF && body[1] == 0xFE
            return TextDecoding.wide(body.from(isMarked ? 2 : 0), big: isBig)
        case 2: return TextDecoding.wide(body, big: true)
        default: return TextDecoding.plain(body[0..<(body.index(of: 0) ?? body.count)])
        }
    }

    private mutating func take(_ name: Bytes, _ value: Bytes) {
        if name.equals("TIT2") || name.equals("TT2") {
            title = title ?? Self.text(value)
        } else if name.equals("TPE1") || name.equals("TP1") {
            author = author ?? Self.text(value)
        } else if name.equals("TDAT") || name.equals("TDA") {
            day = value
        } else if name.equals("TIME") || name.equals("TIM") {
            time = value
        } else {
            let ranks: [(StaticString, Int)] = [
                ("TDRC", 0), ("TYER", 1), ("TYE", 1), ("TDRL", 2), ("TDOR", 3), ("TORY", 4), ("TOR", 4),
            ]
            guard let rank = ranks.first(where: { name.equals($0.0) })?.1 else { return }
            let date = Bytes.lending(Self.text(value)) { WrittenDate.standard($0) }
            if let date { dates.append((rank, date)) }
        }
    }

    /// Two numbers of two digits: `0103` is the day and the month.
    private static func pair(_ value: Bytes?) -> (Int, Int)? {
        guard let value, let number = Int(text(value)), (0..<10000).contains(number) else { return nil }
        return (number / 100, number % 100)
    }

    private func finish(_ findings: inout Findings) {
        for (rank, date) in dates.sorted(by: { $0.rank < $1.rank }) {
            guard rank == 1, date.month == nil, let (day, month) = Self.pair(day) else {
                findings.offer(date, from: .id3)
                continue
            }
            let time = Self.pair(time)
            findings.offer(
                DocumentDate(year: date.year, month: month, day: day, hour: time?.0, minute: time?.1), from: .id3)
        }
        findings.offer(title: title)
        findings.offer(author: author)
    }
}
