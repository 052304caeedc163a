import InboxDetection
import InboxLinux

/// A mail as Outlook keeps it: a compound file with a stream for each text and one for all numbers ([MS-OXMSG]).
enum OutlookMessage {
    private static let limit = 8 * 1024

    static func read(_ excerpts: inout Excerpts, into findings: inout Findings) {
        guard !findings.isComplete, let numbers = stream("__properties_version1.0", &excerpts) else { return }
        if findings.needsDate {
            // When it was sent, else when it arrived.
            for tag in [0x0039_0040, 0x0E06_0040] {
                guard let units = value(tag, numbers)?.little64(at: 0) else { continue }
                findings.offer(OfficeSummary.date(units), from: .mail)
            }
        }
        let codePage = value(0x3FFD_0003, numbers)?.little32(at: 0) ?? 1252
        if findings.needsTitle {
            findings.offer(title: text("__substg1.0_0037001F", "__substg1.0_0037001E", codePage, &excerpts))
        }
        // Who sent it: the name, else the address.
        if findings.needsAuthor {
            findings.offer(author: text("__substg1.0_0C1A001F", "__substg1.0_0C1A001E", codePage, &excerpts))
        }
        if findings.needsAuthor {
            findings.offer(author: text("__substg1.0_0C1F001F", "__substg1.0_0C1F001E", codePage, &excerpts))
        }
    }

    /// A number by its tag: a header precedes the entries, which have 16 bytes.
    private static func value(_ tag: Int, _ numbers: Bytes) -> Bytes? {
        stride(from: 32, to: numbers.count, by: 16).first { numbers.little32(at: $0) == tag }
            .map { numbers.from($0 + 8) }
    }

    private static func stream(_ name: StaticString, _ excerpts: inout Excerpts) -> Bytes? {
        let room = excerpts.room(limit)
        return excerpts.reading { CompoundFile.stream(named: name, &$0, into: room) }
    }

    /// A text by the stream that has it in UTF-16, or else in the writer's own encoding.
    private static func text(
        _ wide: StaticString, _ narrow: StaticString, _ codePage: Int, _ excerpts: inout Excerpts
    ) -> String? {
        if let bytes = stream(wide, &excerpts) { return TextDecoding.wide(bytes, big: false) }
        return stream(narrow, &excerpts).map { OfficeSummary.text($0, codePage: codePage) }
    }
}
