import Glibc
import InboxLinux
import Testing

@testable import InboxDetection

/// Content that nobody meant: nothing may trap, hang or read outside (which the address sanitizer would show).
///
/// `INBOXD_FUZZ` sets how many times; a million is the full examination, for a release or a sanitizer build.
@Suite("Fuzzing")
struct FuzzTests {
    private static let times = getenv("INBOXD_FUZZ").flatMap { Int(String(cString: $0)) } ?? 4000

    /// xorshift64*: the same run every time.
    private struct Random: RandomNumberGenerator {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 2_685_821_657_736_338_717
        }
    }

    @Test("64 KiB of random bytes are survived")
    func randomBytes() throws {
        var random = Random()
        let detector = Detector(places: .standard)
        for _ in 0..<max(20, Self.times / 200) {
            var bytes = [UInt8](repeating: 0, count: 65536)
            for index in stride(from: 0, to: bytes.count, by: 8) {
                let value = random.next()
                for shift in 0..<8 { bytes[index + shift] = UInt8(truncatingIfNeeded: value >> UInt64(8 * shift)) }
            }
            bytes.withUnsafeBytes { _ = detector.detect(nil, content: $0) }
            // Random bytes behind each signature reach the parsers behind them.
            let sample = SampleTests.samples[Int(random.next() % UInt64(SampleTests.samples.count))]
            bytes.replaceSubrange(0..<min(16, sample.bytes.count), with: sample.bytes.prefix(16))
            bytes.withUnsafeBytes { _ = detector.detect(nil, content: $0) }
        }
    }

    @Test("Samples with random bytes flipped, cut or repeated are survived")
    func flippedSamples() throws {
        var random = Random(state: 42)
        let detectors = [Detector(places: .none), Detector(places: .standard)]
        let samples = SampleTests.samples
        for round in 0..<Self.times {
            let sample = samples[round % samples.count]
            var bytes = sample.bytes
            guard !bytes.isEmpty else { continue }
            for _ in 0..<(1 + random.next() % 8) {
                let place = Int(random.next() % UInt64(min(bytes.count, 4096)))
                bytes[place] = [UInt8(truncatingIfNeeded: random.next()), 0, 0xFF, 0x7F, 0x80][Int(random.next() % 5)]
            }
            if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            if random.next() % 8 == 0 { bytes += bytes.prefix(5000) }
            bytes.withUnsafeBytes { raw in _ = detectors[round & 1].detect(FileName(sample.name), content: raw) }
        }
    }

    @Test("Names of random bytes are survived")
    func randomNames() {
        var random = Random(state: 7)
        let detector = Detector(places: .standard)
        for _ in 0..<Self.times {
            let bytes = (0..<(1 + random.next() % 40)).map { _ in
                random.next() % 4 == 0 ? UInt8(ascii: ".") : UInt8(truncatingIfNeeded: random.next())
            }
            if let name = FileName(bytes) { _ = detector.detect(named: name) }
        }
    }

    @Test("A database of random bytes is survived")
    func randomDatabase() {
        var random = Random(state: 11)
        let magic = readFile("/usr/share/mime/magic") ?? Array("MIME-Magic\0\n[50:a/b]\n>0=\0\u{4}abcd\n".utf8)
        for _ in 0..<max(20, Self.times / 100) {
            var bytes = magic
            for _ in 0..<20 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var relations = MIMERelations()
            var rules = MIMEMagic()
            var hidden: Set<Int32> = []
            rules.read(bytes, hidden: &hidden, names: &relations)
            rules.finish()
            for sample in SampleTests.samples.prefix(20) {
                sample.bytes.withUnsafeBytes { _ = rules.match(Bytes($0), relations) }
            }
            var globs = MIMEGlobs()
            globs.read(bytes, hidden: &hidden, names: &relations)
            relations.readAliases(bytes)
            relations.readSubclasses(bytes)
            var list = MIMETypesFile()
            list.read(bytes, names: &relations)
        }
    }
}
