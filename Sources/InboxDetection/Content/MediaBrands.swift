/// ISO base media files (ISO/IEC 14496-12) by brand, and QuickTime files by their atoms.
enum MediaBrands {
    /// Returns whether the brand is one of those that mean MPEG-4 and nothing more special.
    static func isPlain(_ head: Bytes) -> Bool {
        for brand: StaticString in [
            "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mp71", "avc1",
            "mmp4",
            "MSNV", "dash", "XAVC", "NDSC", "F4V ",
        ] where head.has(brand, at: 8) { return true }
        return false
    }

    /// The MIME type; nil where the first box is not one of such a file.
    static func mime(_ head: Bytes) -> String? {
        guard let size = head.big32(at: 0), let kind = kind(head) else { return nil }
        switch kind {
        case .fileType:
            // Without a whole brand nothing is known.
            guard head.count >= 12 else { return nil }
            let brands = head[8..<max(16, min(size, 512))]
            return mime(major: brands[0..<4], brands: brands.from(8), head)
        case .atom:
            // A box is at least as long as its header; 1 means a 64-bit size, 0 the rest of the file.
            return size >= 8 || size <= 1 ? "video/quicktime" : nil
        }
    }

    private enum Kind {
        case fileType
        case atom
    }

    private static func kind(_ head: Bytes) -> Kind? {
        if head.has("ftyp", at: 4) { return .fileType }
        for name: StaticString in ["moov", "mdat", "wide", "skip", "pnot", "free"] where head.has(name, at: 4) {
            // Only a QuickTime file begins without a file type; what follows must be a box again.
            guard let size = head.big32(at: 0), size >= 8, size + 8 <= head.count else { return .atom }
            return isBoxName(head[(size + 4)..<(size + 8)]) ? .atom : nil
        }
        return nil
    }

    private static func isBoxName(_ name: Bytes) -> Bool {
        guard name.count == 4 else { return false }
        for index in 0..<4 where !(name[index] >= 0x20 && name[index] < 0x7F || name[index] == 0xA9) { return false }
        return true
    }

    private static func mime(major: Bytes, brands: Bytes, _ head: Bytes) -> String {
        for (brand, mime) in exact where major.equals(brand) { return mime }
        if major.has("3gp") || major.has("3gr") || major.has("3gs") || major.has("3ge") || major.has("3gg") {
            return "video/3gpp"
        }
        if major.has("3g2") { return "video/3gpp2" }
        if major.has("M4A") { return "audio/mp4" }
        if major.equals("mif1") || major.equals("msf1") || major.equals("miaf") { return image(major, brands) }
        // A general major brand: the compatible ones may be more special.
        for index in stride(from: 0, to: brands.count - 3, by: 4) {
            let brand = brands[index..<(index + 4)]
            if brand.equals("avif") { return "image/avif" }
            if brand.equals("heic") || brand.equals("heix") { return "image/heic" }
            if brand.equals("crx ") { return "image/x-canon-cr3" }
        }
        return "video/mp4"
    }

    private static func image(_ major: Bytes, _ brands: Bytes) -> String {
        let isSequence = major.equals("msf1")
        for index in stride(from: 0, to: brands.count - 3, by: 4) {
            let brand = brands[index..<(index + 4)]
            if brand.equals("avif") || brand.equals("avis") { return "image/avif" }
            if brand.equals("heic") || brand.equals("heix") { return isSequence ? "image/heic-sequence" : "image/heic" }
            if brand.equals("hevc") || brand.equals("hevx") { return "image/heic-sequence" }
        }
        return isSequence ? "image/heif-sequence" : "image/heif"
    }

    private static let exact: [(StaticString, String)] = [
        ("qt  ", "video/quicktime"),
        ("crx ", "image/x-canon-cr3"),
        ("heic", "image/heic"), ("heix", "image/heic"), ("heim", "image/heic"), ("heis", "image/heic"),
        ("hevc", "image/heic-sequence"), ("hevx", "image/heic-sequence"), ("hevm", "image/heic-sequence"),
        ("hevs", "image/heic-sequence"),
        ("avif", "image/avif"), ("avis", "image/avif"),
        ("avci", "image/avci"), ("avcs", "image/avcs"),
        ("M4A ", "audio/mp4"), ("M4B ", "audio/x-m4b"), ("M4P ", "audio/x-m4p"), ("M4R ", "audio/x-m4r"),
        ("M4V ", "video/x-m4v"), ("M4VH", "video/x-m4v"), ("M4VP", "video/x-m4v"),
        ("F4A ", "audio/mp4"), ("F4B ", "audio/mp4"), ("F4V ", "video/mp4"), ("F4P ", "video/mp4"),
        ("aax ", "audio/vnd.audible.aax"),
        ("jp2 ", "image/jp2"), ("jpx ", "image/jpx"), ("jpm ", "image/jpm"), ("mjp2", "video/mj2"),
        ("mj2s", "video/mj2"), ("jxl ", "image/jxl"),
        ("MSNV", "video/mp4"), ("XAVC", "video/mp4"), ("dash", "video/mp4"), ("KDDI", "video/3gpp2"),
    ]

    /// JPEG 2000 files have the same boxes, and the brand after their signature.
    static func jpeg2000(_ head: Bytes) -> String {
        guard head.has("ftyp", at: 16) else { return "image/jp2" }
        let brand = head[20..<24]
        if brand.equals("jpx ") { return "image/jpx" }
        if brand.equals("jpm ") { return "image/jpm" }
        if brand.equals("mjp2") || brand.equals("mj2s") { return "video/mj2" }
        return "image/jp2"
    }
}
