/// Formats whose beginning is a structure that must make sense rather than a fixed signature.
enum Structures {
    /// The MIME type and how many bytes were checked; nil where nothing fits.
    static func match(_ content: inout Content) -> (mime: String, fixed: Int)? {
        let head = content.head
        if let mime = picture(head) { return mime }
        if let mime = TapeArchive.mime(head) { return mime }
        if let mime = Frames.mime(&content) { return mime }
        if let mime = TransportStream.mime(head) { return mime }
        if let mime = program(head) { return mime }
        if let mime = Databases.palm(head) { return mime }
        if let mime = Databases.mime(head) { return mime }
        if let mime = DistinguishedEncoding.mime(head) { return mime }
        if let mime = DiskImage.mime(head) { return mime }
        if let mime = compressed(head) { return mime }
        if let mime = Records.mime(head, isWhole: content.isWhole) { return mime }
        if let mime = BinaryObjects.mime(head, isWhole: content.isWhole) { return (mime, 8) }
        if let mime = DenseRecords.mime(&content) { return mime }
        return PortableDocument.isLate(head) ? ("application/pdf", 5) : nil
    }

    private static func picture(_ head: Bytes) -> (String, Int)? {
        if head.has("BM"), let offset = head.little32(at: 10), let size = head.little32(at: 14),
            [12, 16, 40, 52, 56, 64, 108, 124].contains(size), offset >= 14 + size, offset < 1 << 20
        {
            return ("image/bmp", 6)
        }
        // The same without the header of files, as the clipboard has it.
        if head.little32(at: 0) == 40, head.little16(at: 12) == 1, let depth = head.little16(at: 14),
            [1, 4, 8, 16, 24, 32].contains(depth), let width = head.little32(at: 4), (1...65535).contains(width),
            let packing = head.little32(at: 16), packing <= 3
        {
            return ("image/x-dib", 6)
        }
        if let icon = icon(head) { return icon }
        if let netpbm = netpbm(head) { return netpbm }
        // PCX: version, run-length encoding, bits a plane, and a window that is not inside out.
        if head[0] == 0x0A, head[1] <= 5, head[2] <= 1, [1, 2, 4, 8].contains(head[3]), head[64] == 0,
            let left = head.little16(at: 4), let right = head.little16(at: 8), left <= right, head.count >= 128,
            [1, 2, 3, 4].contains(head[65])
        {
            return ("image/vnd.zbrush.pcx", 6)
        }
        // SGI: storage, bytes a channel, dimensions and channels.
        if head.big16(at: 0) == 474, head[2] <= 1, head[3] == 1 || head[3] == 2, let rank = head.big16(at: 4),
            (1...3).contains(rank)
        {
            return ("image/x-sgi", 6)
        }
        // QuickDraw pictures follow 512 bytes without meaning.
        for start in [512, 0] where head.has("\u{0}\u{11}\u{2}", at: start + 10) && head[start + 13] == 0xFF {
            return ("image/x-pict", 4)
        }
        if head.has("\u{11}\u{1}\u{1}\u{0}", at: 522), head.count > 526 { return ("image/x-pict", 4) }
        // FLIC: the size, then the kind, then the dimensions.
        if let kind = head.little16(at: 4), kind == 0xAF11 || kind == 0xAF12, let width = head.little16(at: 8),
            (1...8192).contains(width), let depth = head.little16(at: 12), depth <= 32, head[14] <= 3, head[15] == 0
        {
            return ("video/x-flic", 4)
        }
        // X window dumps: the header's length, version 7, and a picture format.
        if let size = head.big32(at: 0), (100...512).contains(size), head.big32(at: 4) == 7,
            let kind = head.big32(at: 8), kind <= 2
        {
            return ("image/x-xwindowdump", 8)
        }
        // 3D Studio: a main chunk, and in it a version or an editor chunk.
        if head.has("MM"), let size = head.little32(at: 2), size > 16, let inner = head.little16(at: 6),
            inner == 2 || inner == 0x3D3D, let length = head.little32(at: 8), length <= size
        {
            return ("image/x-3ds", 4)
        }
        return targa(head)
    }

    /// Icons and cursors: a count, and a first entry whose picture lies after the list.
    private static func icon(_ head: Bytes) -> (String, Int)? {
        guard head.big16(at: 0) == 0, let kind = head.little16(at: 2), kind == 1 || kind == 2,
            let count = head.little16(at: 4), (1...256).contains(count), head[9] == 0,
            let size = head.little32(at: 14), size > 0, let offset = head.little32(at: 18),
            offset >= 6 + 16 * count, offset < 1 << 20
        else { return nil }
        if kind == 1, let planes = head.little16(at: 10), planes > 1 { return nil }
        return (kind == 1 ? "image/vnd.microsoft.icon" : "image/x-win-bitmap", 6)
    }

