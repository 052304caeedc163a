/// Reads the text form of the built-in declarations, token by token.
///
/// A line is an entry: `identifier [< parent ...] [.extension ...] [type/subtype ...] "description"`; empty lines and
/// lines that begin with `#` say nothing. The text is the project's own and is checked by tests, so what does not fit is
/// skipped rather than reported.
struct DeclarationReader {
    enum Token {
        case identifier(ByteRange)
        case parent(ByteRange)
        case fileExtension(ByteRange)
        case mimeType(ByteRange)
        case description(ByteRange)
    }

    private var position = 0
    private let end: Int
    private var isAtLineStart = true

    init(count: Int) {
        end = count
    }

    mutating func next(in text: UnsafeBufferPointer<UInt8>) -> Token? {
        while position < end {
            switch text[position] {
            case UInt8(ascii: "\n"):
                isAtLineStart = true
                position += 1
            case 0...UInt8(ascii: " "), UInt8(ascii: "<"):
                position += 1
            case UInt8(ascii: "#") where isAtLineStart:
                skipLine(in: text)
            case UInt8(ascii: "\"") where !isAtLineStart:
                let start = position + 1
                skipLine(in: text)
                if position - 1 > start { return .description(ByteRange(start, position - 1)) }
            default:
                return word(in: text)
            }
        }
        return nil
    }

    private mutating func skipLine(in text: UnsafeBufferPointer<UInt8>) {
        while position < end, text[position] != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func word(in text: UnsafeBufferPointer<UInt8>) -> Token {
        let start = position
        var hasSlash = false
        while position < end, text[position] > UInt8(ascii: " ") {
            if text[position] == UInt8(ascii: "/") { hasSlash = true }
            position += 1
        }
        if isAtLineStart {
            isAtLineStart = false
            return .identifier(ByteRange(start, position))
        }
        if text[start] == UInt8(ascii: ".") { return .fileExtension(ByteRange(start + 1, position)) }
        return hasSlash ? .mimeType(ByteRange(start, position)) : .parent(ByteRange(start, position))
    }
}
