/// Refines a signature's format by the structure that follows.
enum Refinement {
    /// A more special MIME type than the format's own; nil where there is none.
    static func mime(_ format: Format, _ content: inout Content) -> String? {
        switch format.isCarrier {
        case .compound: return CompoundFile.mime(&content)
        case .tiff: return TIFFDirectory.mime(&content)
        case .ogg: return OggContainer.mime(content.head)
        case .gzip: return compressed(content.head)
        default: break
        }
        switch format.mime {
        case "application/x-ebml": return MatroskaContainer.mime(&content)
        case "application/vnd.ms-asf": return AdvancedSystems.mime(content.head)
        case "image/jp2": return MediaBrands.jpeg2000(content.head)
        case "application/x-sharedlib": return executable(content.head)
        case "application/vnd.hp-pcl": return printed(content.head)
        case "application/postscript": return encapsulated(content.head)
        case "image/png": return animated(content.head)
        case "image/jpeg": return lossless(content.head)
        default: return nil
        }
    }

    /// ELF (System V ABI): a position-independent program differs from a library by its interpreter.
    private static func executable(_ head: Bytes) -> String? {
        hasInterpreter(head, head[5] == 2) ? "application/x-executable" : nil
    }

    private static func hasInterpreter(_ head: Bytes, _ big: Bool) -> Bool {
        let isWide = head[4] == 2
        guard let start = head.number32(at: isWide ? 32 : 28, big: big),
            let size = head.number16(at: isWide ? 54 : 42, big: big), size >= 32,
            let count = head.number16(at: isWide ? 56 : 44, big: big)
        else { return false }
        for index in 0..<min(count, 64) where head.number32(at: start + index * size, big: big) == 3 { return true }
        return false
    }

    /// `%!PS-Adobe-3.0 EPSF-3.0`
    private static func encapsulated(_ head: Bytes) -> String? {
        let end = head.index(of: 0x0A) ?? head.index(of: 0x0D) ?? head.count
        return head[0..<min(end, 64)].contains("EPSF-") ? "image/x-eps" : nil
    }

    /// A job for a printer: after the printer's own lines follows a document in any of its languages.
    private static func printed(_ head: Bytes) -> String? {
        guard head.has("\u{1B}%-12345X") else { return nil }
        var place = 9
        while head.has("@PJL", at: place) {
            guard let end = head.index(of: 0x0A, from: place) else { return nil }
            place = end + 1
        }
        if head.has("%PDF-", at: place) { return "application/pdf" }
        return head.has("%!", at: place) ? "application/postscript" : nil
    }

    /// An animation control chunk precedes the first picture data.
    private static func animated(_ head: Bytes) -> String? {
        var place = 8
        while let length = head.big32(at: place), length < 1 << 20 {
            if head.has("acTL", at: place + 4) { return "image/apng" }
            if head.has("IDAT", at: place + 4) { return nil }
            place += 12 + length
        }
        return nil
    }

    /// JPEG-LS (ISO/IEC 14495-1) has its own frame header after the segments that both formats have.
    private static func lossless(_ head: Bytes) -> String? {
        var place = 2
        while head[place] == 0xFF, let size = head.big16(at: place + 2), size >= 2 {
            switch head[place + 1] {
            case 0xF7: return "image/jls"
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xDA: return nil
            default: place += 2 + size
            }
        }
        return nil
    }

    /// A compressed stream whose beginning is unpacked: the formats that are always packed so.
    private static func compressed(_ head: Bytes) -> String? {
        guard head.count > 18, let body = gzipBody(head) else { return nil }
        return Inflate.inflating(body, limit: 1024) { inner in
            if TapeArchive.mime(inner) != nil { return "application/x-compressed-tar" }
            if inner.contains("<svg") && inner.has("<") { return "image/svg+xml-compressed" }
            if inner.contains("http://www.gnumeric.org/") { return "application/x-gnumeric" }
            if inner.contains("<dia:diagram") { return "application/x-dia-diagram" }
            if inner.has("BLENDER") { return "application/x-blender" }
            if inner.has("RDX2\n") || inner.has("RDX3\n") || inner.has("RDA2\n") || inner.has("RDA3\n")
                || inner.has("X\n\u{0}\u{0}\u{0}")
            {
                return "application/x-rdata"
            }
            if inner.has("gimp xcf ") { return "image/x-compressed-xcf" }
            if inner.has("<?xml"), inner.contains("<gnc-v2") { return "application/x-gnucash" }
            return nil
        }
    }

    /// RFC 1952: optional fields lie between the header and the packed data.
    private static func gzipBody(_ head: Bytes) -> Bytes? {
        let flags = head[3]
        var place = 10
        if flags & 4 != 0 {
            guard let size = head.little16(at: place) else { return nil }
            place += 2 + size
        }
        for flag in [UInt8(8), 16] where flags & flag != 0 {
            guard let end = head.index(of: 0, from: place) else { return nil }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        return head.from(place)
    }
}
