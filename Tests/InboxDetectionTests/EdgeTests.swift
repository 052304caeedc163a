import Glibc
import InboxTestSupport
import Testing

@testable import InboxDetection

/// Lengths and offsets at the edges of their numbers, in all that is read by its structure.
@Suite("Numbers at the edge")
struct EdgeTests {
    private static let times = getenv("INBOXD_FUZZ").flatMap { Int(String(cString: $0)) } ?? 4000

    private static let numbers: [UInt64] = [
        0, 1, 7, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF, 1 << 32,
        (1 << 60) - 1, 1 << 60, (1 << 63) - 1, 1 << 63, .max - 7, .max,
    ]

    @Test("Files whose lengths and offsets are none, too large or negative are identified, each in a bounded time")
    func numbers() throws {
        var random = SeededRandom(seed: 29)
        let detector = Detector(places: .none)
        let memory = try #require(GuardedMemory(capacity: 256 * 1024))
        let samples = SampleTests.samples.filter { !$0.bytes.isEmpty }
        var slow: [String] = []
        let usual = samples.map { sample in
            sample.bytes.withUnsafeBytes { raw in Self.shortest(of: 3) { _ = detector.detect(nil, content: raw) } }
        }
        let most = (usual.max() ?? .zero) * 20
        for round in 0..<Self.times {
            let sample = samples[round % samples.count]
            var bytes = sample.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.putNumber(into: &bytes, using: &random) }
            // Files that are longer than what is read at once have more to point to.
            if Bool.random(using: &random) { bytes += [UInt8](repeating: 0, count: 5000) }
            memory.holding(bytes) { raw in
                let identify = { _ = detector.detect(nil, content: raw) }
                // The kernel counts what it does for others meanwhile, so that one long time shows nothing.
                if processorTime(identify) > most, Self.shortest(of: 5, identify) > most { slow.append(sample.name) }
            }
        }
        #expect(slow.isEmpty, "\(slow.prefix(10))")
    }

    /// Overwrites bytes near the beginning or the end with a number in any width and order, or with its own place.
    private static func putNumber(into bytes: inout [UInt8], using random: inout SeededRandom) {
        let isNearEnd = Int.random(in: 0..<4, using: &random) == 0
        let reach = min(bytes.count, isNearEnd ? 128 : 512)
        let place = Int.random(in: 0..<reach, using: &random) + (isNearEnd ? bytes.count - reach : 0)
        let width = [1, 2, 4, 8][Int.random(in: 0..<4, using: &random)]
        let isOwn = Int.random(in: 0..<8, using: &random) == 0
        let number = isOwn ? UInt64(place) : numbers[Int.random(in: numbers.indices, using: &random)]
        let isBig = Bool.random(using: &random)
        for index in 0..<width where place + index < bytes.count {
            let shift = UInt64(8 * (isBig ? width - 1 - index : index))
            bytes[place + index] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }

    @Test("A list of a compound file's sectors that goes on with itself is left after a few rounds")
    func endless() throws {
        var file = Build.compound(["WordDocument"])
        // The directory begins in a sector that only the last of a great many lists would have.
        let start = 0xFFFF_FF70
        file.replaceSubrange(48..<52, with: Build.le32(start))
        file.replaceSubrange(68..<72, with: Build.le32(0))
        // The first sector is the list, its own successor, and the table's sector that each entry names.
        for entry in 0..<128 { file.replaceSubrange((512 + 4 * entry)..<(516 + 4 * entry), with: Build.le32(0)) }
        let detector = Detector(places: .none)
        let times = [Build.compound(["WordDocument"]), file].map { bytes in
            bytes.withUnsafeBytes { raw in Self.shortest(of: 5) { _ = detector.detect(nil, content: raw) } }
        }
        let mime = file.withUnsafeBytes { detector.detect(nil, content: $0).mime }
        #expect(mime == "application/x-ole-storage")
        // 16 lists are followed; without that limit some 264,000, which took 45,000 times as long.
        #expect(times[1] < times[0] * 1_000)
    }

    private static func shortest(of count: Int, _ body: () -> Void) -> Duration {
        (0..<count).map { _ in processorTime(body) }.min() ?? .zero
    }
}
