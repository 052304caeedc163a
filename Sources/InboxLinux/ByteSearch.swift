import CInboxLinux
import Glibc

extension UnsafeRawBufferPointer {
    /// The first offset of a byte: memchr(3), which reads a vector at a time.
    package func firstOffset(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
        return start.distance(to: UnsafeRawPointer(found))
    }

    /// The last offset of a byte: memrchr(3).
    package func lastOffset(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = inbox_memrchr(start, Int32(byte), count) else { return nil }
        return start.distance(to: found)
    }

    /// Bytes beyond ASCII are present; nil if there is a control character other than bell to carriage return, end of
    /// file and escape.
    package var hasHighByte: Bool? {
        let kinds = inbox_byte_kinds(baseAddress, count)
        return kinds & UInt32(inbox_byte_control) != 0 ? nil : kinds & UInt32(inbox_byte_high) != 0
    }

    /// Returns whether these bytes are the first ones: memcmp(3).
    package func begins(with part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= count else { return false }
        guard let start = baseAddress, let other = part.baseAddress else { return part.isEmpty }
        return memcmp(start, other, part.count) == 0
    }

    /// The first offset of these bytes, one after the other: memmem(3).
    package func firstOffset(of part: [UInt8]) -> Int? {
        guard let start = baseAddress else { return part.isEmpty ? 0 : nil }
        return part.withUnsafeBytes { part in
            guard let partStart = part.baseAddress, !part.isEmpty else { return 0 }
            return inbox_memmem(start, count, partStart, part.count).map { start.distance(to: UnsafeRawPointer($0)) }
        }
    }

    /// Returns whether these bytes occur as a sequence: memmem(3).
    package func contains(_ part: [UInt8]) -> Bool {
        guard let start = baseAddress else { return part.isEmpty }
        return part.withUnsafeBytes { part in
            guard let partStart = part.baseAddress, !part.isEmpty else { return true }
            return inbox_memmem(start, count, partStart, part.count) != nil
        }
    }
}

extension Collection<UInt8> {
    /// Returns whether these bytes occur as a sequence.
    package func contains(_ part: [UInt8]) -> Bool {
        withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).contains(part) } ?? Array(self).contains(part)
    }
}
