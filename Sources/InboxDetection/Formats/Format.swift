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

/// A piece of the formats' text; empty where there is none.
struct FormatWord: Sendable {
    var start: UInt16 = 0
    var count: UInt16 = 0
}

/// A format: its names, and what its files must begin with.
///
/// Its names are places in the table's text: a table of texts would be thousands of objects, of which a single file
/// needs few.
struct Format: Sendable {
    /// The freedesktop or IANA name; the identifier, which has no slash, where there is none.
    var mimeWord = FormatWord()
    /// `first,other,other`, or `-`.
    var extensionsWord = FormatWord()
    /// The identifier, where the MIME type alone would not lead to the type.
    var identifierWord = FormatWord()
    /// A MIME type that this one is a special case of, in addition to the types' conformance.
    var superclassWord = FormatWord()
    /// Everything after the extensions.
    var traits = FormatWord()
    /// All that the format may be written in.
    var carriers: CarrierSet = []
    /// The carrier that the format is written in; the first if there are several.
    var carrier: Carrier?
    /// The carrier that this format is for others; nil if it is none.
    var isCarrier: Carrier?
    /// Its files are text.
    var isText = false
    /// A file without one of its signatures is not of this format.
    var isMandatory = true
    /// Its files may be text or not.
    var isEither = false
    /// Its files may be text from end to end, though it is no text format, or no text begins as they do.
    var isLegible = false
    /// Texts of other programs have its extension too, which is no contradiction.
    var isShared = false
    /// Its extension is used for anything, so that no content contradicts it.
    var isVague = false
    /// An archive that was shown to lack the parts of a document is not of this format.
    var isStrict = false
}

extension Format {
    /// The freedesktop or IANA name; of a format that has none, its identifier.
    var mime: String { mimeWord.bytes.text }

    /// The format has a MIME type: a format without one has its identifier in that place.
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

    /// Its files may be text from end to end.
    var mayBeText: Bool { isText || isEither || isLegible }

    /// The format is the edition of a document format that holds macros.
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

extension FormatWord {
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
