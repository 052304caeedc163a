/// Matroska and WebM: EBML (RFC 8794) by its DocType.
package enum MatroskaContainer {
    /// The MIME type; nil where the header names another document type.
    static func mime(_ content: inout Content) -> String? {
        let head = content.head
        // The header is a master element; its length follows the four bytes of its identifier.
        guard let (length, place) = number(head, at: 4) else { return nil }
        let end = min(head.count, place + min(length, 1024))
        var here = place
        while here < end, let (identifier, afterIdentifier) = rawNumber(head, at: here),
            let (size, data) = number(head, at: afterIdentifier)
        {
            if identifier == 0x4282 {
                let type = head[data..<(data + min(size, 16))]
                if type.has("webm") { return "video/webm" }
                if type.has("matroska") { return hasVideo(&content) ? "video/x-matroska" : "audio/x-matroska" }
                return nil
            }
            guard size <= head.count else { return nil }
            here = data + size
        }
        return nil
    }

    /// Returns whether a track is marked as video, or no track within reach is marked: sound alone must be proved.
    private static func hasVideo(_ content: inout Content) -> Bool {
        // Codecs are named in full. Room for an index may precede the tracks.
        for place in [0, Content.headSize] {
            let found = content.reading(at: place, count: Content.headSize) { bytes, _ in
                bytes.contains("V_") ? true : bytes.contains("A_") ? false : nil
            }
            if let found { return found }
        }
        return true
    }

    /// Returns a variable-length number with its length marker cleared, and the offset after it.
    package static func number(_ bytes: Bytes, at place: Int) -> (Int, Int)? {
        guard let (raw, next) = rawNumber(bytes, at: place) else { return nil }
        let width = next - place
        return (raw & ((1 << (7 * width)) - 1), next)
    }

    /// Returns an identifier, which keeps its length marker, and the offset after it.
    package static func rawNumber(_ bytes: Bytes, at place: Int) -> (Int, Int)? {
        guard let first = bytes.byte(at: place), first != 0 else { return nil }
        let width = first.leadingZeroBitCount + 1
        guard place + width <= bytes.count else { return nil }
        var value = 0
        for index in 0..<width { value = value << 8 | Int(bytes[place + index]) }
        return (value & 0x7FFF_FFFF_FFFF_FFFF, place + width)
    }
}

/// Ogg (RFC 3533) by the codecs that its first pages begin.
enum OggContainer {
    /// The MIME type of the whole stream.
    static func mime(_ head: Bytes) -> String {
        var place = 0
        var sound: String?
        var video: String?
        var isAnnodex = false
        // The first pages of all streams precede all other pages.
        while head.has("OggS", at: place), head[place + 5] & 2 != 0, let segments = head.byte(at: place + 26) {
            var size = 0
            for index in 0..<Int(segments) { size += Int(head[place + 27 + index]) }
            let packet = head.from(place + 27 + Int(segments))
            if packet.has("\u{1}vorbis") {
                sound = sound ?? "audio/x-vorbis+ogg"
            } else if packet.has("OpusHead") {
                sound = sound ?? "audio/x-opus+ogg"
            } else if packet.has("Speex   ") {
                sound = sound ?? "audio/x-speex+ogg"
            } else if packet.has("\u{7F}FLAC") || packet.has("fLaC") {
                sound = sound ?? "audio/x-flac+ogg"
            } else if packet.has("theora", at: 1) {
                video = video ?? "video/x-theora+ogg"
            } else if packet.has("\u{1}video") {
                video = video ?? "video/x-ogm+ogg"
            } else if packet.has("BBCD") || packet.has("OVP80") || packet.has("KW-DIRAC") {
                video = video ?? "video/ogg"
            } else if packet.has("Annodex") || packet.has("CMML") {
                isAnnodex = true
            }
            place += 27 + Int(segments) + size
        }
        if isAnnodex { return video != nil ? "video/annodex" : sound != nil ? "audio/annodex" : "application/annodex" }
        if let video { return sound == nil ? video : video == "video/x-ogm+ogg" ? video : "video/ogg" }
        return sound ?? "application/ogg"
    }
}

/// Microsoft's ASF by the streams that its header announces.
enum AdvancedSystems {
    /// Sound alone is Windows Media Audio; with video it is Windows Media Video.
    static func mime(_ head: Bytes) -> String {
        // The stream properties object, and the two kinds of stream, by their identifiers' first half.
        var hasSound = false
        var hasVideo = false
        var place = 30
        while let size = head.little64(at: place + 16), size >= 24, size < 1 << 20 {
            if head.little32(at: place) == 0xB7DC_0791 {
                if head.little32(at: place + 24) == 0xF869_9E40 { hasSound = true }
                if head.little32(at: place + 24) == 0xBC19_EFC0 { hasVideo = true }
            }
            place += Int(size)
        }
        if hasVideo { return "video/x-ms-wmv" }
        return hasSound ? "audio/x-ms-wma" : "application/vnd.ms-asf"
    }
}
