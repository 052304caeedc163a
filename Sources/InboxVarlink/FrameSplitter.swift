/// Cuts a stream into messages: each ends with a NUL byte, which no JSON text contains.
///
/// Every byte is looked at once, however small the parts in which they arrive.
public struct FrameSplitter: Sendable {
    /// What stands at the front of the stream.
    public enum Frame: Hashable, Sendable {
        /// A message, without its NUL.
        case message([UInt8])
        /// A message beyond the limit: nothing behind it can be trusted, the connection has to end.
        case tooLong
    }

    private let longest: Int
    private var buffer: [UInt8] = []
    /// Where the first message begins; what lies before was handed over.
    private var start = 0
    /// Up to where there is known to be no NUL.
    private var searched = 0

    /// Takes messages of at most `longest` bytes, the NUL not counted.
    public init(longest: Int) {
        self.longest = longest
    }

    /// How many bytes are kept that were not handed over yet.
    public var count: Int { buffer.count - start }

    /// Takes what has arrived.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        // Moving the rest to the front costs no more than taking in what was handed over did.
        if start > buffer.count / 2 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message; nil until its NUL has arrived or the limit is passed.
    public mutating func next() -> Frame? {
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
