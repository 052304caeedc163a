/// Tar archives by the checksum of their first header (POSIX ustar, and the older format without a mark).
enum TapeArchive {
    static func mime(_ head: Bytes) -> (String, Int)? {
        guard head.count >= 512 else {
            return head.has("ustar", at: 257) ? ("application/x-tar", 5) : nil
        }
        if head.has("ustar", at: 257) { return ("application/x-tar", 5) }
        guard let wanted = octal(head[148..<156]), head[0] != 0 else { return nil }
        // Old programs summed signed bytes.
        var sum = 0
        var signed = 0
        for index in 0..<512 {
            let byte = (148..<156).contains(index) ? 0x20 : head[index]
            sum += Int(byte)
            signed += Int(Int8(bitPattern: byte))
        }
        return sum == wanted || signed == wanted ? ("application/x-tar", 8) : nil
    }

    private static func octal(_ field: Bytes) -> Int? {
        var value = 0
        var digits = 0
        for index in 0..<field.count {
            let byte = field[index]
            if byte == 0x20 || byte == 0 {
                if digits > 0 { break }
            } else if byte >= 0x30, byte <= 0x37 {
                value = value * 8 + Int(byte - 0x30)
                digits += 1
            } else {
                return nil
            }
        }
        return digits > 0 ? value : nil
    }
}

/// Sound in frames that each begin with a sync word: one word proves nothing, a second at the right distance does.
enum Frames {
    static func mime(_ head: Bytes) -> (String, Int)? {
        if head.has("ID3"), head[3] < 0xFF, head[4] < 0xFF { return tagged(head) }
        if head.has("TAG"), head.count == 128 { return ("audio/mpeg", 3) }
        if let found = at(0, head) { return found }
        // Some files begin with zeros or with rests of a cut frame.
        var place = 0
        while place < min(head.count, 64), head[place] == 0 { place += 1 }
        return place > 0 ? at(place, head) : nil
    }

    /// ID3 stands before MP3 nearly always; FLAC, AAC and others carry it too.
    private static func tagged(_ head: Bytes) -> (String, Int)? {
        var size = 0
        for index in 6..<10 {
            guard let byte = head.byte(at: index), byte < 0x80 else { return nil }
            size = size << 7 | Int(byte)
        }
        let behind = head.from(10 + size)
        if behind.has("fLaC") { return ("audio/flac", 7) }
        if behind.has("TTA1") { return ("audio/x-tta", 7) }
        if behind.has("MAC ") { return ("audio/x-ape", 7) }
        if behind.has("wvpk") { return ("audio/x-wavpack", 7) }
        if let found = at(0, behind), found.0 == "audio/aac" { return found }
        return ("audio/mpeg", 5)
    }

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

    /// Whether the next frame begins where this one ends, or the file ends before that could be seen.
    private static func confirmed(_ place: Int, _ size: Int, _ head: Bytes, mask: UInt8, value: UInt8) -> Bool {
        let next = place + size
        guard let first = head.byte(at: next), let second = head.byte(at: next + 1) else {
            // A file that ends within its first frame has only its own sync word to show.
            return head.count >= Content.headSize || head.count - place >= size || head.count - place >= 24
        }
        return first == 0xFF && second & mask == value
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

/// MPEG transport streams: a sync byte every 188 bytes, or 192 and 204 with what recorders add.
enum TransportStream {
    static func mime(_ head: Bytes) -> (String, Int)? {
        for (start, step, mime) in [(0, 188, "video/mp2t"), (4, 192, "video/mp2t"), (0, 204, "video/mp2t")] {
            var place = start
            var count = 0
            while head.byte(at: place) == 0x47 {
                count += 1
                place += step
            }
            if place >= head.count, count >= 3 || (count >= 1 && head.count == step && start == 0) {
                return (mime, count)
            }
        }
        // Behind a cut packet the sync bytes still stand at their distance.
        for start in 1..<188 where head.byte(at: start) == 0x47 && head.count > start + 188 * 8 {
            if (0...8).allSatisfy({ head[start + 188 * $0] == 0x47 }) { return ("video/mp2t", 9) }
        }
        return nil
    }
}

/// Optical discs: volume descriptors from sector 16 on (ECMA-119), in plain or in raw sectors.
enum OpticalDisc {
    static func mime(_ content: inout Content) -> (String, Int)? {
        for offset in [16 * 2048, 16 * 2352 + 16, 16 * 2336 + 8] {
            let found = content.reading(at: offset, count: 6) { bytes, _ -> String? in
                if bytes.has("CD001", at: 1) { return "application/x-cd-image" }
                if bytes.has("BEA01", at: 1) || bytes.has("NSR0", at: 1) { return "application/x-udf-image" }
                return nil
            }
            if let found { return (found, 5) }
        }
        return nil
    }
}
