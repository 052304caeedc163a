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
            // Random bytes after each signature reach its parser.
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

    /// Damages everything whose directories, chains or lines are followed: zip, compound, CBOR, tagged sound, disk
    /// images, camera raws, streams, texts. The bytes end where memory ends, so that a read beyond them is fatal.
    @Test("Containers whose directories point anywhere are identified within 5 ms each, without a read outside")
    func damagedContainers() throws {
        var random = Random(state: 23)
        let detector = Detector(places: .none)
        let memory = try #require(GuardedMemory(capacity: 256 * 1024))
        let samples = StrangeSamples.all + BuiltSamples.all + TextSamples.all + EncodingTests.files
        var slow: [String] = []
        var longest = Duration.zero
        for round in 0..<Self.times {
            let sample = samples[round % samples.count]
            var bytes = sample.bytes
            // Directories are at the end as well as at the beginning.
            for _ in 0..<(1 + random.next() % 6) {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = [UInt8(truncatingIfNeeded: random.next()), 0, 0xFF, 0x7F, 1][Int(random.next() % 5)]
            }
            if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            if random.next() % 8 == 0 {
                bytes.insert(contentsOf: [UInt8](repeating: 0, count: 5000), at: bytes.count / 2)
            }
            let taken = memory.holding(bytes) { raw in
                // The thread's own time, and the shortest of three where it is long: what the kernel does for others in
                // between counts as the thread's now and then.
                var best = Self.time { _ = detector.detect(nil, content: raw) }
                for _ in 0..<3 where best > .milliseconds(5) {
                    best = min(best, Self.time { _ = detector.detect(nil, content: raw) })
                }
                return best
            }
            longest = max(longest, taken)
            if taken > .milliseconds(5) { slow.append("\(sample.name): \(taken)") }
        }
        if Self.times >= 1_000_000 { print("\(Self.times) damaged files, the longest took \(longest)") }
        #expect(slow.isEmpty, "\(slow.prefix(10))")
    }

    private static func time(_ body: () -> Void) -> Duration {
        let start = processorTime()
        body()
        return processorTime() - start
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
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
            rules.read(bytes)
            rules.finish()
            var globs = MIMEGlobs()
            globs.read(bytes)
            relations.readAliases(bytes)
            relations.readSubclasses(bytes)
            let globNames = globs.addNames
            relations.finish { [bytes] names in
                globNames(&names)
                var rules = MIMEMagic()
                rules.read(bytes)
                rules.addNames(&names)
            }
            globs.finish(relations.names)
            for name in ["a.pdf", "*", "x.", "README", ">0="] { _ = globs.matches(Array(name.utf8)[...]) }
            for sample in SampleTests.samples.prefix(20) {
                sample.bytes.withUnsafeBytes { _ = rules.match(Bytes($0), relations) }
            }
            _ = MIMETypesFile(text: bytes).mime(of: "pdf".utf8)
        }
    }
}
