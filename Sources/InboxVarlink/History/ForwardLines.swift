import InboxLinux

/// Reads a file's whole lines from an offset on, up to the size that the file had when it was opened.
struct ForwardLines: Sendable {
    /// Bytes.
    private static let block = 256 * 1024
    private static let newline = UInt8(ascii: "\n")

    private let part: HistoryFiles.Part
    /// Open from the first read on.
    private var file: OpenFile?
    private let filter: LineFilter?
    private var position: Int64
    private var buffer: [UInt8] = []
    private var start = 0
    private var block = [UInt8](repeating: 0, count: Self.block)

    /// - Parameter filter: shows of many lines that they can be passed over; nil where all are given.
    init(_ part: HistoryFiles.Part, from offset: Int64, _ filter: LineFilter?) {
        self.part = part
        self.filter = filter
        position = offset
    }

    /// The next line without its newline.
    mutating func next() throws(SyscallError) -> LineFilter.Found<ArraySlice<UInt8>> {
        var searched = start
        while true {
            if let end = newline(from: searched) {
                defer { start = end + 1 }
                return .line(buffer[start..<end])
            }
            guard position < part.size else { return .end }
            if file == nil { file = try part.file() }
            guard let got = try file?.descriptor.read(into: &block, at: position), got > 0 else { return .end }
            let wanted = min(Int64(got), part.size - position)
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            buffer += block[..<Int(wanted)]
            position += wanted
            if passOver() { return .passedOver }
        }
    }

    private func newline(from place: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[place...]).firstOffset(of: Self.newline).map { place + $0 }
        }
    }

    /// Passes over the whole lines that were read, where none of them can be wanted.
    private mutating func passOver() -> Bool {
        guard let filter else { return false }
        guard let last = buffer.withUnsafeBytes({ $0.lastOffset(of: Self.newline) }) else { return false }
        guard filter.passes(over: buffer[...last]) else { return false }
        start = last + 1
        return true
    }
}
