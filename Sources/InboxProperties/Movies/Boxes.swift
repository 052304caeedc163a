import InboxDetection

/// A box of an ISO base media file (ISO/IEC 14496-12), or an atom of QuickTime.
struct Box {
    /// Its four letters.
    let name: Bytes
    /// Where its content begins, and where it ends.
    let content: Range<Int>

    /// Boxes that are followed in one other.
    private static let most = 128

    /// The boxes that lie in a stretch of a document, one after the other, until `body` has enough.
    static func visit(
        _ stretch: Range<Int>, _ excerpts: inout Excerpts, ahead: Int = 4096,
        _ body: (Box, inout Excerpts) -> Bool
    ) {
        var place = stretch.lowerBound
        for _ in 0..<most {
            guard place + 8 <= stretch.upperBound else { return }
            let header = excerpts.bytes(at: place, count: min(16, stretch.upperBound - place), ahead: ahead)
            guard let short = header.big32(at: 0), header.count >= 8 else { return }
            var start = place + 8
            var end = place + short
            if short == 0 {
                end = stretch.upperBound
            } else if short == 1 {
                guard let high = header.big32(at: 8), let low = header.big32(at: 12), high < 1 << 28 else { return }
                start = place + 16
                end = place + (high << 32 | low)
            }
            guard end >= start else { return }
            let box = Box(name: header[4..<8], content: start..<min(end, max(start, stretch.upperBound)))
            guard body(box, &excerpts), end < stretch.upperBound else { return }
            place = end
        }
    }
}
