/// Tar archives by the checksum of their first header (POSIX ustar, and the older format without a mark).
enum TapeArchive {
    static func mime(_ head: Bytes) -> (String, Int)? {
        guard head.count >= 512 else {
            return head.has("ustar", at: 257) ? ("application/x-tar", 5) : nil
        }
        if head.has("ustar", at: 257) { return ("application/x-tar", 5) }
        return head[0] != 0 && hasChecksum(head) ? ("application/x-tar", 8) : nil
    }

    /// Returns whether the first 512 bytes are a header with its sum.
    static func hasChecksum(_ block: Bytes) -> Bool {
        guard block.count >= 512, let wanted = octal(block[148..<156]) else { return false }
        // Old programs summed signed bytes.
        var sum = 0
        var signed = 0
        for index in 0..<512 {
            let byte = (148..<156).contains(index) ? 0x20 : block[index]
            sum += Int(byte)
            signed += Int(Int8(bitPattern: byte))
        }
        return sum == wanted || signed == wanted
    }

    /// The number in a field of octal digits.
    static func octal(_ field: Bytes) -> Int? {
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
        // After a packet that is cut off, the sync bytes are still at their distance.
        for start in 1..<max(1, min(188, head.count - 188 * 8)) where head.byte(at: start) == 0x47 {
            if (0...8).allSatisfy({ head[start + 188 * $0] == 0x47 }) { return ("video/mp2t", 9) }
        }
        return nil
    }
}

/// PDF after other bytes: readers accept the header within the first 1024 (ISO 32000-1, annex H).
package enum PortableDocument {
    /// Returns whether a header is followed by the comment that marks a file as binary or by an object: a text that only
    /// mentions one is no document.
    package static func isLate(_ head: Bytes) -> Bool {
        guard let place = head.find("%PDF-", from: 1, before: 1024), ASCII.isDigit(head[place + 5]),
            head[place + 6] == UInt8(ascii: "."), ASCII.isDigit(head[place + 7])
        else { return false }
        var next = place + 8
        while next < head.count, ASCII.isSpace(head[next]) { next += 1 }
        guard next > place + 8 else { return false }
        if head[next] == UInt8(ascii: "%") { return head[next + 1] >= 0x80 }
        return ASCII.isDigit(head[next]) && head[next..<(next + 16)].contains(" obj")
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
