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

/// A format: its names, and what its files must begin with.
///
/// Its names are places in the table's text: a table of texts would be thousands of objects, of which a single file
/// needs few.
struct Format: Sendable {
    let mimeWord: FormatWord
    /// `first,other,other`; `-` where there is none.
    let extensionsWord: FormatWord
    let identifierWord: FormatWord?
    let superclassWord: FormatWord?
    /// Everything after the extensions.
    let traits: FormatWord
    /// What the format is written in; the first where there are several.
    let carrier: Carrier?
    /// All that the format may be written in.
    let carriers: CarrierSet
    /// What this format carries for others.
    let isCarrier: Carrier?
    /// Whether its files are text.
    let isText: Bool
    /// Whether a file without one of its signatures is not of this format.
    let isMandatory: Bool
    /// Whether its files may be text or not.
    let isEither: Bool
    /// Whether its extension is used for anything, so that no content contradicts it.
    let isVague: Bool
    /// Whether an archive that was shown to lack the parts of a document is not of this format.
    let isStrict: Bool
}

extension Format {
    /// The freedesktop or IANA name.
    var mime: String { mimeWord.bytes.text }

    /// The usual extension, without a dot; nil for formats whose files have none.
    var fileExtension: String? {
        var words = extensions
        return words.next()?.text
    }

    /// The usual extension, and others under which such files are honestly kept, though they may mean something else.
    var extensions: CommaList { CommaList(extensionsWord.bytes) }

    /// The identifier, where the MIME type alone would not lead to it.
    var identifier: Bytes? { identifierWord?.bytes }

    /// A format that this one is a special case of, in addition to the types' conformance.
    var superclass: Bytes? { superclassWord?.bytes }

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

/// A piece of the table's text, which lives as long as the program.
struct FormatWord: Sendable {
    private let text: UInt8
    private let start: UInt16
    private let count: UInt16

    /// A window on text number `text`.
    init(_ bytes: Bytes, in text: Int) {
        self.text = UInt8(clamping: text)
        start = UInt16(clamping: bytes.offset(in: FormatText.bytes(text)))
        count = UInt16(clamping: bytes.count)
    }

    /// How many bytes the piece has.
    var length: Int { Int(count) }

    /// Whether the piece is these bytes: nearly every one that is asked has another length.
    func isEqual(to other: Bytes) -> Bool { Int(count) == other.count && bytes.isEqual(to: other) }

    var bytes: Bytes { FormatText.bytes(Int(text))[Int(start)..<(Int(start) + Int(count))] }
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

/// Name space of the table's text: one format a line, its signatures indented below it.
///
///     MIME-type extension[,extension…]|- [identifier] [text] [loose] [either] [vague] [strict] [in:carrier …]
///         [is:carrier] [sub:MIME-type] [under:identifier …]
///       offset:pattern [offset:pattern …]
///
/// A pattern is hexadecimal digits, `'text'` and `??` for any byte; all patterns of a line must match, and each line is
/// an alternative. `text` formats and `loose` ones do not need a signature; text contradicts a `loose` one unless it is
/// `either`. Names of a `vague` format are never contradicted. An archive without the parts of a document contradicts a
/// `strict` format. `under` gives the supertypes of the dynamic type, where no type is declared.
enum FormatText {
    static let all = [images, archives, media, documents, programs, texts]

    /// The text of this number.
    static func bytes(_ number: Int) -> Bytes { Bytes(all[number]) }
}
