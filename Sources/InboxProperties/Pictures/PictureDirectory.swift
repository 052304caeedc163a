import InboxDetection

/// EXIF (CIPA DC-008) and XMP in the directories of TIFF, which pictures of all formats hold.
struct PictureDirectory {
    /// Where offsets count from.
    private let base: Int
    /// Bytes of the directories and their values, from `base` on.
    private let size: Int
    private let isBig: Bool
    private let first: Int

    /// The directories that begin at an offset of a document; nil where there are none.
    init?(at base: Int, size: Int, _ excerpts: inout Excerpts) {
        let header = excerpts.bytes(at: base, count: min(8, size))
        isBig = header.has("MM")
        guard isBig || header.has("II"), let mark = header.number16(at: 2, big: isBig),
            // Olympus and Panasonic have marks of their own.
            [42, 0x4F52, 0x5352, 0x55].contains(mark), let first = header.number32(at: 4, big: isBig)
        else { return nil }
        self.base = base
        self.size = size
        self.first = first
    }

    /// The content of a directory.
    private struct Facts {
        var original: DocumentDate?
        var digitized: DocumentDate?
        var exif: Int?
        var packet: (offset: Int, size: Int)?
    }

    /// Takes what the directories say.
    func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let main = facts(at: first, &excerpts, wantsDate: findings.needsDate)
        if findings.needsDate {
            // A block of EXIF alone, as some cameras write it, has the dates in the first directory.
            let exif = main.exif.map { facts(at: $0, &excerpts, wantsDate: true) }
            for date in [exif?.original, main.original, exif?.digitized, main.digitized] {
                findings.offer(date, from: .exif)
            }
        }
        guard !findings.isComplete, let packet = main.packet, packet.size > 0 else { return }
        let count = min(packet.size, 64 * 1024)
        XMPPacket.read(excerpts.bytes(at: base + packet.offset, count: count), into: &findings)
    }

    private func facts(at offset: Int, _ excerpts: inout Excerpts, wantsDate: Bool) -> Facts {
        var facts = Facts()
        guard offset < size else { return facts }
        let directory = excerpts.bytes(at: base + offset, count: min(2 + 12 * 200, size - offset), ahead: 8192)
        var entries = TIFFEntries(directory, big: isBig)
        var places: [(tag: Int, offset: Int)] = []
        var offsets: [(tag: Int, text: DocumentDate.Offset)] = []
        while let (tag, count, value) = entries.next() {
            switch tag {
            case 0x9003, 0x9004: if wantsDate { places.append((tag, value)) }
            case 0x9011, 0x9012:
                guard wantsDate, count >= 6, let bytes = text(at: value, 6, &excerpts),
                    let offset = WrittenDate.offset(bytes)
                else { continue }
                offsets.append((tag, offset))
            case 0x8769: facts.exif = value
            case 0x2BC: facts.packet = (value, count)
            default: break
            }
        }
        for (tag, place) in places {
            guard let bytes = text(at: place, 19, &excerpts), let date = WrittenDate.standard(bytes) else { continue }
            let offset = offsets.first { $0.tag == tag + 0x0E }?.text
            let whole = DocumentDate(
                year: date.year, month: date.month, day: date.day, hour: date.hour, minute: date.minute,
                second: date.second, offset: offset)
            if tag == 0x9003 { facts.original = whole } else { facts.digitized = whole }
        }
        return facts
    }

    private func text(at offset: Int, _ count: Int, _ excerpts: inout Excerpts) -> Bytes? {
        guard offset < size else { return nil }
        let bytes = excerpts.bytes(at: base + offset, count: min(count, size - offset), ahead: 512)
        return bytes.isEmpty ? nil : bytes
    }
}
