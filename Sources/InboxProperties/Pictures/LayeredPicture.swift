import InboxDetection

/// Photoshop's own format by its resources, of which two are EXIF and XMP.
enum LayeredPicture {
    /// Resources that are followed.
    private static let most = 128

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard let colors = excerpts.head.big32(at: 26) else { return }
        var place = 34 + colors
        let end = place + (excerpts.bytes(at: place - 4, count: 4).big32(at: 0) ?? 0)
        var packet: Range<Int>?
        for _ in 0..<most where place < end {
            // The mark, a number, a name with its length before it, and the size: even numbers of bytes.
            let header = excerpts.bytes(at: place, count: 264, ahead: 16 * 1024)
            let data = 6 + (Int(header[6]) + 2) / 2 * 2
            // The mark is `8BIM`, but other programs of Adobe have marks of their own.
            guard ASCII.isLetter(header[3]), let number = header.big16(at: 4), let size = header.big32(at: data) else {
                break
            }
            let content = (place + data + 4)..<(place + data + 4 + size)
            if number == 0x422 {
                PictureDirectory(at: content.lowerBound, size: size, &excerpts)?.read(&excerpts, into: &findings)
            } else if number == 0x424 {
                packet = content
            }
            place = content.upperBound + size % 2
        }
        guard !findings.isComplete, let packet else { return }
        XMPPacket.read(excerpts.bytes(at: packet.lowerBound, count: min(packet.count, 64 * 1024)), into: &findings)
    }
}
