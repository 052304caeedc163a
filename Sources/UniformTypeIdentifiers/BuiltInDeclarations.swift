import CUniformTypeData

/// The built-in declarations, read from the text that is embedded in the program; its grammar is at the top of
/// `declarations.txt`.
///
/// Names and descriptions stay where they are in the text.
struct BuiltInDeclarations {
    let text: UnsafeBufferPointer<UInt8>
    var rows = LentArray<TypeRows.Row>(minimumCapacity: 1_024)
    var parents = LentArray<Int32>(minimumCapacity: 2_048)
    private(set) var tags = LentArray<ByteRange>(minimumCapacity: 3_072)
    private(set) var identifiers = NameTable(minimumCapacity: 1_024)
    private(set) var extensions = NameTable(minimumCapacity: 2_048)
    private(set) var mimeTypes = NameTable(minimumCapacity: 2_048)
    /// The names of the supertypes, which may be declared below their subtypes.
    private var parentNames = LentArray<ByteRange>(minimumCapacity: 2_048)
    private var place = 0

    init() {
        text = UnsafeBufferPointer(
            start: inbox_uniform_type_declarations(), count: inbox_uniform_type_declarations_size())
    }

    /// Reads all entries, one in a line.
    mutating func read() {
        while place < text.count {
            if next != Self.lineEnd, next != UInt8(ascii: "#") { readEntry() }
            place = end(from: place) { $0 == Self.lineEnd } + 1
        }
        linkParents()
    }

    private static let lineEnd: UInt8 = 0x0A

    /// The byte at the reader's place; a line end after the last one.
    private var next: UInt8 { place < text.count ? text[place] : Self.lineEnd }

    private mutating func readEntry() {
        let identifier = word().name
        var row = TypeRows.Row(identifier: identifier, key: identifier)
        let index = Int32(truncatingIfNeeded: rows.count)
        _ = identifiers.add(identifier, type: index, in: text)
        let (firstParent, firstTag) = (count(parentNames), count(tags))
        var firstMIMEType: Int32?
        while true {
            while next == 0x20 || next == UInt8(ascii: "<") { place += 1 }
            guard next > 0x20, next != UInt8(ascii: "\"") else { break }
            let isExtension = next == UInt8(ascii: ".")
            if isExtension { place += 1 }
            let (name, hasSlash) = word()
            if isExtension {
                _ = extensions.add(name, type: index, in: text)
                tags.append(name)
            } else if hasSlash {
                if firstMIMEType == nil { firstMIMEType = count(tags) }
                _ = mimeTypes.add(name, type: index, in: text)
                tags.append(name)
            } else {
                parentNames.append(name)
            }
        }
        row.parents = firstParent..<count(parentNames)
        row.extensions = firstTag..<(firstMIMEType ?? count(tags))
        row.mimeTypes = (firstMIMEType ?? count(tags))..<count(tags)
        row.description = description()
        rows.append(row)
    }

    /// The first place from a given one whose byte is wanted; the text's end where there is none.
    @inline(__always)
    private func end(from start: Int, _ isWanted: (UInt8) -> Bool) -> Int {
        var end = start
        while end < text.count, !isWanted(text[end]) { end += 1 }
        return end
    }

    /// Reads the letters up to the next blank.
    private mutating func word() -> (name: ByteRange, hasSlash: Bool) {
        var hasSlash = false
        let start = place
        place = end(from: start) { byte in
            if byte == UInt8(ascii: "/") { hasSlash = true }
            return byte <= 0x20
        }
        return (ByteRange(start, place), hasSlash)
    }

    /// The text between quotes that ends an entry.
    private mutating func description() -> ByteRange {
        guard next == UInt8(ascii: "\"") else { return .empty }
        place += 1
        let start = place
        place = end(from: start) { $0 == UInt8(ascii: "\"") || $0 == Self.lineEnd }
        return ByteRange(start, place)
    }

    private func count<Element>(_ array: LentArray<Element>) -> Int32 { Int32(truncatingIfNeeded: array.count) }

    /// Finds the rows of the supertypes; one that nothing declares is left out.
    private mutating func linkParents() {
        for row in rows.indices {
            let start = count(parents)
            for place in rows[row].parents {
                let name = parentNames[Int(place)].bytes(in: text)
                if let parent = identifiers.first(name, in: text) { parents.append(parent.type) }
            }
            rows[row].parents = start..<count(parents)
        }
    }
}
