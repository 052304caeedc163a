import InboxDetection

/// PNG (ISO 15948): EXIF and XMP lie in chunks before the picture, or after it.
enum PNGPicture {
    /// Chunks that are followed.
    private static let mostChunks = 64
    /// Bytes of the end in which a chunk after a large picture is searched for.
    private static let endReach = 32 * 1024

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        var packets: [(offset: Int, size: Int)] = []
        var place = 8
        for _ in 0..<mostChunks {
            let header = excerpts.bytes(at: place, count: 32)
            guard let size = header.big32(at: 0), header.count >= 12, !header.has("IEND", at: 4) else { break }
            // A picture is in many chunks, and what follows it is searched for from the end.
            if header.has("IDAT", at: 4), place + size + 12 < excerpts.size, excerpts.size - place > endReach {
                readEnd(&excerpts, after: place, &packets, into: &findings)
                break
            }
            take(header, at: place, size, &excerpts, &packets, into: &findings)
            place += 12 + size
        }
        for packet in packets where !findings.isComplete { readPacket(packet, &excerpts, into: &findings) }
    }

    private static func take(
        _ header: Bytes, at place: Int, _ size: Int, _ excerpts: inout Excerpts,
        _ packets: inout [(offset: Int, size: Int)], into findings: inout Findings
    ) {
        if header.has("eXIf", at: 4) {
            let isMarked = header.has("Exif\0\0", at: 8)
            PictureDirectory(at: place + (isMarked ? 14 : 8), size: size - (isMarked ? 6 : 0), &excerpts)?
                .read(&excerpts, into: &findings)
        } else if header.has("iTXtXML:com.adobe.xmp\0", at: 4) {
            packets.append((place + 8, size))
        } else if header.has("EXtRaw profile type ", at: 5) || header.has("TXtRaw profile type ", at: 5) {
            readProfile(at: place + 8, size, isPacked: header[4] == UInt8(ascii: "z"), &excerpts, into: &findings)
        }
    }

    /// EXIF or XMP as ImageMagick has it: a name, a length and the bytes in hexadecimal digits, a line each.
    private static func readProfile(
        at place: Int, _ size: Int, isPacked: Bool, _ excerpts: inout Excerpts, into findings: inout Findings
    ) {
        let text = excerpts.bytes(at: place, count: min(size, 64 * 1024))
        guard let end = text.index(of: 0) else { return }
        // The way of packing, and two bytes of zlib, precede what is packed.
        let written = isPacked ? excerpts.inflate(text.from(end + 4), limit: 64 * 1024) : text.from(end + 1)
        guard let name = written.index(of: 0x0A, from: 1), let length = written.index(of: 0x0A, from: name + 1) else {
            return
        }
        let profile = excerpts.keep(limit: written.count / 2) { room in
            var count = 0
            var high: UInt8?
            for index in length..<written.count where count < room.count {
                guard let digit = TextDecoding.hexadecimal(written[index]) else { continue }
                if let half = high {
                    room[count] = half << 4 | digit
                    count += 1
                }
                high = high == nil ? digit : nil
            }
            return count
        }
        if profile.has("Exif\0\0") {
            var inside = Excerpts(plain: profile.from(6))
            PictureDirectory(at: 0, size: inside.size, &inside)?.read(&inside, into: &findings)
        } else if let start = profile.find("<x:xmpmeta") {
            XMPPacket.read(profile.from(start), into: &findings)
        }
    }

    private static func readEnd(
        _ excerpts: inout Excerpts, after start: Int, _ packets: inout [(offset: Int, size: Int)],
        into findings: inout Findings
    ) {
        let place = max(start, excerpts.size - endReach)
        let end = excerpts.bytes(at: place, count: endReach)
        for name: StaticString in ["eXIf", "iTXtXML:com.adobe.xmp\0"] {
            guard let found = end.find(name), found >= 4, let size = end.big32(at: found - 4) else { continue }
            take(end[(found - 4)..<(found + 28)], at: place + found - 4, size, &excerpts, &packets, into: &findings)
        }
    }

    private static func readPacket(
        _ packet: (offset: Int, size: Int), _ excerpts: inout Excerpts, into findings: inout Findings
    ) {
        let text = excerpts.bytes(at: packet.offset, count: min(packet.size, 64 * 1024))
        // The keyword, whether the text is packed and how, a language and a translated keyword.
        let isPacked = text[18] == 1
        guard let language = text.index(of: 0, from: 20), let keyword = text.index(of: 0, from: language + 1) else {
            return
        }
        let data = text.from(keyword + 1)
        // Two bytes of zlib precede what is packed.
        XMPPacket.read(isPacked ? excerpts.inflate(data.from(2), limit: 64 * 1024) : data, into: &findings)
    }
}

/// WebP, and what else is in chunks of RIFF with EXIF and XMP.
enum WebPicture {
    private static let mostChunks = 64

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        var place = 12
        var packet: (offset: Int, size: Int)?
        for _ in 0..<mostChunks {
            let header = excerpts.bytes(at: place, count: 20)
            guard let size = header.little32(at: 4), header.count > 8 else { break }
            if header.has("EXIF") {
                let isMarked = header.has("Exif\0\0", at: 8)
                PictureDirectory(at: place + (isMarked ? 14 : 8), size: size - (isMarked ? 6 : 0), &excerpts)?
                    .read(&excerpts, into: &findings)
            } else if header.has("XMP ") {
                packet = (place + 8, size)
            }
            place += 8 + size + size % 2
        }
        guard !findings.isComplete, let packet else { return }
        XMPPacket.read(excerpts.bytes(at: packet.offset, count: min(packet.size, 64 * 1024)), into: &findings)
    }
}
