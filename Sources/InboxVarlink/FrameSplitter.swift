/// Cuts a stream into messages: each ends with a NUL byte, which no JSON text contains.
///
/// Every byte is inspected once, however small the parts in which they arrive.
package struct FrameSplitter: Sendable {
    /// The frame at the front of the stream.
    package enum Frame: Hashable, Sendable {
        /// A message, without its NUL.
        case message([UInt8])
        /// A message beyond the limit: nothing after it can be trusted, the connection has to end.
        case tooLong
    }

    private let longest: Int
    private var buffer: [UInt8] = []
    /// Where the first message begins; what lies before was handed over.
    private var start = 0
    /// Up to where there is known to be no NUL.
    private var searched = 0

    /// Takes messages of at most `longest` bytes, the NUL not counted.
    package init(longest: Int) {
        self.longest = longest
    }

    /// The number of bytes kept that were not handed over yet.
    package var count: Int { buffer.count - start }

    /// The kept bytes are more than the blanks that a person's shell writes after the NUL of a message.
    package var hasBeginning: Bool { buffer[start...].contains { !Self.blanks.contains($0) } }

    /// The blanks that JSON allows around a value.
    private static let blanks = Array(" \t\r\n".utf8)

    /// Takes what has arrived.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        // Moving the rest to the front costs no more than taking in what was handed over did.
        if start > buffer.count / 2 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message; nil until its NUL has arrived or the limit is passed.
    package mutating func next() -> Frame? {
        let end = buffer[searched...].firstIndex(of: 0)
        searched = end ?? buffer.count
        guard searched - start <= longest else { return .tooLong }
        guard let end else { return nil }
        defer {
            start = end + 1
            searched = start
        }
        return .message(Array(buffer[start..<end]))
    }
}
