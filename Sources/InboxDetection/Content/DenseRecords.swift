/// Formats without a signature whose header says how long the whole file is, or which repeat a sign at equal distances.
enum DenseRecords {
    static func mime(_ content: inout Content) -> (String, Int)? {
        if isWirelessBitmap(&content) { return ("image/vnd.wap.wbmp", 4) }
        if isSpeech(content.head) { return ("audio/x-gsm", 8) }
        return isPainting(content.head) ? ("image/x-macpaint", 8) : nil
    }

    /// WBMP: type and fixed header 0, width and height, then a bit for each point and nothing else.
    private static func isWirelessBitmap(_ content: inout Content) -> Bool {
        let head = content.head
        // Maps of shapes begin so as well.
        guard head.big16(at: 0) == 0, head.big16(at: 2) != 0x270A, let size = content.size() else { return false }
        var place = 2
        guard let width = number(head, &place), let height = number(head, &place), width >= 8, height >= 8 else {
            return false
        }
        return place + (width + 7) / 8 * height == size
    }

    /// A number in groups of seven bits, the last one without the highest bit.
    private static func number(_ head: Bytes, _ place: inout Int) -> Int? {
        var value = 0
        for _ in 0..<3 {
            guard let byte = head.byte(at: place) else { return nil }
            place += 1
            value = value << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// GSM 06.10: frames of 33 bytes, each of which begins with the same four bits.
    private static func isSpeech(_ head: Bytes) -> Bool {
        guard head.count >= 33 * 12 else { return false }
        for place in stride(from: 0, to: head.count - 32, by: 33) where head[place] >> 4 != 0xD { return false }
        return true
    }

    /// MacPaint: version 2 or 3, 38 patterns, and 204 bytes that are free.
    private static func isPainting(_ head: Bytes) -> Bool {
        guard let version = head.big32(at: 0), version == 2 || version == 3, head.count > 512 else { return false }
        return head[308..<512].run(of: 0) == 204 && head[4..<308].run(of: 0) < 304
    }
}
