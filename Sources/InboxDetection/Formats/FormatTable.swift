/// The known formats and their fixed signatures, read once from the table's text into flat arrays.
///
/// `inboxctl type` reads the table for a single file, so reading it costs as little as possible: no line and no word is
/// copied before it is known what it is.
struct FormatTable: ~Copyable, Sendable {
    /// The built-in table.
    static let builtIn = FormatTable()

    /// In the order of the text.
    private(set) var formats: [Format] = []
    /// What the signatures compare with.
    private(set) var signatures = SignatureTable()
    /// Lines that could not be read; a test holds that there are none.
    private(set) var faults: [String] = []
    /// Finds formats by their names.
    private var names = FormatNames([])

    private init() {
        formats.reserveCapacity(1024)
        for number in FormatText.all.indices {
            var lines = Lines(FormatText.bytes(number))
            while let line = lines.next() {
                if line[0] == UInt8(ascii: " ") {
                    readSignature(line)
                } else {
                    readFormat(line, in: number)
                }
            }
        }
        signatures.finish()
        names = FormatNames(formats)
    }

    subscript(id: FormatID) -> Format { formats[Int(id.index)] }

    /// The format of a MIME type, written as in the table.
    func format(mime: String) -> FormatID? { Bytes.lending(mime) { names.format(mime: $0) } }

    /// The format of an identifier that the table gives.
    func format(identifier: String) -> FormatID? { Bytes.lending(identifier) { names.format(identifier: $0) } }

    /// The formats that are kept under an extension in small letters, in the table's order.
    func claims(ofExtension tag: [UInt8]) -> [FormatID] {
        tag.withUnsafeBytes { names.claims(ofExtension: Bytes($0)) }
    }

    private mutating func readFormat(_ line: Bytes, in text: Int) {
        var words = Words(line)
        guard let mime = words.next(), let tags = words.next(), mime.index(of: UInt8(ascii: "/")) != nil else {
            faults.append(line.text)
            return
        }
        let rest = words.rest
        var traits = Traits()
        while let word = words.next() {
            if !traits.read(word) { faults.append(line.text) }
        }
        formats.append(
            Format(
                mimeWord: FormatWord(mime, in: text), extensionsWord: FormatWord(tags, in: text),
                identifierWord: traits.identifier.map { FormatWord($0, in: text) },
                superclassWord: traits.superclass.map { FormatWord($0, in: text) },
                traits: FormatWord(rest, in: text), carrier: traits.carrier, carriers: traits.carriers,
                isCarrier: traits.isCarrier, isText: traits.isText, isMandatory: !traits.isText && !traits.isLoose,
                isEither: traits.isEither, isVague: traits.isVague, isStrict: traits.isStrict))
    }

    private mutating func readSignature(_ line: Bytes) {
        guard !formats.isEmpty else { return }
        let format = FormatID(index: UInt16(clamping: formats.count - 1))
        if !signatures.add(line, for: format) { faults.append(line.text) }
    }
}

/// What follows a format's names in the table's text.
private struct Traits {
    var identifier: Bytes?
    var carrier: Carrier?
    var carriers: CarrierSet = []
    var isCarrier: Carrier?
    var superclass: Bytes?
    var isText = false
    var isLoose = false
    var isEither = false
    var isVague = false
    var isStrict = false

    /// Reads one word; false where the table's grammar has no such word.
    mutating func read(_ word: Bytes) -> Bool {
        // The first letter leaves one word to compare with, or two.
        switch word[0] {
        case UInt8(ascii: "t") where word.equals("text"): isText = true
        case UInt8(ascii: "l") where word.equals("loose"): isLoose = true
        case UInt8(ascii: "e") where word.equals("either"): isEither = true
        case UInt8(ascii: "v") where word.equals("vague"): isVague = true
        case UInt8(ascii: "s") where word.equals("strict"): isStrict = true
        case UInt8(ascii: "s") where word.has("sub:"): superclass = word.from(4)
        case UInt8(ascii: "u") where word.has("under:"): break
        case UInt8(ascii: "i") where word.has("in:"):
            guard let known = Carrier(named: word.from(3)) else { return false }
            carrier = carrier ?? known
            carriers.insert(CarrierSet(known))
        case UInt8(ascii: "i") where word.has("is:"):
            guard let known = Carrier(named: word.from(3)) else { return false }
            isCarrier = known
        default:
            guard word.index(of: UInt8(ascii: ".")) != nil else { return false }
            identifier = word
        }
        return true
    }
}
