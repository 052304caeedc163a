/// One name in a folder: any bytes that Linux allows, 1 to 255 of them, without `/` and NUL, and neither `.` nor `..`.
///
/// Names are never text here: Linux does not promise UTF-8, and a repaired name opens another file or none.
public struct FileName: Hashable, Sendable {
    /// The longest name of Linux's filesystems, NAME_MAX of limits.h.
    public static let longest = 255

    /// The bytes and a NUL behind them, ready for the kernel.
    private let terminated: [UInt8]

    /// Nil where the bytes are not a name.
    public init?(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= Self.longest,
            !bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { return nil }
        var terminated: [UInt8] = []
        terminated.reserveCapacity(bytes.count + 1)
        terminated.append(contentsOf: bytes)
        guard terminated != [UInt8(ascii: ".")], terminated != [UInt8(ascii: "."), UInt8(ascii: ".")] else {
            return nil
        }
        terminated.append(0)
        self.terminated = terminated
    }

    /// Nil where the text's UTF-8 is not a name.
    public init?(_ text: String) {
        self.init(text.utf8)
    }

    /// The bytes, without a NUL.
    public var bytes: ArraySlice<UInt8> { terminated.dropLast() }

    /// How many bytes.
    public var count: Int { terminated.count - 1 }

    /// Whether it starts with a dot, which hides it by convention.
    public var isHidden: Bool { terminated[0] == UInt8(ascii: ".") }

    /// The name as text by section 5 of the contract: told from every other name and turned back into bytes.
    public var escapedText: String { EscapedBytes.text(bytes) }

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
    public static func < (left: FileName, right: FileName) -> Bool {
        left.terminated.lexicographicallyPrecedes(right.terminated)
    }
}

extension FileName: CustomStringConvertible {
    /// For a person's eyes: never a control character.
    public var description: String { EscapedBytes.printable(bytes) }
}
