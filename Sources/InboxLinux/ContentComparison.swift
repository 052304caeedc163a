import Glibc

extension FileDescriptor {
    /// Returns whether another file has the same bytes, from the first to the last.
    /// - Parameter isAbandoned: called between two parts; if it returns true, nobody waits for the result any more,
    ///   which then is false.
    package func hasContent(
        of other: borrowing FileDescriptor, unless isAbandoned: () throws(SyscallError) -> Bool = { false }
    ) throws(SyscallError) -> Bool {
        try begins(withContentOf: other, isAll: true, unless: isAbandoned)
    }

    /// Returns whether this file begins with all bytes of another one.
    package func beginsWithContent(of other: borrowing FileDescriptor) throws(SyscallError) -> Bool {
        try begins(withContentOf: other, isAll: false)
    }

    private func begins(
        withContentOf other: borrowing FileDescriptor, isAll: Bool,
        unless isAbandoned: () throws(SyscallError) -> Bool = { false }
    ) throws(SyscallError) -> Bool {
        var own = [UInt8](repeating: 0, count: 1 << 16)
        var others = own
        var offset: Int64 = 0
        while try !isAbandoned() {
            let count = try other.fill(&others, from: offset)
            let found = try fill(&own, from: offset)
            guard isAll ? found == count : found >= count, memcmp(own, others, count) == 0 else { return false }
            if count < others.count { return true }
            offset += Int64(count)
        }
        return false
    }

    /// Returns whether a range contains nothing but zeros, as in a hole; beyond the end of the file there is nothing
    /// at all.
    package func hasOnlyZeros(in range: Range<Int64>) throws(SyscallError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let zeros = buffer
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(try read(into: &buffer, at: offset), Int(clamping: range.upperBound - offset))
            if count == 0 { return true }
            guard memcmp(buffer, zeros, count) == 0 else { return false }
            offset += Int64(count)
        }
        return true
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
