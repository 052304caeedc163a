import InboxLinux
import Testing
import UniformTypeIdentifiers

@testable import InboxDetection

/// Every format that an inbox sees, each by its shortest honest sample; the built-in knowledge alone answers.
@Suite("The table of samples")
struct SampleTests {
    static let samples =
        SampleText.samples(SampleText.pictures) + SampleText.samples(SampleText.media)
        + SampleText.samples(SampleText.files) + BuiltSamples.all + TextSamples.all
        + StrangeSamples.all

    private let detector = Detector(places: .none)

    @Test("At least 200 formats are in the table")
    func enough() {
        #expect(Set(Self.samples.map(\.mime)).count >= 200)
    }

    @Test("Each is identified by its content alone")
    func byContent() {
        for sample in Self.samples {
            let found = sample.bytes.withUnsafeBytes { detector.detect(nil, content: $0) }
            #expect(found.mime == sample.mime, "\(sample.name): \(found.mime ?? "-")")
            #expect(found.evidence == .content)
            if let identifier = sample.identifier {
                #expect(found.type.identifier == identifier, "\(sample.name)")
            } else {
                #expect(found.type.isDynamic, "\(sample.name): \(found.type)")
            }
        }
    }

    @Test("Each agrees with a name that has its extension")
    func byBoth() throws {
        for sample in Self.samples {
            let name = try #require(FileName(sample.name))
            let found = sample.bytes.withUnsafeBytes { detector.detect(name, content: $0) }
            // Unknown extensions leave the content alone; known ones must agree with it.
            #expect(!found.mismatch, "\(sample.name): \(found.mime ?? "-")")
            if !detector.detect(named: name).type.isSame(as: .data) {
                #expect(found.evidence == .nameAndContent, "\(sample.name): \(found)")
            }
        }
    }

    @Test("Cut off anywhere, none is claimed to be something else")
    func cutOff() {
        let knowledge = Knowledge(.none)
        var wrong: [String] = []
        for sample in Self.samples {
            let whole = kind(of: sample, knowledge)
            for length in 0..<min(sample.bytes.count, 513) {
                let found = sample.bytes[..<length].withUnsafeBytes { detector.detect(nil, content: $0) }
                guard found.evidence == .content else { continue }
                // Bytes that are all text are text, whatever they would have become.
                let isText = found.mime == "text/plain" && sample.bytes[..<length].allSatisfy { $0 >= 7 && $0 != 0x7F }
                guard !isText, !Self.isRelated(found, whole, knowledge) else { continue }
                wrong.append("\(sample.name) cut at \(length): \(found.mime ?? "-")")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    private static let begunAs: [String: [String]] = [
        "image/jls": ["image/jpeg"], "application/x-apple-diskimage": ["application/zlib"],
        "audio/flac": ["audio/mpeg"], "audio/aac": ["audio/mpeg"],
        "application/x-object": ["application/x-mach-binary"],
        // Its first bytes are a byte order mark and letters.
        "application/vnd.sketchup.skp": ["text/plain"],
    ]

    private func kind(of sample: Sample, _ knowledge: Knowledge) -> Detection {
        sample.bytes.withUnsafeBytes { detector.detect(nil, content: $0) }
    }

    /// Less than the whole says less: a supertype, what the format is written in, or text.
    private static func isRelated(
        _ found: Detection, _ whole: Detection, _ knowledge: Knowledge
    ) -> Bool {
        if found.mime == whole.mime || whole.type.conforms(to: found.type) { return true }
        // Only what comes later distinguishes these from what they begin as.
        if let begun = begunAs[whole.mime ?? ""], begun.contains(found.mime ?? "") { return true }
        guard let own = whole.mime.flatMap({ FormatTable.builtIn.format(mime: $0) }).map({ FormatTable.builtIn[$0] }),
            let other = found.mime.flatMap({ FormatTable.builtIn.format(mime: $0) }).map({ FormatTable.builtIn[$0] })
        else { return false }
        if let carrier = own.carrier, carrier == other.isCarrier { return true }
        if let first = knowledge.database.relations.known(own.mime.utf8),
            let second = knowledge.database.relations.known(other.mime.utf8),
            knowledge.isSubclass(first, of: second) || knowledge.isSubclass(second, of: first)
        {
            return true
        }
        if let carrier = own.carrier, carrier == other.carrier { return true }
        return own.isText
            && (other.mime == "text/plain" || other.mime == "application/xml" || other.mime == "text/html"
                || other.mime == "text/x-csrc")
    }
}

extension UTType {
    fileprivate func isSame(as other: UTType) -> Bool { self == other }
}
