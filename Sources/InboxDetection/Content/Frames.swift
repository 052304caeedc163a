/// Sound in frames that each begin with a sync word: one word proves nothing, a second at the right distance does.
enum Frames {
    static func mime(_ content: inout Content) -> (String, Int)? {
        let head = content.head
        if head.has("ID3"), head[3] < 0xFF, head[4] < 0xFF { return tagged(&content) }
        if head.has("TAG"), head.count == 128 { return ("audio/mpeg", 3) }
        if let found = at(0, head) { return found }
        // Some files begin with zeros or with rests of a cut frame.
        guard head[0] == 0 else { return nil }
        var place = 0
        while place < head.count, head[place] == 0 { place += 1 }
        if place < head.count { return at(place, head) }
        // A head of nothing but zeros: the frames begin after it.
        return content.reading(at: head.count, count: 8 * 1024) { bytes, _ in
            var place = 0
            while place < bytes.count, bytes[place] == 0 { place += 1 }
            return place < bytes.count ? at(place, bytes) : nil
        }
    }

    /// Returns whether frames begin somewhere after bytes that are not frames: recordings are cut anywhere.
    static func isWithin(_ head: Bytes) -> Bool {
        (1..<max(1, head.count)).contains { at($0, head) != nil }
    }

    /// An ID3 tag nearly always precedes MP3, but FLAC, AAC and others may have one too; its pictures may be of any
    /// size.
    private static func tagged(_ content: inout Content) -> (String, Int)? {
        var place = 0
        // More than one tag is rare, more than a few are no tags.
        for _ in 0..<4 {
            let next = content.reading(at: place, count: 10) { bytes, _ in tagEnd(bytes).map { place + $0 } }
            guard let next else { break }
            place = next
        }
        guard place > 0 else { return nil }
        return content.reading(at: place, count: 2048) { behind, _ in
            for (mark, mime) in tagged where behind.has(mark) { return (mime, 7) }
            if behind.has("RIFF"), behind.has("WAVE", at: 8) { return ("audio/x-wav", 7) }
            if let found = at(0, behind), found.0 == "audio/aac" { return found }
            return ("audio/mpeg", 5)
        }
    }

    /// Returns the length of a tag with its header; nil if there is none.
    private static func tagEnd(_ bytes: Bytes) -> Int? {
        guard bytes.has("ID3"), bytes.count == 10 else { return nil }
        var size = 0
        for index in 6..<10 {
            guard bytes[index] < 0x80 else { return nil }
            size = size << 7 | Int(bytes[index])
        }
        // A footer repeats the header.
        return 10 + size + (bytes[5] & 0x10 != 0 ? 10 : 0)
    }

    private static let tagged: [(StaticString, String)] = [
        ("fLaC", "audio/flac"), ("TTA1", "audio/x-tta"), ("MAC ", "audio/x-ape"), ("wvpk", "audio/x-wavpack"),
        ("MPCK", "audio/x-musepack"), ("MP+", "audio/x-musepack"), ("OggS", "audio/ogg"), ("DSD ", "audio/x-dsf"),
        ("OFR ", "audio/x-optimfrog"),
    ]

    private static func at(_ place: Int, _ head: Bytes) -> (String, Int)? {
        guard let first = head.byte(at: place), let second = head.byte(at: place + 1) else { return nil }
        if first == 0x0B, second == 0x77 { return dolby(place, head) }
        if first == 0x56, second & 0xE0 == 0xE0 { return loas(place, head) }
        guard first == 0xFF, second & 0xE0 == 0xE0 else { return nil }
        if second & 0xF6 == 0xF0 { return transport(place, head) }
        return mpeg(place, head)
    }

    /// ADTS: 13 bits of length, from the last two bits of the fourth byte on.
    private static func transport(_ place: Int, _ head: Bytes) -> (String, Int)? {
        guard let rate = head.byte(at: place + 2), rate >> 2 & 15 < 13, head.count >= place + 7 else { return nil }
        let size = Int(head[place + 3] & 3) << 11 | Int(head[place + 4]) << 3 | Int(head[place + 5] >> 5)
        guard size > 7 else { return nil }
        return confirmed(place, size, head, mask: 0xF6, value: 0xF0) ? ("audio/aac", 4) : nil
    }

    /// MPEG audio: version, layer, rate and sampling give a frame's length.
    private static func mpeg(_ place: Int, _ head: Bytes) -> (String, Int)? {
        guard head.count >= place + 4 else { return nil }
        let version = head[place + 1] >> 3 & 3
        let layer = head[place + 1] >> 1 & 3
        let rate = Int(head[place + 2] >> 4)
        let sampling = Int(head[place + 2] >> 2 & 3)
        guard version != 1, layer != 0, rate != 15, rate != 0, sampling != 3, head[place + 3] & 3 != 2 else {
            return nil
        }
        let hertz = [44100, 48000, 32000][sampling] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let kilobits = bitRates(version: version, layer: layer)[rate]
        let padding = Int(head[place + 2] >> 1 & 1)
        let size: Int
        switch layer {
        case 3: size = (12000 * kilobits / hertz + padding) * 4
        case 2: size = 144000 * kilobits / hertz + padding
        default: size = (version == 3 ? 144000 : 72000) * kilobits / hertz + padding
        }
        guard size > 4, confirmed(place, size, head, mask: 0xFE, value: head[place + 1] & 0xFE) else { return nil }
        return (layer == 2 ? "audio/mp2" : "audio/mpeg", 4)
    }

    private static func bitRates(version: UInt8, layer: UInt8) -> [Int] {
        switch (version, layer) {
        case (3, 3): [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (3, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (3, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, 3): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }

    /// Returns whether the next frame begins where this one ends, or the file ends exactly there.
    private static func confirmed(_ place: Int, _ size: Int, _ head: Bytes, mask: UInt8, value: UInt8) -> Bool {
        let next = place + size
        guard next < head.count else { return next == head.count && head.count < Content.headSize }
        guard let second = head.byte(at: next + 1) else { return false }
        return head[next] == 0xFF && second & mask == value
    }

    private static func dolby(_ place: Int, _ head: Bytes) -> (String, Int)? {
        guard let version = head.byte(at: place + 5), let code = head.byte(at: place + 4) else { return nil }
        if version >> 3 <= 10 {
            return code & 0x3F < 38 && code >> 6 != 3 ? ("audio/ac3", 3) : nil
        }
        return version >> 3 <= 16 ? ("audio/eac3", 3) : nil
    }

    private static func loas(_ place: Int, _ head: Bytes) -> (String, Int)? {
        guard let third = head.byte(at: place + 2) else { return nil }
        let size = 3 + (Int(head[place + 1] & 0x1F) << 8 | Int(third))
        guard head[place + size] == 0x56, head[place + size + 1] & 0xE0 == 0xE0 else { return nil }
        return ("audio/usac", 4)
    }
}
