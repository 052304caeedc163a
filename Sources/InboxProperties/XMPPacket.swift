import InboxDetection

/// Adobe's XMP (ISO 16684-1), which many formats hold.
enum XMPPacket {
    /// Takes what a packet says: photoshop:DateCreated, which is of the picture's content, before xmp:CreateDate.
    static func read(_ packet: Bytes, into findings: inout Findings) {
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
