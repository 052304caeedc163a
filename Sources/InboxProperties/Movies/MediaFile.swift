import InboxDetection
import InboxLinux

/// QuickTime and MPEG-4 films and sound, pictures in HEIF, AVIF and JPEG XL, and Canon's raws: all of them are of boxes.
struct MediaFile {
    private static let packetSize = 64 * 1024
    private static let packetMark: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    private static let canonMark: [UInt8] = [0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0]

    private var creation: DocumentDate?
    private var recorded: DocumentDate?
    private var tagged: DocumentDate?
    private var made: Timestamp?
    private var title: String?
    private var author: String?
    private var packet: Range<Int>?

    /// Takes what a document says.
    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        var file = MediaFile()
        var isDone = false
        Box.visit(0..<excerpts.size, &excerpts) { box, excerpts in
            if box.name.equals("moov") {
                file.readFilm(box.content, &excerpts, &findings)
                isDone = true
            } else if box.name.equals("meta") {
                ItemList(box.content, &excerpts).read(&excerpts, into: &findings)
            } else if box.name.equals("Exif") {
                // An offset to the directories precedes them.
                let skip = 4 + (excerpts.bytes(at: box.content.lowerBound, count: 4).big32(at: 0) ?? 0)
                PictureDirectory(at: box.content.lowerBound + skip, size: box.content.count - skip, &excerpts)?
                    .read(&excerpts, into: &findings)
            } else if box.name.equals("xml ") {
                file.packet = box.content
            } else if box.name.equals("uuid") {
                file.readMarked(box.content, &excerpts, &findings)
            }
            // Samples follow the film's description, or precede it; a packet may be after both.
            return !findings.isComplete && !(isDone && file.packet != nil)
        }
        file.finish(&excerpts, &findings)
    }

    private func finish(_ excerpts: inout Excerpts, _ findings: inout Findings) {
        findings.offer(creation, from: .quicktime)
        findings.offer(recorded, from: .quicktime)
        findings.offer(tagged, from: .mp4)
        if let made { findings.offer(DocumentDate(local: made), from: .quicktime) }
        findings.offer(title: title)
        findings.offer(author: author)
        guard !findings.isComplete, let packet else { return }
        let count = min(packet.count, Self.packetSize)
        XMPPacket.read(excerpts.bytes(at: packet.lowerBound, count: count), into: &findings)
    }

    private mutating func readMarked(_ content: Range<Int>, _ excerpts: inout Excerpts, _ findings: inout Findings) {
        let mark = excerpts.bytes(at: content.lowerBound, count: min(16, content.count))
        guard mark.count == 16 else { return }
        let inside = (content.lowerBound + 16)..<max(content.lowerBound + 16, content.upperBound)
        if mark.has(Self.packetMark, 0..<16, at: 0) {
            packet = inside
        } else if mark.has("JpgTiffExif->JP2") {
            PictureDirectory(at: inside.lowerBound, size: inside.count, &excerpts)?.read(&excerpts, into: &findings)
        } else if mark.has(Self.canonMark, 0..<8, at: 0) {
            Box.visit(inside, &excerpts) { box, excerpts in
                // The first directory, and the one of EXIF by itself.
                if box.name.equals("CMT1") || box.name.equals("CMT2") {
                    PictureDirectory(at: box.content.lowerBound, size: box.content.count, &excerpts)?
                        .read(&excerpts, into: &findings)
                }
                return !findings.isComplete
            }
        }
    }

    private mutating func readFilm(_ content: Range<Int>, _ excerpts: inout Excerpts, _ findings: inout Findings) {
        var copy = self
        Box.visit(content, &excerpts, ahead: 16 * 1024) { box, excerpts in
            if box.name.equals("mvhd") {
                copy.made = Self.moment(excerpts.bytes(at: box.content.lowerBound, count: min(12, box.content.count)))
            } else if box.name.equals("meta") {
                copy.readMeta(box.content, &excerpts)
            } else if box.name.equals("udta") {
                copy.readUserData(box.content, &excerpts)
            } else if box.name.equals("cmov") {
                copy.readPacked(box.content, &excerpts, &findings)
            } else if box.name.equals("uuid") {
                copy.readMarked(box.content, &excerpts, &findings)
            }
            return true
        }
        self = copy
    }

    /// A description that older programs of Apple have packed.
    private mutating func readPacked(_ content: Range<Int>, _ excerpts: inout Excerpts, _ findings: inout Findings) {
        var copy = self
        Box.visit(content, &excerpts) { box, excerpts in
            guard box.name.equals("cmvd") else { return true }
            let written = excerpts.bytes(at: box.content.lowerBound, count: min(box.content.count, Self.packetSize))
            // The size of what is packed, and two bytes of zlib, precede it.
            var inside = Excerpts(plain: excerpts.inflate(written.from(6), limit: Self.packetSize))
            let end = inside.size
            Box.visit(0..<end, &inside) { box, inside in
                if box.name.equals("moov") { copy.readFilm(box.content, &inside, &findings) }
                return true
            }
            // A place in what is unpacked is none in the document.
            copy.packet = nil
            return false
        }
        self = copy
    }

    /// Seconds from 1904 on, in UTC; 0 where nobody set them.
    private static func moment(_ header: Bytes) -> Timestamp? {
        var seconds = header.big32(at: 4) ?? 0
        if header[0] == 1 {
            guard let high = header.big32(at: 4), let low = header.big32(at: 8), high < 1 << 20 else { return nil }
            seconds = high << 32 | low
        }
        guard seconds > 0 else { return nil }
        return Timestamp(seconds: Int64(seconds) - 2_082_844_800, nanoseconds: 0)
    }

    private mutating func readUserData(_ content: Range<Int>, _ excerpts: inout Excerpts) {
        var copy = self
        Box.visit(content, &excerpts) { box, excerpts in
            if box.name.equals("meta") {
                copy.readMeta(box.content, &excerpts)
            } else if box.name.equals("XMP_") {
                copy.packet = box.content
            } else if box.name[0] == 0xA9 {
                // A text of QuickTime: its length, its language, itself.
                let bytes = excerpts.bytes(at: box.content.lowerBound, count: min(box.content.count, 1024))
                guard let length = bytes.big16(at: 0) else { return true }
                copy.take(box.name, bytes[4..<(4 + length)], isTag: false)
            }
            return true
        }
        self = copy
    }

    /// The metadata of QuickTime, whose names are in a list of keys, and the tags of iTunes, whose names are of four
    /// letters.
    private mutating func readMeta(_ content: Range<Int>, _ excerpts: inout Excerpts) {
        var copy = self
        var keys: [Bytes] = []
        // A version precedes the boxes, but in QuickTime.
        let start = excerpts.bytes(at: content.lowerBound, count: min(8, content.count))
        let skip = start.has("hdlr", at: 4) || start.has("keys", at: 4) ? 0 : 4
        guard content.count > skip else { return }
        Box.visit((content.lowerBound + skip)..<content.upperBound, &excerpts) { box, excerpts in
            if box.name.equals("keys") {
                keys = Self.keys(excerpts.bytes(at: box.content.lowerBound, count: min(box.content.count, 16 * 1024)))
            } else if box.name.equals("ilst") {
                Box.visit(box.content, &excerpts) { item, excerpts in
                    copy.readItem(item, keys, &excerpts)
                    return true
                }
            }
            return true
        }
        self = copy
    }

    private static func keys(_ list: Bytes) -> [Bytes] {
        var keys: [Bytes] = []
        var place = 8
        while keys.count < 128, let size = list.big32(at: place), size >= 8, place + size <= list.count {
            keys.append(list[(place + 8)..<(place + size)])
            place += size
        }
        return keys
    }

    private mutating func readItem(_ item: Box, _ keys: [Bytes], _ excerpts: inout Excerpts) {
        let index = item.name.big32(at: 0) ?? 0
        let key = index > 0 && index <= keys.count ? keys[index - 1] : item.name
        // Covers and the like are as large as pictures are.
        guard Self.isRead(key) else { return }
        let bytes = excerpts.bytes(at: item.content.lowerBound, count: min(item.content.count, 4096))
        guard let size = bytes.big32(at: 0), bytes.has("data", at: 4), size >= 16 else { return }
        take(key, bytes[16..<size], isTag: true)
    }

    private static func isRead(_ key: Bytes) -> Bool {
        key.has("com.apple.quicktime.") || key[0] == 0xA9 && key.count == 4 || key.equals("title")
            || key.equals("artist") || key.equals("date")
    }

    private mutating func take(_ key: Bytes, _ value: Bytes, isTag: Bool) {
        if key.equals("com.apple.quicktime.creationdate") {
            creation = creation ?? WrittenDate.standard(value)
        } else if key.equals("com.apple.quicktime.title") || key.equals("title")
            || key.has([0xA9, 0x6E, 0x61, 0x6D], 0..<4, at: 0)
        {
            title = title ?? TextDecoding.plain(value)
        } else if key.equals("com.apple.quicktime.artist") || key.equals("artist")
            || key.equals("com.apple.quicktime.author")
            || key.has([0xA9, 0x41, 0x52, 0x54], 0..<4, at: 0) || key.has([0xA9, 0x61, 0x75, 0x74], 0..<4, at: 0)
        {
            author = author ?? TextDecoding.plain(value)
        } else if key.equals("date") || key.has([0xA9, 0x64, 0x61, 0x79], 0..<4, at: 0) {
            if isTag {
                tagged = tagged ?? WrittenDate.standard(value)
            } else {
                recorded = recorded ?? WrittenDate.standard(value)
            }
        }
    }
}
