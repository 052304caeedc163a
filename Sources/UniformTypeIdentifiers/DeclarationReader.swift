/// Reads the text form of the built-in declarations, entry by entry.
///
/// A line is an entry: `identifier [< parent ...] [.extension ...] [type/subtype ...] "description"`; empty lines and
/// lines that begin with `#` are skipped. The text is the project's own and is checked by tests, so what does not fit
/// is skipped rather than reported. Every program that asks for a type reads it all, so each byte is read once.
struct DeclarationReader {
    /// What a word of an entry means, which its first byte or a `/` in it shows.
    enum Word {
        case parent
        case fileExtension
        case mimeType
    }

    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    /// The identifier of the next entry, or nil at the end of the text.
    mutating func nextIdentifier() -> ByteRange? {
        while position < text.count {
            switch text[position] {
            case 0...UInt8(ascii: " "), UInt8(ascii: "<"): position += 1
            case UInt8(ascii: "#"): skipLine()
            default:
                let start = position
                _ = skipWord()
                return ByteRange(start, position)
            }
        }
        return nil
    }

    /// The next word of the entry, or nil where the description or the next entry begins.
    mutating func nextWord() -> (word: Word, range: ByteRange)? {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\""): return nil
            case 0...UInt8(ascii: " "), UInt8(ascii: "<"): position += 1
            case UInt8(ascii: "."):
                let start = position + 1
                _ = skipWord()
                return (.fileExtension, ByteRange(start, position))
            default:
                let start = position
                let hasSlash = skipWord()
                return (hasSlash ? .mimeType : .parent, ByteRange(start, position))
            }
        }
        return nil
    }

    /// The description after the last word; empty where there is none.
    mutating func description() -> ByteRange {
        let start = position + 1
        skipLine()
        return position - 1 > start ? ByteRange(start, position - 1) : .empty
    }

    private mutating func skipLine() {
        while position + 8 <= text.count {
            let ends = EightBytes(text, at: position).marks(of: UInt8(ascii: "\n"))
            position += EightBytes.first(ends)
            if ends != 0 { return }
        }
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
    }

    /// Whether the word that is skipped has a `/`.
    private mutating func skipWord() -> Bool {
        var hasSlash = false
        while position + 8 <= text.count {
            let bytes = EightBytes(text, at: position)
            let (slashes, ends) = (bytes.marks(of: UInt8(ascii: "/")), bytes.marksOfBlanks)
            if EightBytes.first(slashes) < EightBytes.first(ends) { hasSlash = true }
            position += EightBytes.first(ends)
            if ends != 0 { return hasSlash }
        }
        while position < text.count, text[position] > UInt8(ascii: " ") {
            if text[position] == UInt8(ascii: "/") { hasSlash = true }
            position += 1
        }
        return hasSlash
    }
}

/// Eight bytes of a text in one word, the first one lowest.
private struct EightBytes {
    private let word: UInt64

    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, at position: Int) {
        word = UInt64(
            littleEndian: UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// Marks the bytes that are `byte` by their top bits. The lowest mark is right; those above it may not be.
    @inline(__always)
    func marks(of byte: UInt8) -> UInt64 {
        let rest = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
        return (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080
    }

    /// Marks the bytes up to the blank, 0x20, likewise.
    var marksOfBlanks: UInt64 {
        @inline(__always) get { (word &- 0x2121_2121_2121_2121) & ~word & 0x8080_8080_8080_8080 }
    }

    /// The index of the lowest mark; 8 where there is none.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount / 8 }
}
