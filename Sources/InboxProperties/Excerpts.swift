import InboxDetection

/// A document's bytes from a few places, which are kept while its properties are read.
///
/// The bounds make every reader short, whatever the content: 8 reads, 256 KiB of them, and as much again that is unpacked.
struct Excerpts {
    /// Reads of a document, the first of which is its head.
    static let mostReads = 8
    /// Bytes that are read in all.
    static let mostBytes = 256 * 1024
    /// Bytes that are unpacked in all.
    static let mostUnpacked = 192 * 1024
    /// Bytes of a document that is read at once rather than in places.
    private static let smallSize = 96 * 1024
    /// Bytes that are read at once for readers of the detection, which ask for little at a time.
    private static let lentAhead = 32 * 1024
    /// Bytes that the caller lends for all this.
    static let spaceSize = mostBytes + mostUnpacked

    /// Bytes of the document.
    let size: Int
    private var content: Content
    private let space: UnsafeMutableRawBufferPointer
    private var filled = 0
    private let unpackedSpace: UnsafeMutableRawBufferPointer
    private var unpacked = 0
    private var kept: [(offset: Int, bytes: Bytes)]
    private var isWhole = false

    /// A document by its head.
    ///
    /// - Parameters:
    ///   - head: As much as was read of the beginning.
    ///   - source: The source of everything else.
    ///   - size: Bytes of the document.
    ///   - space: Memory for what is read and unpacked.
    init(head: Bytes, source: Content.Source, size: Int, space: UnsafeMutableRawBufferPointer) {
        self.size = size
        self.space = UnsafeMutableRawBufferPointer(rebasing: space[..<Self.mostBytes])
        unpackedSpace = UnsafeMutableRawBufferPointer(rebasing: space[Self.mostBytes...])
        content = Content(
            head: head, source: source, size: size, reads: Self.mostReads - 1, bytes: Self.mostBytes - head.count)
        kept = [(0, head)]
        isWhole = head.count >= size
    }

    /// Bytes that are all there is.
    init(plain: Bytes) {
        size = plain.count
        space = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        unpackedSpace = space
        content = Content(head: plain, source: .memory(plain), size: plain.count, reads: 0, bytes: 0)
        kept = [(0, plain)]
        isWhole = true
    }

    var head: Bytes { kept[0].bytes }

    /// All that was read so far, the head first.
    var excerpts: [(offset: Int, bytes: Bytes)] { kept }

    /// Returns the bytes of a stretch: fewer, or none, where the document or the bounds end.
    ///
    /// - Parameter ahead: How many bytes are read at once where the disk must be asked, since others near them follow.
    mutating func bytes(at offset: Int, count: Int, ahead: Int = 4096) -> Bytes {
        guard offset >= 0, offset < size, count > 0 else { return head[0..<0] }
        let wanted = min(count, size - offset)
        if let found = find(offset, wanted) { return found }
        if readWhole() { return find(offset, wanted) ?? head[0..<0] }
        let reach = min(max(wanted, ahead), size - offset, space.count - filled)
        let place = UnsafeMutableRawBufferPointer(rebasing: space[filled..<(filled + max(0, reach))])
        let bytes = content.read(at: offset, into: place)
        guard !bytes.isEmpty else { return partly(offset) }
        filled += reach
        kept.append((offset, bytes))
        return bytes[0..<wanted]
    }

    private func find(_ offset: Int, _ count: Int) -> Bytes? {
        for (start, bytes) in kept.reversed() where start <= offset && offset + count <= start + bytes.count {
            return bytes[(offset - start)..<(offset - start + count)]
        }
        return nil
    }

    /// Returns the bytes already read from an offset on, for when nothing more may be read.
    private func partly(_ offset: Int) -> Bytes {
        for (start, bytes) in kept where start <= offset && offset < start + bytes.count {
            return bytes.from(offset - start)
        }
        return head[0..<0]
    }

    /// Reads a small document at once; says whether all of it is there.
    private mutating func readWhole() -> Bool {
        guard !isWhole else { return true }
        guard size <= Self.smallSize, filled == 0 else { return false }
        let place = UnsafeMutableRawBufferPointer(rebasing: space[..<size])
        let bytes = content.read(at: 0, into: place)
        guard bytes.count > head.count else { return false }
        filled = size
        kept.append((0, bytes))
        isWhole = bytes.count == size
        return isWhole
    }

    /// Lends the document to a reader that the detection uses too. Bytes that are here already cost it no read.
    mutating func reading<Result>(_ body: (inout Content) -> Result) -> Result {
        withUnsafeMutablePointer(to: &self) { excerpts in
            var lent = Content(
                head: excerpts.pointee.head,
                source: .lender { excerpts.pointee.bytes(at: $0, count: $1, ahead: Self.lentAhead) },
                size: excerpts.pointee.size, reads: 1024, bytes: 1 << 20)
            return body(&lent)
        }
    }

    /// Space for what a shared reader finds; empty where no more is left.
    mutating func room(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let room = unpackedRoom(count)
        unpacked += room.count
        return room
    }

    /// Unpacks the beginning of a deflate stream.
    mutating func inflate(_ packed: Bytes, limit: Int) -> Bytes {
        let bytes = Inflate.unpacking(packed, into: unpackedRoom(limit))
        unpacked += bytes.count
        return bytes
    }

    /// Keeps bytes that a format has in pieces, or otherwise than they are meant.
    mutating func keep(limit: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> Bytes {
        let room = unpackedRoom(limit)
        let count = min(max(0, body(room)), room.count)
        unpacked += count
        return Bytes(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }

    private func unpackedRoom(_ limit: Int) -> UnsafeMutableRawBufferPointer {
        let reach = max(0, min(limit, unpackedSpace.count - unpacked))
        return UnsafeMutableRawBufferPointer(rebasing: unpackedSpace[unpacked..<(unpacked + reach)])
    }
}

extension Bytes {
    /// A byte is more than a blank.
    var hasInk: Bool {
        for index in 0..<count where self[index] > 0x20 { return true }
        return false
    }
}
