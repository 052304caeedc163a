import InboxDetection

/// Vorbis comments, which FLAC and the streams in Ogg have.
enum VorbisComments {
    private static let mostComments = 256
    private static let longest = 64 * 1024

    /// Takes what a list of comments says.
    /// - Returns: false where the list is cut off.
    @discardableResult
    static func read(_ list: Bytes, into findings: inout Findings) -> Bool {
        guard let vendor = list.little32(at: 0), let count = list.little32(at: 4 + vendor) else { return false }
        var place = 8 + vendor
        for _ in 0..<min(mostComments, count) {
            guard let size = list.little32(at: place) else { return false }
            let comment = list[(place + 4)..<(place + 4 + size)]
            place += 4 + size
            // Only the text before the sign is a name, in any case.
            if comment.hasIgnoringCase("title=") {
                findings.offer(title: TextDecoding.plain(comment.from(6)))
            } else if comment.hasIgnoringCase("artist=") {
                findings.offer(author: TextDecoding.plain(comment.from(7)))
            } else if comment.hasIgnoringCase("date=") {
                findings.offer(WrittenDate.standard(comment.from(5)), from: .vorbis)
            }
        }
        return true
    }

    /// FLAC (RFC 9639) by its blocks.
    static func readFLAC(at start: Int, _ excerpts: inout Excerpts, into findings: inout Findings) {
        var place = start + 4
        for _ in 0..<32 {
            let header = excerpts.bytes(at: place, count: 4)
            guard let word = header.big32(at: 0) else { return }
            let size = word & 0xFF_FFFF
            if header[0] & 0x7F == 4 {
                read(excerpts.bytes(at: place + 4, count: min(size, longest)), into: &findings)
                return
            }
            guard header[0] & 0x80 == 0 else { return }
            place += 4 + size
        }
    }

    /// Ogg (RFC 3533): the second packet of a stream has the comments, in as many pages as it takes.
    static func readOgg(_ excerpts: inout Excerpts, into findings: inout Findings) {
        // A picture may lie before the other comments.
        if !readOgg(longest, &excerpts, into: &findings) { _ = readOgg(2 * longest, &excerpts, into: &findings) }
    }

    /// Reads the comments in the first bytes of a file.
    /// - Returns: false where a list of them is cut off.
    private static func readOgg(_ longest: Int, _ excerpts: inout Excerpts, into findings: inout Findings) -> Bool {
        let bytes = excerpts.bytes(at: 0, count: longest, ahead: longest)
        var place = 0
        // The comments of Speex have no sign of their own, but are its second packet too.
        var speex: Int?
        var lists: [(stream: Int, parts: [Bytes])] = []
        var pages = 0
        while bytes.has("OggS", at: place), let segments = bytes.byte(at: place + 26), pages < 256 {
            let table = bytes[(place + 27)..<(place + 27 + Int(segments))]
            var size = 0
            for index in 0..<table.count { size += Int(table[index]) }
            let payload = bytes[(place + 27 + Int(segments))..<(place + 27 + Int(segments) + size)]
            let stream = bytes.little32(at: place + 14) ?? 0
            if let index = lists.firstIndex(where: { $0.stream == stream }) {
                lists[index].parts.append(payload)
            } else if speex == nil, payload.has("Speex   ") {
                speex = stream
            } else if lists.count < 4, let skip = stream == speex ? 0 : skip(payload) {
                lists.append((stream, [payload.from(skip)]))
            }
            place += 27 + Int(segments) + size
            pages += 1
        }
        var isWhole = true
        for list in lists where !findings.isComplete {
            isWhole = read(joined(list.parts, longest, &excerpts), into: &findings) && isWhole
        }
        return isWhole
    }

    private static func joined(_ parts: [Bytes], _ longest: Int, _ excerpts: inout Excerpts) -> Bytes {
        excerpts.keep(limit: longest) { room in
            var count = 0
            for part in parts {
                let wanted = min(part.count, room.count - count)
                part[0..<wanted].withRaw {
                    UnsafeMutableRawBufferPointer(rebasing: room[count..<(count + wanted)]).copyMemory(from: $0)
                }
                count += wanted
            }
            return count
        }
    }

    /// Bytes before the comments in a packet that has them; nil for other packets.
    private static func skip(_ packet: Bytes) -> Int? {
        if packet.has("\u{3}vorbis") { return 7 }
        if packet.has("OpusTags") { return 8 }
        if packet.has("theora", at: 1), packet[0] == 0x81 { return 7 }
        // FLAC in Ogg has blocks as FLAC itself.
        if packet[0] & 0x7F == 4, let size = packet.big32(at: 0), size & 0xFF_FFFF > 8,
            let vendor = packet.little32(at: 4), vendor < 256, packet.count >= 12 + vendor
        {
            return 4
        }
        return nil
    }
}