    /// The portable pixmaps: `P`, a digit, a blank, and width and height in digits after any comments. The first three
    /// kinds go on with numbers.
    private static func netpbm(_ head: Bytes) -> (String, Int)? {
        guard head[0] == UInt8(ascii: "P"), ASCII.isSpace(head[2]) else { return nil }
        let kinds: [(UInt8, String)] = [
            (0x31, "image/x-portable-bitmap"), (0x34, "image/x-portable-bitmap"), (0x32, "image/x-portable-graymap"),
            (0x35, "image/x-portable-graymap"), (0x33, "image/x-portable-pixmap"), (0x36, "image/x-portable-pixmap"),
            (0x37, "image/x-portable-anymap"),
        ]
        guard let mime = kinds.first(where: { $0.0 == head[1] })?.1 else { return nil }
        // The seventh kind alone has words, in any order, and begins with a whole line.
        let isArbitrary = head[1] == 0x37
        let isPlain = head[1] <= 0x33
        var numbers = 0
        var place = 3
        while place < head.count {
            if ASCII.isSpace(head[place]) {
                place += 1
            } else if head[place] == UInt8(ascii: "#") {
                place = (head.index(of: 0x0A, from: place) ?? head.count) + 1
            } else if isArbitrary {
                return head[2] == 0x0A && isArbitraryMapField(head.from(place)) ? (mime, 3) : nil
            } else {
                guard let end = endOfNumber(head, place) else { return nil }
                numbers += 1
                if numbers == (isPlain ? 3 : 2) { return (mime, 3) }
                place = end
            }
        }
        return numbers == 2 ? (mime, 3) : nil
    }

    /// Where a number of a pixmap's header ends, at a blank or at the end.
    private static func endOfNumber(_ head: Bytes, _ start: Int) -> Int? {
        var end = start
        while ASCII.isDigit(head[end]) { end += 1 }
        return end > start && (end == head.count || ASCII.isSpace(head[end])) ? end : nil
    }

    private static func isArbitraryMapField(_ line: Bytes) -> Bool {
        line.has("WIDTH ") || line.has("HEIGHT ") || line.has("DEPTH ") || line.has("MAXVAL ") || line.has("TUPLTYPE ")
    }

    /// Targa has no signature: every field of its header must be one that programs write.
    private static func targa(_ head: Bytes) -> (String, Int)? {
        // AV1's first two units and the header of VIFF have the same bytes there.
        guard head.count >= 18, head[1] <= 1, !head.has("\u{12}\u{0}\u{A}"), head.big16(at: 0) != 0xAB01,
            [1, 2, 3, 9, 10, 11].contains(head[2]),
            [8, 15, 16, 24, 32].contains(head[16]), head[17] & 0xC0 == 0,
            let width = head.little16(at: 12), let height = head.little16(at: 14), width > 0, height > 0,
            width <= 16384, height <= 16384
        else { return nil }
        let isMapped = head[2] == 1 || head[2] == 9
        if isMapped {
            guard head[1] == 1, head.little16(at: 5) ?? 0 > 0, [15, 16, 24, 32].contains(head[7]) else { return nil }
        } else {
            guard head[1] == 0, head.little32(at: 3) == 0, head[7] == 0 else { return nil }
            if head[2] == 2 || head[2] == 10, head[16] == 8 { return nil }
        }
        guard head.little16(at: 8) == 0 || head[2] != 1 else { return nil }
        return ("image/x-tga", 5)
    }

    /// TrueType: a count of tables, the search range that follows from it, or a first table with a name.
    private static func font(_ head: Bytes) -> (String, Int)? {
        guard head.big32(at: 0) == 0x0001_0000 || head.has("true"), let count = head.big16(at: 4),
            (1...64).contains(count)
        else { return nil }
        let isRanged = head.big16(at: 6).map { $0 == 16 << (Int.bitWidth - 1 - count.leadingZeroBitCount) } ?? false
        let isNamed =
            head.count >= 16 && (12..<16).allSatisfy { head[$0] > 0x20 && head[$0] < 0x7F || head[$0] == 0x20 }
        return isRanged || isNamed ? ("font/ttf", 6) : nil
    }

