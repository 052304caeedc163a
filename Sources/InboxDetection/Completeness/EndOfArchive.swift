/// The ends of archives and packed streams.
enum EndOfArchive {
    /// The directory is last, and its end record the last of it (APPNOTE.TXT 4.3.16).
    static func zip(_ content: inout Content, _ size: Int) -> Completeness {
        ZipEnd.find(&content, size: size) == nil
            ? .incomplete("a zip archive without its directory at the end") : .complete
    }

    /// The first 32 bytes say where the directory lies. They are written last: as long as they are zero, the archive is
    /// being written.
    static func seven(_ content: inout Content, _ size: Int) -> Completeness {
        guard let offset = content.head.little64(at: 12), let length = content.head.little64(at: 20),
            offset < 1 << 60, length < 1 << 60
        else { return .unknown }
        if offset == 0, length == 0 {
            return size > 32 ? .incomplete("a 7z archive whose first bytes were not written yet") : .complete
        }
        return .needs(32 + Int(offset) + Int(length), of: size, "a 7z archive")
    }

    /// Blocks in a row, each with its length, up to the one that says that it is the last (RAR 3 and 4).
    static func rar(_ content: inout Content, _ size: Int) -> Completeness {
        var place = 7
        while place < size {
            if size - place < 7 { return .incomplete("a RAR archive that ends inside a header") }
            let block = content.reading(at: place, count: 11) { bytes, _ -> (kind: UInt8, flags: Int, length: Int)? in
                guard let flags = bytes.little16(at: 3), let length = bytes.little16(at: 5), length >= 7 else {
                    return nil
                }
                let data = flags & 0x8000 != 0 ? bytes.little32(at: 7) ?? 0 : 0
                return (bytes[2], flags, length + data)
            }
            guard let block, (0x72...0x7B).contains(block.kind) else {
                return .unknown
            }
            if block.kind == 0x7B { return .complete }
            // Headers that are encrypted, and files of more than 4 GiB.
            if block.kind == 0x73, block.flags & 0x80 != 0 { return .unknown }
            if block.kind == 0x74, block.flags & 0x100 != 0 { return .unknown }
            place += block.length
        }
        // Archives of RAR 2 have no last block.
        return place == size ? .complete : .needs(place, of: size, "a RAR archive")
    }

    /// The same with numbers of variable length (RAR 5).
    static func rar5(_ content: inout Content, _ size: Int) -> Completeness {
        var place = 8
        while place < size {
            let block = content.reading(at: place, count: 48) { bytes, _ -> (kind: Int, length: Int)? in
                var here = 4
                guard let header = variable(bytes, &here), header > 0 else { return nil }
                let start = here
                guard let kind = variable(bytes, &here), let flags = variable(bytes, &here) else { return nil }
                if flags & 1 != 0, variable(bytes, &here) == nil { return nil }
                var data = 0
                if flags & 2 != 0 {
                    guard let length = variable(bytes, &here) else { return nil }
                    data = length
                }
                return (kind, start + header + data)
            }
            guard let block, (1...5).contains(block.kind) else {
                return size - place < 12 ? .incomplete("a RAR archive that ends inside a header") : .unknown
            }
            if block.kind == 5 { return .complete }
            // What follows the header of encryption is encrypted.
            if block.kind == 4 { return .unknown }
            place += block.length
        }
        return place == size
            ? .incomplete("a RAR archive without its last block")
            : .needs(place, of: size, "a RAR archive")
    }

