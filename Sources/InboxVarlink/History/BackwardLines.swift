import InboxLinux

/// Reads a file's lines from the last one to the first, in blocks.
struct BackwardLines: Sendable {
    /// A line without its newline, and where it begins in the file.
    struct Line {
        let bytes: ArraySlice<UInt8>
        let offset: Int64
    }

    /// Bytes.
    private static let block = 256 * 1024
    /// Bytes: no record is as long, so that more without a newline is damage and is skipped.
    private static let longest = 16 * 1024 * 1024
    private static let newline = UInt8(ascii: "\n")

    private let part: HistoryFiles.Part
    /// Open from the first read on.
    private var file: OpenFile?
    private let filter: LineFilter?
    /// The bytes read but not yet given out: `buffer[start..<end]`, which begins at this offset of the file.
    private var buffer: [UInt8] = []
    private var start = 0
    private var end = 0
    private var position: Int64
    /// The rest ends with a newline; a last line without one is still being written, or was torn.
    private var isAligned = false

    /// - Parameters:
    ///   - end: what begins there or after it is not read.
    ///   - filter: shows of many lines that they can be passed over; nil where all are given.
    init(_ part: HistoryFiles.Part, before end: Int64 = .max, _ filter: LineFilter?) {
        self.part = part
        self.filter = filter
        position = min(part.size, end)
    }

    /// The line before the last one that was given.
    mutating func next() throws(SyscallError) -> LineFilter.Found<Line> {
        while true {
            if isAligned, end > start {
                if let before = lastNewline(before: end - 1) { return .line(take(from: before + 1)) }
                if position == 0 { return .line(take(from: start)) }
            }
            if position == 0 { return .end }
            try readBlock()
            if passOver() { return .passedOver }
        }
    }

    private func lastNewline(before end: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[start..<end]).lastOffset(of: Self.newline).map { start + $0 }
        }
    }

    private mutating func take(from first: Int) -> Line {
        let line = Line(bytes: buffer[first..<(end - 1)], offset: position + Int64(first - start))
        end = first
        return line
    }

    /// Passes over the whole lines that were read, where none of them can be wanted.
    private mutating func passOver() -> Bool {
        guard let filter, isAligned, end > start else { return false }
        var first = start
        if position > 0 {
            guard let newline = buffer[start..<(end - 1)].firstIndex(of: Self.newline) else { return false }
            first = newline + 1
        }
        guard filter.passes(over: buffer[first..<end]) else { return false }
        end = first
        return true
    }

    private mutating func readBlock() throws(SyscallError) {
        if end - start > Self.longest {
            end = start
            isAligned = false
        }
        let kept = end - start
        // A long line is read in growing blocks, so that it is not copied again for each of many small ones.
        let count = Int(min(position, Int64(max(Self.block, kept))))
        keepAtEnd(kept, roomFor: count)
        position -= Int64(count)
        if file == nil { file = try part.file() }
        var filled = 0
        while filled < count {
            let got =
                try file?.descriptor.read(
                    into: &buffer, (start + filled)..<(start + count), at: position + Int64(filled)) ?? 0
            // The file was cut off or removed meanwhile: what is missing reads as zeros, which no record is.
            if got == 0 {
                for place in (start + filled)..<(start + count) { buffer[place] = 0 }
                break
            }
            filled += got
        }
        if !isAligned {
            end = lastNewline(before: end).map { $0 + 1 } ?? start
            isAligned = end > start
        }
    }

    /// Moves what is left to the end of the buffer, with as much room before it.
    private mutating func keepAtEnd(_ kept: Int, roomFor count: Int) {
        if buffer.count < kept + count {
            buffer = [UInt8](repeating: 0, count: count) + buffer[start..<end]
        } else {
            let target = buffer.count - kept
            buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                // The two may overlap.
                (base + target).copyMemory(from: base + start, byteCount: kept)
            }
        }
        end = buffer.count
        start = end - kept - count
    }
}
