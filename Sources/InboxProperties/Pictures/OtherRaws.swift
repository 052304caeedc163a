import InboxDetection

/// Raws that are not directories of TIFF themselves, but of parts of their own.
enum OtherRaws {
    private static let mostParts = 64

    /// Minolta's: blocks, one of which is directories of TIFF.
    static func readMinolta(_ excerpts: inout Excerpts, into findings: inout Findings) {
        var place = 8
        for _ in 0..<mostParts {
            let header = excerpts.bytes(at: place, count: 8)
            guard let size = header.big32(at: 4) else { return }
            if header.has("\0TTW") {
                PictureDirectory(at: place + 8, size: size, &excerpts)?.read(&excerpts, into: &findings)
                return
            }
            place += 8 + size
        }
    }

    /// Sigma's: a list of parts at the end, some of which are previews with EXIF.
    static func readSigma(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard let start = excerpts.bytes(at: excerpts.size - 4, count: 4).little32(at: 0) else { return }
        let list = excerpts.bytes(at: start, count: 12 + 12 * mostParts)
        guard list.has("SECd"), let count = list.little32(at: 8) else { return }
        for index in 0..<min(count, mostParts) where findings.needsDate {
            let entry = list.from(12 + 12 * index)
            guard let place = entry.little32(at: 0), entry.has("IMA", at: 8) else { continue }
            // A preview follows the part's own header.
            if excerpts.bytes(at: place + 28, count: 3).has([0xFF, 0xD8, 0xFF], 0..<3, at: 0) {
                JPEGPicture.read(at: place + 28, &excerpts, into: &findings)
            }
        }
    }

    /// Canon's before it used TIFF: heaps in heaps, with their lists at their ends.
    static func readCanon(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard let start = excerpts.head.little32(at: 2), start < excerpts.size else { return }
        var open = [start..<excerpts.size]
        // The picture's own properties are a heap in the first one.
        for _ in 0..<8 {
            guard let heap = open.popLast(), heap.count > 4, heap.upperBound <= excerpts.size,
                let place = excerpts.bytes(at: heap.upperBound - 4, count: 4, ahead: 4).little32(at: 0)
            else { return }
            let list = excerpts.bytes(at: heap.lowerBound + place, count: 2 + 10 * mostParts)
            for index in 0..<min(list.little16(at: 0) ?? 0, mostParts) {
                let entry = list.from(2 + 10 * index)
                guard let tag = entry.little16(at: 0), let size = entry.little32(at: 2),
                    let offset = entry.little32(at: 6)
                else { return }
                let part = (heap.lowerBound + offset)..<(heap.lowerBound + offset + size)
                if tag == 0x300A {
                    open.append(part)
                } else if tag == 0x180E, let seconds = excerpts.bytes(at: part.lowerBound, count: 4).little32(at: 0) {
                    // Seconds from 1970 on by the camera's clock.
                    findings.offer(DocumentDate(clock: seconds), from: .exif)
                    return
                }
            }
        }
    }
}
