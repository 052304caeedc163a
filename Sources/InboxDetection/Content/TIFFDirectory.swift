/// The first directory of TIFF 6.0: camera raws are TIFF files that are marked as such by their tags.
enum TIFFDirectory {
    /// The MIME type of a camera's raw format; nil for a plain picture.
    static func mime(_ content: inout Content) -> String? {
        let big = content.head.has("MM")
        guard content.head.number16(at: 2, big: big) == 42, let offset = content.head.number32(at: 4, big: big) else {
            return nil
        }
        return content.reading(at: offset, count: 4096) { bytes, content in
            var facts = Facts()
            facts.read(bytes, big)
            return facts.mime(&content, big)
        }
    }

    private struct Facts {
        var make: (offset: Int, count: Int)?
        var model: (offset: Int, count: Int)?
        var isDNG = false
        var isReduced = false
        var hasSubdirectories = false
        var isColorFilter = false
        var compression = 0

        mutating func read(_ directory: Bytes, _ big: Bool) {
            var entries = TIFFEntries(directory, big: big)
            while let (tag, size, value) = entries.next() {
                let short = big ? value >> 16 : value & 0xFFFF
                switch tag {
                case 0xFE: isReduced = value & 1 == 1
                case 0x103: compression = short
                case 0x106: isColorFilter = short == 32803
                case 0x10F: make = (value, size)
                case 0x110: model = (value, size)
                case 0x14A: hasSubdirectories = true
                case 0xC612: isDNG = true
                case 0xC634: break
                default: break
                }
            }
        }

        /// Only what is written as cameras write it: a thumbnail first, the sensor's data in a subdirectory or here.
        func mime(_ content: inout Content, _ big: Bool) -> String? {
            if isDNG { return "image/x-adobe-dng" }
            let isRaw = isColorFilter || (hasSubdirectories && (isReduced || compression == 6 || compression == 34713))
            guard let make else { return nil }
            let maker = Self.text(make, &content)
            if maker.has("nikon") {
                guard isRaw else { return nil }
                let camera = model.map { Self.text($0, &content).isCompact } ?? false
                return camera ? "image/x-nikon-nrw" : "image/x-nikon-nef"
            }
            if maker.has("sony") { return isRaw || compression == 32767 ? "image/x-sony-arw" : nil }
            if maker.has("pentax") || maker.has("ricoh") { return isRaw ? "image/x-pentax-pef" : nil }
            if maker.has("samsung") { return isRaw ? "image/x-samsung-srw" : nil }
            if maker.has("hasselblad") { return isRaw ? "image/x-hasselblad-3fr" : nil }
            if maker.has("seiko epson") || maker.has("epson") { return isRaw ? "image/x-epson-erf" : nil }
            if maker.has("leica") { return isRaw ? "image/x-leica-rwl" : nil }
            if maker.has("eastman kodak") || maker.has("kodak") {
                if compression == 65000 || isRaw { return "image/x-kodak-dcr" }
            }
            if maker.has("phase one") || maker.has("leaf") { return isRaw ? "image/x-phaseone-iiq" : nil }
            return nil
        }

        private struct Maker {
            let bytes: [UInt8]

            func has(_ text: StaticString) -> Bool {
                bytes.withUnsafeBytes { Bytes($0).hasIgnoringCase(text) }
            }

            /// Nikon's Coolpix compacts write NRW, its other cameras NEF.
            var isCompact: Bool {
                bytes.withUnsafeBytes { Bytes($0).find("COOLPIX") != nil }
            }
        }

        private static func text(_ value: (offset: Int, count: Int), _ content: inout Content) -> Maker {
            content.reading(at: value.offset, count: min(max(value.count, 1), 32)) { bytes, _ in
                Maker(bytes: (0..<bytes.count).map { bytes[$0] })
            }
        }
    }
}

/// The entries of a directory of TIFF, one after the other.
package struct TIFFEntries {
    /// Entries of a directory that are inspected: cameras write some fifty.
    private static let most = 200

    private let directory: Bytes
    private let isBig: Bool
    private var index = 0
    private let count: Int

    /// The entries of a directory that begins where the window does.
    package init(_ directory: Bytes, big isBig: Bool) {
        self.directory = directory
        self.isBig = isBig
        count = min(directory.number16(at: 0, big: isBig) ?? 0, Self.most)
    }

    /// Returns the next entry's tag, how many values it has, and the value or where the values lie; nil at the end.
    package mutating func next() -> (tag: Int, count: Int, value: Int)? {
        guard index < count else { return nil }
        let place = 2 + 12 * index
        index += 1
        guard let tag = directory.number16(at: place, big: isBig),
            let count = directory.number32(at: place + 4, big: isBig),
            let value = directory.number32(at: place + 8, big: isBig)
        else { return nil }
        return (tag, count, value)
    }
}
