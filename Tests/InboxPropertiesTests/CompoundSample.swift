/// Compound files, made from their bytes, whose streams lie in the stream of small streams.
enum CompoundSample {
    private typealias Sample = PropertySample

    /// 2010-11-12T13:14:15Z in units of 100 nanoseconds from 1601 on.
    private static let moment = 129_340_412_550_000_000

    /// A summary with title and author in Windows-1252, and a moment.
    private static let summary: [UInt8] = {
        let words: [[UInt8]] = [
            Sample.little(2) + Sample.little(1252, 2) + [0, 0],
            Sample.little(30) + Sample.little(8) + [0x42, 0x65, 0x72, 0x69, 0x63, 0x68, 0xFC, 0],
            Sample.little(30) + Sample.little(4) + Sample.text("Eva\0"),
            Sample.little(30) + Sample.little(512) + [UInt8](repeating: 0x78, count: 511) + [0],
            Sample.little(64) + Sample.little(moment, 8),
        ]
        var set: [UInt8] = []
        var places: [UInt8] = []
        var place = 8 + 8 * words.count
        for (name, word) in zip([1, 2, 4, 6, 12], words) {
            places += Sample.little(name) + Sample.little(place)
            set += word
            place += word.count
        }
        set = Sample.little(place) + Sample.little(words.count) + places + set
        return Sample.little(0xFFFE, 2) + Sample.little(0, 2) + Sample.little(0) + [UInt8](repeating: 0, count: 16)
            + Sample.little(1) + [UInt8](repeating: 0, count: 16) + Sample.little(48) + set
    }()

    /// A summary whose sectors lie side by side.
    static let document = file([("\u{5}SummaryInformation", summary)])

    /// A summary of which each 64 bytes lie in another sector, and these sectors far apart.
    static let scattered = file([("\u{5}SummaryInformation", summary)], spread: 8)

    /// A mail of Outlook, with a sender in Windows-1251.
    static let mail: [UInt8] = {
        func number(_ tag: Int, _ value: Int) -> [UInt8] {
            Sample.little(tag) + Sample.little(6) + Sample.little(value, 8)
        }
        return file([
            (
                "__properties_version1.0",
                [UInt8](repeating: 0, count: 32) + number(0x3FFD_0003, 1251) + number(0x0039_0040, moment)
            ),
            ("__substg1.0_0037001F", Sample.wide("Ürgent")), ("__substg1.0_0C1A001E", [0xDD, 0x76, 0x61]),
        ])
    }()

    /// A file of these streams. `spread` is how many small sectors lie between the beginnings of two that follow each
    /// other; where it is more than one, the large sectors lie in reversed order, with others between them.
    private static func file(_ streams: [(name: String, content: [UInt8])], spread: Int = 1) -> [UInt8] {
        var small: [UInt8] = []
        var links: [UInt8] = []
        var entries: [UInt8] = []
        func entry(_ name: String, _ kind: UInt8, right: Int, child: Int, start: Int, size: Int) -> [UInt8] {
            let units = Sample.wide(name)
            return units + [UInt8](repeating: 0, count: 64 - units.count) + Sample.little(units.count + 2, 2)
                + [kind, 1] + Sample.little(-1) + Sample.little(right) + Sample.little(child)
                + [UInt8](repeating: 0, count: 36) + Sample.little(start) + Sample.little(size, 8)
        }
        for (index, stream) in streams.enumerated() {
            let first = small.count / 64
            let count = (stream.content.count + 63) / 64
            for part in 0..<count {
                let piece = stream.content.dropFirst(64 * part).prefix(64)
                small += piece + [UInt8](repeating: 0, count: 64 * spread - piece.count)
                let next = part + 1 < count ? first + spread * (part + 1) : -2
                links += Sample.little(next) + [UInt8](repeating: 0xFF, count: 4 * (spread - 1))
            }
            entries += entry(
                stream.name, 2, right: index + 1 < streams.count ? index + 2 : -1, child: -1, start: first,
                size: stream.content.count)
        }
        // Sectors: the table, two of the directory, one of the links of small sectors, and the small sectors.
        let count = (small.count + 511) / 512
        let places = (0..<count).map { spread > 1 ? 4 + 2 * (count - 1 - $0) : 4 + $0 }
        var table = [-3, 2, -2, -2] + [Int](repeating: -1, count: 124)
        for (index, place) in places.enumerated() { table[place] = index + 1 < count ? places[index + 1] : -2 }
        let root = entry("Root Entry", 5, right: -1, child: 1, start: places[0], size: 512 * count)
        var sectors = table.flatMap { Sample.little($0) } + padded(root + entries, 1024)
        sectors += links + [UInt8](repeating: 0xFF, count: 512 - links.count)
        for place in 4...(places.max() ?? 4) {
            let part = places.firstIndex(of: place).map { small.dropFirst(512 * $0).prefix(512) } ?? []
            sectors += padded(Array(part), 512)
        }
        let header: [UInt8] =
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 16)
            + Sample.little(0x3E, 2) + Sample.little(3, 2) + Sample.little(0xFFFE, 2) + Sample.little(9, 2)
            + Sample.little(6, 2) + [UInt8](repeating: 0, count: 6) + Sample.little(0) + Sample.little(1)
            + Sample.little(1) + Sample.little(0) + Sample.little(4096) + Sample.little(3) + Sample.little(1)
            + Sample.little(-2) + Sample.little(0) + Sample.little(0) + [UInt8](repeating: 0xFF, count: 432)
        return header + sectors
    }

    private static func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }
}
