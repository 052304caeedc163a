import InboxLinux

extension OpenFile {
    /// Bytes: no line of a document is longer.
    private static var longestLine: Int { 1 << 20 }

    /// Lends the lines of a history's file from one offset to another, and where each begins; the end of a longer one alone.
    /// - Returns: where the line begins that is not whole yet.
    func lines(
        from start: Int64, to end: Int64, _ take: (ArraySlice<UInt8>, Int64) -> Void
    ) throws(SyscallError) -> Int64 {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var line: [UInt8] = []
        var (start, offset) = (start, start)
        while offset < end {
            let most = Int(clamping: min(Int64(buffer.count), end - offset))
            let count = try descriptor.read(into: &buffer, 0..<most, at: offset)
            if count == 0 { break }
            var rest = buffer[..<count]
            while let newline = rest.withUnsafeBytes({ UnsafeRawBufferPointer($0).firstOffset(of: UInt8(ascii: "\n")) })
            {
                let whole = rest[..<(rest.startIndex + newline)]
                take(line.isEmpty ? whole : (line + whole)[...], start)
                line = []
                rest = rest[(rest.startIndex + newline + 1)...]
                start = offset + Int64(rest.startIndex)
            }
            if line.count <= Self.longestLine { line += rest }
            offset += Int64(count)
        }
        return start
    }
}
