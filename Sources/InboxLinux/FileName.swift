/// One name in a folder: any bytes that Linux allows, without `/` and NUL, and neither `.` nor `..`.
///
/// Names are never text here: Linux does not promise UTF-8, and a repaired name opens another file or none.
package struct FileName: Hashable, Sendable {
    /// Bytes. The longest name that is made here: NAME_MAX of limits.h, which nearly every filesystem takes.
    package static let longest = 255
    /// Bytes. The longest name that may exist, since no call takes a longer one: PATH_MAX of limits.h less the NUL. The 255
    /// UTF-16 units of FAT, exFAT, NTFS and SMB are up to 765 bytes, and FUSE takes 1,024, in newer kernels more.
    package static let longestFound = 4095

    /// The bytes with a NUL after them, ready for the kernel.
    private let terminated: [UInt8]

    /// Nil where the bytes are not a name.
    package init?(_ bytes: some Collection<UInt8>) {
        // Nearly always the bytes lie together: then nothing of this is done through the collection.
        let name =
            bytes.withContiguousStorageIfAvailable(Self.terminated)
            ?? Array(bytes).withUnsafeBufferPointer(Self.terminated)
        guard let name else { return nil }
        self.terminated = name
    }

    private static func terminated(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard (1...longestFound).contains(bytes.count), !bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { return nil }
        let isDots = bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
        if isDots { return nil }
        // An array that begins uninitialized is allocated by generic code, which takes four times as long.
        var terminated: [UInt8] = []
        terminated.reserveCapacity(bytes.count + 1)
        terminated.append(contentsOf: bytes)
        terminated.append(0)
        return terminated
    }

    /// The same of bytes that lie together.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let name = Self.terminated(bytes) else { return nil }
        self.terminated = name
    }

    /// Nil where the text's UTF-8 is not a name.
    package init?(_ text: String) {
        self.init(text.utf8)
    }

    /// The bytes, without a NUL.
    package var bytes: ArraySlice<UInt8> { terminated.dropLast() }

    /// The number of bytes.
    package var count: Int { terminated.count - 1 }

    /// The first byte; no name is empty.
    package var firstByte: UInt8 { terminated[0] }

    /// The name starts with a dot, which hides it by convention.
    package var isHidden: Bool { firstByte == UInt8(ascii: ".") }

    /// The name as text by section 5 of the contract: distinct from every other name, and convertible back into bytes.
    package var escapedText: String { EscapedBytes.text(bytes) }

    /// Lends the bytes, without a NUL.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        terminated.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0.dropLast())) }
    }

    /// Lends the NUL-terminated name to a call.
    package func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        terminated.withUnsafeBufferPointer { buffer in
            // An array that ends in NUL is never empty, so it has a base address.
            buffer.baseAddress.unsafelyUnwrapped.withMemoryRebound(to: CChar.self, capacity: buffer.count, body)
        }
    }
}

extension FileName: Comparable {
    /// By bytes.
    package static func < (left: FileName, right: FileName) -> Bool {
        left.terminated.lexicographicallyPrecedes(right.terminated)
    }
}

extension FileName: CustomStringConvertible {
    /// For a person's eyes: never a control character.
    package var description: String { EscapedBytes.printable(bytes) }
}
