import InboxDetection

/// JPEG by the segments before its picture (ISO 10918-1, annex B).
enum JPEGPicture {
    /// Segments that are followed.
    private static let mostSegments = 64

    /// Takes what a picture says that begins at an offset: raws hold one too.
    static func read(at start: Int, _ excerpts: inout Excerpts, into findings: inout Findings) {
        var place = start + 2
        var packets: [(offset: Int, size: Int)] = []
        for _ in 0..<mostSegments {
            // The mark, the size, and the name that the programs' own segments begin with.
            let header = excerpts.bytes(at: place, count: 40)
            guard header[0] == 0xFF else { break }
            if header[1] == 0xFF || header[1] == 0x01 {
                place += header[1] == 0xFF ? 1 : 2
                continue
            }
            // The picture itself, or its end.
            guard header[1] != 0xDA, header[1] != 0xD9, let size = header.big16(at: 2), size >= 2 else { break }
            if header[1] == 0xE1 {
                if header.has("Exif\0", at: 4) {
                    PictureDirectory(at: place + 10, size: size - 8, &excerpts)?.read(&excerpts, into: &findings)
                } else if header.has("http://ns.adobe.com/xap/1.0/\0", at: 4) {
                    packets.append((place + 33, size - 31))
                }
                if findings.isComplete { return }
            }
            place += 2 + size
        }
        for packet in packets where !findings.isComplete {
            XMPPacket.read(excerpts.bytes(at: packet.offset, count: packet.size), into: &findings)
        }
    }
}