    /// COFF: a processor, sections of which the first follows the header and has the name that linkers know.
    private static func isLinkerObject(_ head: Bytes) -> Bool {
        guard let machine = head.little16(at: 0), coffMachines.contains(machine), let count = head.little16(at: 2),
            (1...4096).contains(count), head.little16(at: 16) == 0, let flags = head.little16(at: 18),
            flags & 0x2002 == 0, let symbols = head.little32(at: 8), symbols == 0 || symbols >= 20 + 40 * count,
            head.count >= 60
        else { return false }
        let name = head[20..<28]
        var length = 0
        while length < 8, name[length] != 0 { length += 1 }
        return (name[0] == UInt8(ascii: ".") || name[0] == UInt8(ascii: "/")) && length > 1
            && (0..<length).allSatisfy { (0x21..<0x7F).contains(name[$0]) }
            && (length..<8).allSatisfy { name[$0] == 0 }
    }

    /// x86, ARM, Thumb, Itanium, x86-64, ARM64, RISC-V of both widths.
    private static let coffMachines: [Int] = [0x14C, 0x1C0, 0x1C4, 0x200, 0x8664, 0xAA64, 0x5032, 0x5064]

    /// Printer font metrics: version 1.0, the file's size, a copyright of 60 bytes, and a font that a device has.
    private static func isPrinterMetrics(_ head: Bytes) -> Bool {
        guard head.little16(at: 0) == 0x100, let size = head.little32(at: 2), size >= 147,
            let kind = head.little16(at: 66), kind & 0xFFFE == 0x80, let points = head.little16(at: 68),
            (1...1000).contains(points)
        else { return false }
        // The extension that printers need follows the header at once, and has 30 bytes.
        return head.little16(at: 117) == 30
    }

    private static func program(_ head: Bytes) -> (String, Int)? {
        if let mime = font(head) { return mime }
        if isLinkerObject(head) { return ("application/x-object", 8) }
        if isPrinterMetrics(head) { return ("application/x-font-printer-metric", 8) }
        if head.big32(at: 0) == 0xCAFE_BABE, let word = head.big32(at: 4) {
            // A class file's version begins at 45; a universal binary has as many parts as there are processors.
            return word & 0xFFFF >= 43 ? ("application/x-java", 6) : ("application/x-mach-binary", 6)
        }
        if head.has("MZ") || head.has("ZM") {
            if let offset = head.little32(at: 60), head.has("PE\u{0}\u{0}", at: offset),
                let flags = head.little16(at: offset + 22)
            {
                return (
                    flags & 0x2000 != 0
                        ? "application/vnd.microsoft.portable-executable" : "application/x-ms-dos-executable", 6
                )
            }
            // The last page's length is below 512, and there is at least one page.
            if let last = head.little16(at: 2), last < 512, let pages = head.little16(at: 4), pages > 0,
                head.count >= 28
            {
                return ("application/x-ms-dos-executable", 4)
            }
        }
        // Compiled Python: a version, CR LF.
        if head.count >= 16, head[2] == 0x0D, head[3] == 0x0A, [0x0C, 0x0D, 0x0E, 0xF2, 0xF3].contains(head[1]) {
            return ("application/x-python-bytecode", 3)
        }
        return nil
    }

    /// Frames that programs skip precede the stream (RFC 8878, section 3.1.2).
    private static func skipped(_ head: Bytes) -> (String, Int)? {
        var place = 0
        for _ in 0..<8 {
            guard let magic = head.little32(at: place), magic & ~15 == 0x184D_2A50,
                let size = head.little32(at: place + 4)
            else { break }
            place += 8 + size
        }
        guard place > 0 else { return nil }
        if head.has("\u{4}\"M\u{18}", at: place) { return ("application/x-lz4", 8) }
        return head.little32(at: place) == 0xFD2F_B528 ? ("application/zstd", 8) : nil
    }

    /// Compressed streams that begin with parameters.
    private static func compressed(_ head: Bytes) -> (String, Int)? {
        if let found = skipped(head) { return found }
        // LZMA alone: the usual properties, a dictionary of 2^n or 2^n + 2^(n-1), a size that is unknown or sensible.
        if head[0] == 0x5D, let dictionary = head.little32(at: 1), dictionary >= 4096,
            dictionary == 0xFFFF_FFFF || dictionary.nonzeroBitCount <= 2,
            let size = head.little64(at: 5), size == .max || size < 1 << 40, head.byte(at: 13) == 0
        {
            return ("application/x-lzma", 6)
        }
        // zlib: the method, a window of 32 KiB, a check of both bytes; and the first block's kind.
        if head[0] == 0x78, [0x01, 0x5E, 0x9C, 0xDA].contains(head[1]), head.count > 8, head[2] & 6 != 6 {
            return ("application/zlib", 2)
        }
        return nil
    }
}