    private static func variable(_ bytes: Bytes, _ here: inout Int) -> Int? {
        var value = 0
        for shift in stride(from: 0, through: 49, by: 7) {
            guard let byte = bytes.byte(at: here) else { return nil }
            here += 1
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// A stream that fits into one read is unpacked: only then does it show where it ends. Streams may follow each other.
    static func gzip(_ content: inout Content, _ size: Int) -> Completeness {
        guard size <= Content.tailSize else { return .unknown }
        return content.readingTail(of: size) { bytes, _ in
            var place = 0
            while bytes.has("\u{1F}", at: place), bytes[place + 1] == 0x8B, bytes[place + 2] == 8 {
                guard let start = gzipHeader(bytes, place) else { return cutGzip }
                switch Inflate.end(of: bytes.from(start), limit: 1 << 20) {
                case .finished(let length): place = start + length + 8
                case .starved: return cutGzip
                case .full, .damaged: return .unknown
                }
                if place > bytes.count { return cutGzip }
            }
            return .complete
        }
    }

    private static var cutGzip: Completeness { .incomplete("a gzip stream without its end") }

    /// Where the packed bytes begin (RFC 1952); nil where the header is cut off.
    private static func gzipHeader(_ bytes: Bytes, _ start: Int) -> Int? {
        guard let flags = bytes.byte(at: start + 3) else { return nil }
        var place = start + 10
        if flags & 4 != 0 {
            guard let length = bytes.little16(at: place) else { return nil }
            place += 2 + length
        }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard let end = bytes.index(of: 0, from: place) else { return nil }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        return place <= bytes.count ? place : nil
    }

    /// The last two bytes of a stream are its footer's; zeros may follow (xz file format 2.2).
    static func xz(_ content: inout Content, _ size: Int) -> Completeness {
        content.readingTail(of: size, count: 4096) { bytes, _ in
            var end = bytes.count
            while end > 0, bytes[end - 1] == 0 { end -= 1 }
            return bytes[0..<end].ends(with: "YZ") ? .complete : .incomplete("an xz stream without its footer")
        }
    }

    /// The last block's mark has 48 bits, and begins at any of them; 32 bits follow.
    static func bzip(_ content: inout Content, _ size: Int) -> Completeness {
        content.readingTail(of: size, count: 1024) { bytes, _ in
            var bits: UInt64 = 0
            for index in 0..<bytes.count {
                for shift in (0..<8).reversed() {
                    bits = bits << 1 | UInt64(bytes[index] >> UInt8(shift) & 1)
                    if bits & 0xFFFF_FFFF_FFFF == 0x1772_4538_5090, bytes.count - index - 1 >= 4 { return .complete }
                }
            }
            return .incomplete("a bzip2 stream without its end")
        }
    }

    /// Frames of blocks, each with its length (RFC 8878).
    static func zstandard(_ content: inout Content, _ size: Int) -> Completeness {
        let cut = Completeness.incomplete("a zstd stream without its last block")
        var place = 0
        while place < size {
            let frame = content.reading(at: place, count: 8) { bytes, _ -> (start: Int, isFrame: Bool, hasSum: Bool)? in
                guard let mark = bytes.little32(at: 0) else { return nil }
                if mark & 0xFFFF_FFF0 == 0x184D_2A50 { return bytes.little32(at: 4).map { (8 + $0, false, false) } }
                guard mark == 0xFD2F_B528, let flags = bytes.byte(at: 4) else { return nil }
                let isSingle = flags & 0x20 != 0
                let sizes = [isSingle ? 1 : 0, 2, 4, 8]
                let header = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][Int(flags & 3)] + sizes[Int(flags >> 6)]
                return (header, true, flags & 4 != 0)
            }
            guard let frame else { return size - place < 8 ? cut : .unknown }
            place += frame.start
            guard frame.isFrame else { continue }
            var isLast = false
            while !isLast {
                if place + 3 > size { return cut }
                let block = content.reading(at: place, count: 4) { bytes, _ in
                    bytes.little16(at: 0).map { $0 | Int(bytes[2]) << 16 }
                }
                guard let block, block >> 1 & 3 != 3 else { return .unknown }
                isLast = block & 1 == 1
                place += 3 + (block >> 1 & 3 == 1 ? 1 : block >> 3)
            }
            if frame.hasSum { place += 4 }
        }
        return place > size ? cut : .complete
    }

    /// Files in blocks of 512 bytes, each after its header, and blocks of zeros at the end, which some programs leave out.
    static func tape(_ content: inout Content, _ size: Int) -> Completeness {
        let cut = Completeness.incomplete("a tar archive that ends inside a file")
        var place = 0
        while place < size {
            if size - place < 512 { return cut }
            let entry = content.reading(at: place, count: 512) { bytes, _ in TapeEntry(bytes) }
            if content.isExhausted {
                content = content.renewed(bytes: Content.tailSize, reads: 1)
                return endOfTape(&content, size)
            }
            switch entry {
            case .end: return .complete
            case .other: return .unknown
            case .file(let length): place += length
            }
        }
        return place > size ? cut : .complete
    }

    /// The end of an archive of more files than are followed.
    private static func endOfTape(_ content: inout Content, _ size: Int) -> Completeness {
        let cut = Completeness.incomplete("a tar archive that ends inside a file")
        let first = max(0, size - Content.tailSize + 511) / 512 * 512
        return content.readingTail(of: size, notBefore: first) { bytes, _ in
            if case .end = TapeEntry(bytes.from((bytes.count - 1) / 512 * 512)) { return .complete }
            var place = (bytes.count - 1) / 512 * 512
            while place >= 0 {
                if bytes.has("ustar", at: place + 257), case .file(let length) = TapeEntry(bytes.from(place)) {
                    return place + length > bytes.count ? cut : .unknown
                }
                place -= 512
            }
            return size % 512 == 0 ? .unknown : cut
        }
    }
}

/// A block of a tar archive where a header may be.
private enum TapeEntry {
    /// A file: bytes up to the next header.
    case file(length: Int)
    /// Nothing but zeros.
    case end
    /// Something whose length is not known here.
    case other

    init(_ block: Bytes) {
        if (0..<min(512, block.count)).allSatisfy({ block[$0] == 0 }) {
            self = .end
            return
        }
        self = .other
        guard TapeArchive.hasChecksum(block), let size = TapeArchive.octal(block[124..<136]), size < 1 << 50 else {
            return
        }
        switch block[156] {
        // Regular files, long names and lists of attributes; of these one may change the next file's size.
        case 0, UInt8(ascii: "0"), UInt8(ascii: "7"), UInt8(ascii: "L"), UInt8(ascii: "K"), UInt8(ascii: "x"),
            UInt8(ascii: "g"):
            self = .file(length: 512 + (size + 511) / 512 * 512)
        // Links, devices and folders have no data, whatever their size says.
        case UInt8(ascii: "1")...UInt8(ascii: "6"): self = .file(length: 512)
        default: break
        }
    }
}
