import InboxDetection
import InboxLinux

/// The summary of Office's older documents: a stream of a compound file, with a set of properties ([MS-OLEPS]).
enum OfficeSummary {
    private static let limit = 8 * 1024
    private static let mostProperties = 64

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        let room = excerpts.room(limit)
        let stream = excerpts.reading { content in
            CompoundFile.stream(named: "\u{5}SummaryInformation", &content, into: room)
        }
        guard let stream, stream.little16(at: 0) == 0xFFFE, let start = stream.little32(at: 44) else { return }
        let set = stream.from(start)
        guard let count = set.little32(at: 4) else { return }
        var places: [Int: Int] = [:]
        for index in 0..<min(count, mostProperties) {
            guard let name = set.little32(at: 8 + 8 * index), let place = set.little32(at: 12 + 8 * index) else {
                break
            }
            places[name] = place
        }
        let codePage = places[1].flatMap { set.little16(at: $0 + 4) } ?? 1252
        if let place = places[12], set.little16(at: place) == 64, let units = set.little64(at: place + 4) {
            findings.offer(date(units), from: .office)
        }
        findings.offer(title: places[2].flatMap { text(set, at: $0, codePage) })
        let author = places[4].flatMap { text(set, at: $0, codePage) }
        findings.offer(author: author?.split(separator: ";").first.map(String.init))
    }

    private static func text(_ set: Bytes, at place: Int, _ codePage: Int) -> String? {
        guard let kind = set.little16(at: place), let length = set.little32(at: place + 4) else { return nil }
        let bytes = set[(place + 8)..<(place + 8 + (kind == 31 ? 2 * length : length))]
        if kind == 31 || kind == 30 && codePage == 1200 { return TextDecoding.wide(bytes, big: false) }
        guard kind == 30 else { return nil }
        return Self.text(bytes[0..<(bytes.index(of: 0) ?? bytes.count)], codePage: codePage)
    }

    /// A text in the encoding that Windows has under a number.
    static func text(_ plain: Bytes, codePage: Int) -> String {
        switch codePage {
        case 65001: return TextDecoding.plain(plain)
        case 1252: return TextDecoding.plain(plain)
        case 10000: return TextDecoding.text(plain, charset: "macintosh")
        case 20866: return TextDecoding.text(plain, charset: "koi8-r")
        case 28591...28606: return TextDecoding.text(plain, charset: "iso-8859-\(codePage - 28590)")
        default: return TextDecoding.text(plain, charset: "cp\(codePage)")
        }
    }

    /// Units of 100 nanoseconds from 1601 on, in UTC; 0 where nobody set them.
    static func date(_ units: UInt64) -> DocumentDate? {
        guard units > 0 else { return nil }
        return DocumentDate(local: Timestamp(seconds: Int64(units / 10_000_000) - 11_644_473_600, nanoseconds: 0))
    }
}
