import InboxDetection

/// Adobe's XMP (ISO 16684-1), which many formats hold.
enum XMPPacket {
    /// Bytes in which a packet is searched for: Illustrator writes a preview before it.
    private static let searchReach = 200 * 1024
    private static let packetReach = 64 * 1024

    /// Takes what a packet says: photoshop:DateCreated, which is of the picture's content, before xmp:CreateDate.
    static func read(_ packet: Bytes, into findings: inout Findings) {
        // UTF-16 as well: its mark and each letter of the tags have a byte that UTF-8 has not.
        let isBig = packet[0] == 0 || packet[0] == 0xFE
        guard packet[0] > 0, packet[0] < 0xFE, packet[1] > 0 else {
            return Bytes.lending(TextDecoding.wide(packet, big: isBig, limit: packet.count)) {
                readPlain($0, into: &findings)
            }
        }
        readPlain(packet, into: &findings)
    }

    /// Searches the beginning of a format that has a packet between other things.
    static func search(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let bytes = excerpts.bytes(at: 0, count: searchReach, ahead: searchReach)
        guard let start = bytes.find("<x:xmpmeta") ?? bytes.find("<x:xapmeta") else { return }
        readPlain(bytes.from(start)[0..<packetReach], into: &findings)
    }

    private static func readPlain(_ packet: Bytes, into findings: inout Findings) {
        var dates = [DocumentDate?](repeating: nil, count: 3)
        var title: String?
        var author: String?
        MarkedProperties.visit(packet, in: ["Description"]) { property in
            switch property.space {
            case .photoshop where property.name.equals("DateCreated"): dates[0] = dates[0] ?? property.date
            case .xmp where property.name.equals("CreateDate"): dates[1] = dates[1] ?? property.date
            case .exif where property.name.equals("DateTimeOriginal"): dates[2] = dates[2] ?? property.date
            case .core where property.name.equals("title"): title = title ?? property.text
            case .core where property.name.equals("creator"): author = author ?? property.text
            default: break
            }
        }
        for date in dates { findings.offer(date, from: .xmp) }
        findings.offer(title: title)
        findings.offer(author: author)
    }
}
