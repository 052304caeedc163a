import InboxVarlink
import Testing

// Alone: the JSON of the tests is another one than that of the protocol.
import struct InboxTestSupport.SeededRandom

@Suite("Frames")
struct FrameSplitterTests {
    private static let messages: [[UInt8]] = [[1], [], [2, 3, 4], Array(repeating: 5, count: 16), [6]]
    private static let stream: [UInt8] = messages.flatMap { (message: [UInt8]) -> [UInt8] in message + [0] }

    private func drain(_ splitter: inout FrameSplitter) -> [FrameSplitter.Frame] {
        var frames: [FrameSplitter.Frame] = []
        while let frame = splitter.next() {
            frames.append(frame)
            if frame == .tooLong { break }
        }
        return frames
    }

    @Test("The messages are the same wherever the stream is cut", arguments: 0...stream.count)
    func everyCut(cut: Int) {
        var splitter = FrameSplitter(longest: 16)
        splitter.append(Self.stream[..<cut])
        var frames = drain(&splitter)
        splitter.append(Self.stream[cut...])
        frames += drain(&splitter)
        #expect(frames == Self.messages.map { .message($0) })
        #expect(splitter.count == 0)
    }

    @Test("A stream that arrives byte by byte gives the same messages")
    func byteByByte() {
        var splitter = FrameSplitter(longest: 16)
        var frames: [FrameSplitter.Frame] = []
        for byte in Self.stream {
            splitter.append([byte])
            frames += drain(&splitter)
        }
        #expect(frames == Self.messages.map { .message($0) })
    }

    @Test("A message of the longest length passes, one byte more does not, with its end or without")
    func limit() {
        var exact = FrameSplitter(longest: 4)
        exact.append([1, 1, 1, 1])
        #expect(exact.next() == nil)
        exact.append([0])
        #expect(exact.next() == .message([1, 1, 1, 1]))
        for ending in [[0], []] as [[UInt8]] {
            var over = FrameSplitter(longest: 4)
            over.append([1, 1, 1, 1, 1] + ending)
            #expect(over.next() == .tooLong)
            #expect(over.next() == .tooLong, "it stays so")
        }
    }

    @Test("A long message in dribbles costs no more than its length", .timeLimit(.minutes(5)))
    func dribble() {
        // With a search from the front for each byte this would be some 10^12 steps.
        let length = 2_000_000
        var splitter = FrameSplitter(longest: length)
        for _ in 0..<length {
            splitter.append(CollectionOfOne(1))
            if splitter.next() != nil { Issue.record("a message without its end") }
        }
        splitter.append([0])
        #expect(splitter.next() == .message(Array(repeating: 1, count: length)))
    }

    @Test("Many messages at once are handed over in time that grows with their bytes", .timeLimit(.minutes(5)))
    func manyMessages() {
        var splitter = FrameSplitter(longest: 16)
        splitter.append(Array(repeating: 0, count: 200_000))
        var count = 0
        while splitter.next() != nil {
            count += 1
            splitter.append(EmptyCollection())
        }
        #expect(count == 200_000)
    }

    @Test("Random streams in random parts give what a plain split gives", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let stream = (0..<2000).map { _ in UInt8.random(in: 0...6, using: &generator) }
        var splitter = FrameSplitter(longest: 2000)
        var frames: [FrameSplitter.Frame] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...40, using: &generator))
            rest = rest.dropFirst(part.count)
            splitter.append(part)
            if Bool.random(using: &generator) { frames += drain(&splitter) }
        }
        frames += drain(&splitter)
        let expected = stream.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        #expect(frames == expected.map { .message(Array($0)) }, "seed \(seed)")
    }
}
