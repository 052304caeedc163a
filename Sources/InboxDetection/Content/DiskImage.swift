/// Images of discs and disks: by a volume's own marks, and by the trailer of Apple's.
enum DiskImage {
    /// A volume or a partition map that begins in the head.
    static func mime(_ head: Bytes) -> (String, Int)? {
        // HFS Plus, its case-sensitive variant, and HFS, after the boot block.
        if head.has("H+\u{0}\u{4}", at: 1024) || head.has("HX\u{0}\u{5}", at: 1024) { return found(6) }
        if head.has("ER\u{2}\u{0}") || head.has("ER\u{4}\u{0}"), head.has("PM\u{0}\u{0}", at: 512) { return found(8) }
        if head.has("EFI PART", at: 512) || head.has("NXSB", at: 32) || head.has("XFSB") { return found(8) }
        if head.has("LUKS"), head[4] == 0xBA, head[5] == 0xBE { return found(6) }
        // ext2 to ext4: the mark in the superblock, and a sensible size of blocks and state.
        if head.little16(at: 1080) == 0xEF53, let scale = head.little32(at: 1048), scale <= 6, head[1082] <= 7,
            let count = head.little32(at: 1024), count > 0
        {
            return found(6)
        }
        return nil
    }

    private static func found(_ fixed: Int) -> (String, Int) { ("application/x-raw-disk-image", fixed) }

    /// Returns a match far from the beginning: optical discs, and the trailer of Apple's disk images.
    static func elsewhere(_ content: inout Content) -> (mime: String, fixed: Int)? {
        if let solid = Solid.mime(&content) { return solid }
        guard let size = content.size(), size >= 512 else { return nil }
        if size >= 34 * 1024, let mime = OpticalDisc.mime(&content) { return mime }
        if hasTrailer(&content) { return ("application/x-apple-diskimage", 4) }
        // A boot sector: its mark, and a partition table whose entries are active or not, or a volume's jump.
        if content.head.has("\u{55}", at: 510), content.head[511] == 0xAA {
            let isTable = [446, 462, 478, 494].allSatisfy { content.head[$0] & 0x7F == 0 }
            let isJump = content.head[0] == 0xEB || content.head[0] == 0xE9
            if isTable || isJump { return ("application/x-raw-disk-image", 4) }
        }
        return nil
    }

    /// Returns whether the last 512 bytes are the description of an Apple disk image, whose data precede it and may
    /// look like anything.
    static func hasTrailer(_ content: inout Content) -> Bool {
        guard let size = content.size(), size >= 512 else { return false }
        return content.reading(at: size - 512, count: 8) { bytes, _ in bytes.has("koly") }
    }

    /// Returns whether an image's first block may look like this type by a few bytes: packed data, or a volume.
    static func isAmbiguous(_ mime: String) -> Bool {
        switch mime {
        case "application/zlib", "application/x-bzip", "application/x-lzma", "application/x-lzfse", "application/x-xz",
            "application/x-raw-disk-image", "application/x-cd-image":
            true
        default: false
        }
    }
}

/// Solids in triangles: 80 bytes that mean nothing, a count, and 50 bytes a triangle.
private enum Solid {
    static func mime(_ content: inout Content) -> (mime: String, fixed: Int)? {
        guard let count = content.head.little32(at: 80), count > 0, let size = content.size(), size == 84 + 50 * count
        else { return nil }
        return ("model/stl", 8)
    }
}
