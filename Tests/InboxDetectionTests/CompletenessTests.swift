import Glibc
import InboxLinux
import InboxTestSupport
import Testing

@testable import InboxDetection

/// Whether a file is all there, by its own format: never wrong about a whole one, and seldom blind for a cut.
@Suite("What is cut off by its own format")
struct CompletenessTests {
    private static func completeness(of bytes: UnsafeRawBufferPointer, isDisc: Bool = false) -> Completeness {
        let all = Bytes(bytes)
        return .of(Content(head: all[0..<Content.headSize], source: .memory(all)), isDisc: isDisc)
    }

    private static func completeness(of bytes: [UInt8]) -> Completeness {
        bytes.withUnsafeBytes { completeness(of: $0) }
    }

    private static func isIncomplete(_ found: Completeness) -> Bool {
        if case .incomplete = found { return true }
        return false
    }

    @Test("Of the samples none that is whole is called incomplete")
    func samples() {
        for sample in WholeSamples.all {
            #expect(Self.completeness(of: sample.bytes) == .complete, "\(sample.name)")
        }
    }

    /// A gzip stream of one block of fixed codes: nine-bit codes move its end from bit to bit.
    private static func gzip(nineBitCodes count: Int) -> [UInt8] {
        var packed: [UInt8] = []
        var bitCount = 0
        func put(_ bits: [Int]) {
            for bit in bits {
                if bitCount % 8 == 0 { packed.append(0) }
                packed[packed.count - 1] |= UInt8(bit << (bitCount % 8))
                bitCount += 1
            }
        }
        // The last block, of fixed codes; then bytes of 0x90, and the end of the block (RFC 1951, 3.2.6).
        put([1, 1, 0])
        for _ in 0..<count { put([1, 1, 0, 0, 1, 0, 0, 0, 0]) }
        put([0, 0, 0, 0, 0, 0, 0])
        let content = [UInt8](repeating: 0x90, count: count)
        let trailer = [0, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + packed + trailer
    }

    @Test(
        "A gzip stream is whole wherever in a byte its last block ends, and each cut of it is seen",
        arguments: 100..<116)
    func gzipStreams(count: Int) {
        let whole = Self.gzip(nineBitCodes: count)
        #expect(Self.completeness(of: whole) == .complete)
        #expect(Self.completeness(of: whole + whole) == .complete)
        for end in 110..<whole.count {
            #expect(Self.isIncomplete(Self.completeness(of: Array(whole[..<end]))), "\(end)")
        }
    }

    @Test("Every sample that loses its last third is seen")
    func cutSamples() {
        for sample in WholeSamples.all {
            let cut = Array(sample.bytes.prefix(max(Int(sample.bytes.count) * 2 / 3, 104)))
            #expect(Self.isIncomplete(Self.completeness(of: cut)), "\(sample.name)")
        }
    }

    @Test("A film of which only the beginning is there, without the length of its data, is seen")
    func begunFilm() {
        let begun = SampleText.bytes("00000014 'ftypisom' 00000200 'mp41' 00000008 'free' 00000000 'mdat'")
        #expect(Self.completeness(of: begun) == .incomplete("a film without its index"))
        #expect(Self.completeness(of: Array(begun.dropLast(8))) == .unknown)
    }

    @Test("What is legal, however odd, is not called incomplete")
    func oddities() {
        for sample in WholeSamples.odd {
            #expect(!Self.isIncomplete(Self.completeness(of: sample.bytes)), "\(sample.name)")
        }
    }

    @Test("Samples with damaged lengths, cut anywhere, are survived without a read outside")
    func damaged() throws {
        var random = SeededRandom(seed: 77)
        let memory = try #require(GuardedMemory(capacity: 512 * 1024))
        let samples = WholeSamples.all + WholeSamples.odd
        for round in 0..<(Extent.isFull ? 400_000 : 6000) {
            var bytes = samples[round % samples.count].bytes
            for _ in 0..<(1 + random.next() % 6) {
                let place = Int(random.next() % UInt64(min(bytes.count, round & 1 == 0 ? 256 : bytes.count)))
                bytes[place] = [UInt8(truncatingIfNeeded: random.next()), 0, 0xFF, 0x7F, 1][Int(random.next() % 5)]
            }
            if random.next() % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
            memory.holding(bytes) { _ = Self.completeness(of: $0, isDisc: round % 16 == 0) }
        }
    }

    /// What is cut off on purpose: feeds whose encoding is to be guessed, and the first parts of pages and catalogs.
    private static let cut = ["/chardet/tests/", "/header.tmpl", "/catalog.header"]

    /// All files below `/usr`, or below the folder in `INBOX_TESTS_FILES`: none is cut off, and of 20 cuts of each 19 are
    /// seen.
    @Test("No file of this installation is called incomplete, and nearly every cut of one is seen")
    func installation() throws {
        guard Extent.isFull else { return }
        let folder = getenv("INBOX_TESTS_FILES").map { String(cString: $0) } ?? "/usr"
        var random = SeededRandom(seed: 20)
        var formats: [String: (files: Int, shown: Int, cuts: Int, seen: Int)] = [:]
        var wrong: [String] = []
        let detector = Detector(places: .none)
        for path in try Self.files(below: folder) {
            guard let bytes = try? Disk.read(TestPath(path)), bytes.count >= 100 else { continue }
            bytes.withUnsafeBytes { raw in
                let detection = detector.detect(nil, content: raw)
                let isDisc = detection.type.identifier == "public.iso-image"
                let found = Self.completeness(of: raw, isDisc: isDisc)
                if case .incomplete(let words) = found, !Self.cut.contains(where: path.contains) {
                    wrong.append("\(path): \(words)")
                }
                guard Completeness.check(for: Bytes(raw)[0..<Content.headSize], isDisc: isDisc) != nil else { return }
                var format = formats[detection.mime ?? "-"] ?? (0, 0, 0, 0)
                format.files += 1
                if found == .complete { format.shown += 1 }
                for _ in 0..<20 where found == .complete {
                    let end = 100 + Int(random.next() % UInt64(max(1, raw.count - 100)))
                    guard end < raw.count else { continue }
                    format.cuts += 1
                    let cut = Self.completeness(of: UnsafeRawBufferPointer(rebasing: raw[..<end]), isDisc: isDisc)
                    if Self.isIncomplete(cut) { format.seen += 1 }
                }
                formats[detection.mime ?? "-"] = format
            }
        }
        for (name, format) in formats.sorted(by: { $0.key < $1.key }) {
            print(
                "\(name): \(format.files) files, \(format.shown) shown whole, \(format.seen) of \(format.cuts) cuts seen"
            )
        }
        let cuts = formats.values.reduce(0) { $0 + $1.cuts }
        let seen = formats.values.reduce(0) { $0 + $1.seen }
        print("all: \(seen) of \(cuts) cuts seen; wrong: \(wrong.count)")
        #expect(wrong.isEmpty, "\(wrong.prefix(60).joined(separator: "\n"))")
        #expect(seen * 100 >= cuts * 95)
    }

    /// Regular files of at most 64 MiB.
    private static func files(below folder: String) throws -> [String] {
        var found: [String] = []
        var open = [folder]
        while let next = open.popLast() {
            guard let stream = opendir(next) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                let path = "\(next)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { open.append(path) }
                if status.st_mode & S_IFMT == S_IFREG, status.st_size >= 100, status.st_size <= 64 << 20 {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }
}
