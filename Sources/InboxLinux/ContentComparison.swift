extension FileDescriptor {
    /// Whether another file has the same bytes, from the first to the last.
    package func hasContent(of other: borrowing FileDescriptor) throws(SyscallError) -> Bool {
        try begins(withContentOf: other, isAll: true)
    }

    /// Whether this file begins with all bytes of another one.
    package func beginsWithContent(of other: borrowing FileDescriptor) throws(SyscallError) -> Bool {
        try begins(withContentOf: other, isAll: false)
    }

    private func begins(
        withContentOf other: borrowing FileDescriptor, isAll: Bool
    ) throws(SyscallError) -> Bool {
        var own = [UInt8](repeating: 0, count: 1 << 16)
        var others = own
        var offset: Int64 = 0
        while true {
            let count = try other.fill(&others, from: offset)
            let found = try fill(&own, from: offset)
            guard isAll ? found == count : found >= count, own[..<count] == others[..<count] else { return false }
            if count < others.count { return true }
            offset += Int64(count)
        }
    }

    /// Reads until the array is full or the file ends; returns how many bytes.
    private func fill(_ buffer: inout [UInt8], from offset: Int64) throws(SyscallError) -> Int {
        var count = try read(into: &buffer, at: offset)
        while count > 0, count < buffer.count {
            var rest = [UInt8](repeating: 0, count: buffer.count - count)
            let more = try read(into: &rest, at: offset + Int64(count))
            if more == 0 { break }
            buffer.replaceSubrange(count..<(count + more), with: rest[..<more])
            count += more
        }
        return count
    }
}
