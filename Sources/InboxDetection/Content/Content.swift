import InboxLinux

/// A document's bytes: the head that was read already, and a bounded right to read elsewhere.
///
/// The bounds make every parse short, whatever the content: a number of further reads, and of bytes in all.
package struct Content {
    /// Bytes: the size of a file's beginning that is read at once.
    package static let headSize = 4096

    /// The source of further bytes.
    package enum Source {
        /// The file, lent for the length of the detection.
        case file(UnsafePointer<FileDescriptor>)
        /// Nothing but these bytes: tests and fuzzing.
        case memory(Bytes)
        /// A function that reads for another room, within bounds of its own.
        case lender((_ offset: Int, _ count: Int) -> Bytes)
    }

    /// The beginning.
    package let head: Bytes
    private let source: Source
    private var bytesLeft = 64 * 1024
    private(set) var readsLeft = 16
    private var knownSize: Int?
    /// Something was not read that may be there: the bounds were reached, or the file could not be read.
    private(set) var isExhausted = false
    /// The bounds stay as they are, whatever a format asks for.
    private var isStrict = false

    init(head: Bytes, source: Source) {
        self.head = head
        self.source = source
        // A head that is not full ended at the file's end.
        if head.count < Self.headSize { knownSize = head.count }
    }

    /// A document with bounds of its own, which no format widens: so many further reads, and bytes in all of them.
    package init(head: Bytes, source: Source, size: Int, reads: Int, bytes: Int) {
        self.head = head
        self.source = source
        knownSize = size
        readsLeft = reads
        bytesLeft = bytes
        isStrict = true
    }

    /// The head is the whole document.
    var isWhole: Bool { head.count < Self.headSize }

    /// The size in bytes; asked of the file only by the formats that have something at the end.
    package mutating func size() -> Int? {
        if let knownSize { return knownSize }
        switch source {
        case .memory(let bytes): knownSize = bytes.count
        case .lender: return nil
        case .file(let file):
            do throws(SyscallError) {
                knownSize = Int(clamping: try file.pointee.status().size)
            } catch {
                // Without a size the end of the file is out of reach; the head still counts.
                return nil
            }
        }
        return knownSize
    }

    /// The same, with these bounds for what is read from now on.
    func renewed(bytes: Int, reads: Int) -> Content {
        var content = self
        content.bytesLeft = bytes
        content.readsLeft = reads
        content.isExhausted = false
        return content
    }

    /// Allows so many more bytes, for what can only be found by reading everything where it may lie.
    mutating func allow(bytes: Int) {
        if !isStrict { bytesLeft += bytes }
    }

    /// Reads elsewhere into `buffer`: the bytes read, or none where the file or the bounds end.
    package mutating func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bytes {
        let wanted = min(buffer.count, bytesLeft)
        guard offset >= 0, offset < 1 << 60, wanted > 0, readsLeft > 0 else {
            if buffer.count > 0, offset >= 0 { isExhausted = true }
            return Bytes(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        if offset + wanted <= head.count { return head[offset..<(offset + wanted)] }
        if isWhole { return head[offset..<(offset + wanted)] }
        readsLeft -= 1
        bytesLeft -= wanted
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        switch source {
        case .memory(let bytes): return bytes[offset..<(offset + wanted)]
        case .lender(let lend): return lend(offset, wanted)
        case .file(let file):
            do throws(SyscallError) {
                let count = try file.pointee.read(into: part, at: Int64(offset))
                return Bytes(UnsafeRawBufferPointer(rebasing: part[..<count]))
            } catch {
                isExhausted = true
                // The head was read: what cannot be read after it only makes the result less specific.
                return Bytes(UnsafeRawBufferPointer(start: nil, count: 0))
            }
        }
    }

    /// Reads elsewhere and hands the bytes to `body`.
    package mutating func reading<Result>(
        at offset: Int, count: Int, _ body: (Bytes, inout Content) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(byteCount: max(1, count), alignment: 8) { buffer in
            let bytes = read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<max(0, count)]))
            return body(bytes, &self)
        }
    }
}
