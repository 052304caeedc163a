import InboxLinux

/// The sum that a marker has for a document: a line as sha256sum(1) writes it, or the sum alone.
package enum MarkerSum {
    /// Returns the sum in a marker that is meant for the document of this name; nil where there is none.
    ///
    /// One sum counts whatever name it has beside it; of several it is the one for the document's name, in whichever folder.
    package static func sum(in content: [UInt8], for document: FileName) -> [UInt8]? {
        var only: [UInt8]?
        var isSingle = true
        for line in content.split(separator: UInt8(ascii: "\n")) {
            guard let found = parse(line) else { continue }
            if let name = found.name, lastComponent(of: name).elementsEqual(document.bytes) { return found.sum }
            isSingle = only == nil
            only = only ?? found.sum
        }
        return isSingle ? only : nil
    }

    /// The sum in a line, and the name beside it; nil where the line has none.
    private static func parse(_ line: ArraySlice<UInt8>) -> (sum: [UInt8], name: [UInt8]?)? {
        var rest = line
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        let isEscaped = rest.first == UInt8(ascii: "\\")
        if isEscaped { rest.removeFirst() }
        if let tagged = tagged(rest) { return (tagged.sum, isEscaped ? unescaped(tagged.name) : Array(tagged.name)) }
        guard let sum = hex(rest.prefix(2 * SHA256.count)) else { return nil }
        rest = rest.dropFirst(2 * SHA256.count)
        if rest.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return (sum, nil) }
        guard rest.popFirst() == UInt8(ascii: " "), let kind = rest.popFirst(),
            kind == UInt8(ascii: " ") || kind == UInt8(ascii: "*"), !rest.isEmpty
        else { return nil }
        return (sum, isEscaped ? unescaped(rest) : Array(rest))
    }

    /// A line of `sha256sum --tag`: `SHA256 (name) = sum`.
    private static func tagged(_ line: ArraySlice<UInt8>) -> (sum: [UInt8], name: ArraySlice<UInt8>)? {
        let (head, middle) = (Array("SHA256 (".utf8), Array(") = ".utf8))
        guard line.starts(with: head), let sum = hex(line.suffix(2 * SHA256.count)) else { return nil }
        let name = line.dropFirst(head.count).dropLast(2 * SHA256.count)
        guard name.count > middle.count, name.suffix(middle.count).elementsEqual(middle) else { return nil }
        return (sum, name.dropLast(middle.count))
    }

    private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 2 * SHA256.count else { return nil }
        let digits = text.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count == text.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// A name in which a backslash, an end of line and a carriage return were escaped.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var (result, rest) = ([UInt8](), name)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
            default: result.append(next)
            }
        }
        return result
    }

    private static func lastComponent(of name: [UInt8]) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: "/")).map { name[($0 + 1)...] } ?? name[...]
    }
}
