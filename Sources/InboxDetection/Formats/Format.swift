import CUniformTypeData

/// A format that this program knows, by its place in the table of formats.
struct FormatID: Hashable, Sendable {
    let index: UInt16

    init(index: UInt16) {
        self.index = index
    }

    /// The format at this place of the table.
    init(place: Int) {
        index = UInt16(clamping: place)
    }
}

/// A format: its names, and what its files must begin with; a row of the table that the compiler made.
///
/// Its names are places in the table's text: a table of texts would be thousands of objects, of which a single file
/// needs few.
typealias Format = inbox_format

extension Format {
    /// The freedesktop or IANA name; of a format that has none, its identifier.
    var mime: String { mimeWord.bytes.text }

    /// Whether it has a MIME type: a format without one has its identifier in that place.
    var hasMIME: Bool { identifierWord.count == 0 || identifierWord.start != mimeWord.start }

    /// The usual extension, without a dot; nil for formats whose files have none.
    var fileExtension: String? {
        var words = extensions
        return words.next()?.text
    }

    /// The usual extension, and others under which such files are honestly kept, though they may mean something else.
    var extensions: CommaList { CommaList(extensionsWord.bytes) }

    /// The identifier, where the MIME type alone would not lead to it.
    var identifier: Bytes? { identifierWord.count > 0 ? identifierWord.bytes : nil }

    /// A format that this one is a special case of, in addition to the types' conformance.
    var superclass: Bytes? { superclassWord.count > 0 ? superclassWord.bytes : nil }

    /// What the format is written in; the first where there are several.
    var carrier: Carrier? { Carrier(rawValue: carrierNumber) }

    /// All that the format may be written in.
    var carriers: CarrierSet { CarrierSet(rawValue: carrierBits) }

    /// What this format carries for others.
    var isCarrier: Carrier? { Carrier(rawValue: carriedNumber) }

    /// Whether it is the edition of a document format that holds macros.
    var hasMacros: Bool { mimeWord.bytes.contains("macroEnabled") }

    /// The supertypes of its dynamic type, where they do not follow from its MIME type.
    var supertypes: [String] {
        var words = Words(traits.bytes)
        var found: [String] = []
        while let word = words.next() {
            if word.has("under:") { found.append(word.from(6).text) }
        }
        return found
    }
}

extension inbox_format_word {
    /// The piece of the table's text, which lives as long as the program.
    var bytes: Bytes { FormatTable.builtIn.text[Int(start)..<(Int(start) + Int(count))] }
}

/// The items of a list with commas; none where it is `-`.
struct CommaList {
    private let list: Bytes
    private var place = 0

    init(_ list: Bytes) {
        self.list = list.equals("-") ? list[0..<0] : list
    }

    mutating func next() -> Bytes? {
        guard place < list.count else { return nil }
        let end = list.index(of: UInt8(ascii: ","), from: place) ?? list.count
        defer { place = end + 1 }
        return list[place..<end]
    }
}
