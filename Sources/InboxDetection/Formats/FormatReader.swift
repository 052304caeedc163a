/// Reads the texts of `CUniformTypeData/formats`: one format a line, its signatures indented below it.
///
///     MIME-type|identifier extension[,extension…]|- [identifier] [text] [loose] [either] [legible] [shared]
///         [vague] [strict] [in:carrier …] [is:carrier] [sub:MIME-type] [under:identifier …]
///       offset:pattern [offset:pattern …]
///
/// A format without a MIME type begins with the identifier of its type, which must be a declared one.
///
/// A pattern is hexadecimal digits, `'text'` and `??` for any byte; all patterns of a line must match, and each line is
/// an alternative. `text` formats and `loose` ones do not need a signature; text contradicts a `loose` one, and bytes a
/// `text` one, unless it is `either`. A signature of a few bytes does not count in a text, unless the format is one of
/// these or `legible`: its files may be text from end to end, or no text begins so. Names of a `vague` format are never
/// contradicted, and those of a `shared` one by no text. An archive without the parts of a document contradicts a `strict` format. `under` gives the supertypes
/// of the dynamic type, where no type is declared.
/// The first extension is the usual one; under the others such files are honestly kept, though they may mean something
/// else.
struct FormatReader {
    private let text: Bytes
    private(set) var formats: [Format] = []
    private(set) var signatures = Signatures()
    private(set) var mimes = FormatNames(room: 2_048)
    private(set) var identifiers = FormatNames(room: 256)
    private(set) var extensions = FormatNames(room: 2_048)
    /// The violations of the grammar.
    private(set) var problems: [String] = []

    init(_ text: Bytes) {
        // The places of words have 16 bits.
        self.text = text[0..<Int(UInt16.max)]
        formats.reserveCapacity(1_024)
    }

    /// Reads all lines.
    mutating func read() {
        var place = 0
        while place < text.count {
            let end = text.index(of: 0x0A, from: place) ?? text.count
            switch text[place] {
            case 0x0A, UInt8(ascii: "#"): break
            case 0x20: readSignature(place, end)
            default: readFormat(place, end)
            }
            place = end + 1
        }
    }

    private mutating func complain(_ problem: String, _ start: Int, _ end: Int) {
        problems.append("\(problem): \(text[start..<end].text)")
    }

    private func wordAt(_ start: Int, _ end: Int) -> FormatWord {
        var place = start
        while place < end, text[place] != 0x20 { place += 1 }
        return FormatWord(start: UInt16(clamping: start), count: UInt16(clamping: place - start))
    }

    private mutating func readFormat(_ start: Int, _ end: Int) {
        var format = Format()
        let index = formats.count
        format.mimeWord = wordAt(start, end)
        var place = format.mimeWord.range.upperBound + 1
        if text[format.mimeWord.range].index(of: UInt8(ascii: "/")) == nil {
            format.identifierWord = format.mimeWord
        }
        if place >= end { complain("extensions follow the name, or -", start, end) }
        format.extensionsWord = wordAt(min(place, end), end)
        place = format.extensionsWord.range.upperBound + 1
        var isLoose = false
        if place < end {
            format.traits = FormatWord(start: UInt16(clamping: place), count: UInt16(clamping: end - place))
            while place < end {
                let word = wordAt(place, end)
                readTrait(word, &format, &isLoose)
                place = word.range.upperBound + 1
            }
        }
        format.isMandatory = !format.isText && !isLoose
        formats.append(format)
        mimes.add(format.mimeWord, of: index, in: text)
        if format.identifierWord.count > 0 { identifiers.add(format.identifierWord, of: index, in: text) }
        addExtensions(format.extensionsWord, of: index)
    }

    private mutating func addExtensions(_ list: FormatWord, of format: Int) {
        guard !text[list.range].equals("-") else { return }
        var start = list.range.lowerBound
        for place in start...list.range.upperBound
        where place == list.range.upperBound || text[place] == UInt8(ascii: ",") {
            let name = FormatWord(start: UInt16(clamping: start), count: UInt16(clamping: place - start))
            extensions.add(name, of: format, in: text)
            start = place + 1
        }
    }

    private mutating func readTrait(_ word: FormatWord, _ format: inout Format, _ isLoose: inout Bool) {
        let trait = text[word.range]
        if trait.equals("text") {
            format.isText = true
        } else if trait.equals("loose") {
            isLoose = true
        } else if trait.has("in:"), let carrier = carrier(trait.from(3)) {
            if format.carrier == nil { format.carrier = carrier }
            format.carriers.insert(CarrierSet(carrier))
        } else if trait.has("is:"), let carrier = carrier(trait.from(3)) {
            format.isCarrier = carrier
        } else if trait.has("sub:") {
            format.superclassWord = FormatWord(start: word.start + 4, count: word.count - 4)
        } else if trait.has("under:") {
            return
        } else if trait.equals("either") {
            format.isEither = true
        } else if trait.equals("legible") {
            format.isLegible = true
        } else if trait.equals("shared") {
            format.isShared = true
        } else if trait.equals("vague") {
            format.isVague = true
        } else if trait.equals("strict") {
            format.isStrict = true
        } else {
            if trait.index(of: UInt8(ascii: ".")) == nil { complain("a trait is misspelt", 0, 0) }
            format.identifierWord = word
        }
    }

    private mutating func carrier(_ name: Bytes) -> Carrier? {
        let carrier = Carrier(named: name)
        if carrier == nil { complain("no carrier has the name \(name.text)", 0, 0) }
        return carrier
    }

    private mutating func readSignature(_ start: Int, _ end: Int) {
        signatures.begin(format: formats.count - 1)
        var place = start
        while place < end {
            while place < end, text[place] == 0x20 { place += 1 }
            var offset = 0
            while ASCII.isDigit(text[place]), offset < 1 << 24 {
                offset = offset * 10 + Int(text[place] - UInt8(ascii: "0"))
                place += 1
            }
            if text[place] != UInt8(ascii: ":") { complain("a pattern follows its offset and a colon", start, end) }
            place += 1
            readPattern(&place, end, at: offset)
        }
        if signatures.isEmpty || formats.isEmpty { complain("a signature wants a byte of a format", start, end) }
        signatures.finish()
    }

    private mutating func readPattern(_ place: inout Int, _ end: Int, at start: Int) {
        var offset = start
        signatures.interrupt()
        while place < end, text[place] != 0x20 {
            if text[place] == UInt8(ascii: "'") {
                place += 1
                while place < end, text[place] != UInt8(ascii: "'") {
                    signatures.want(text[place], at: offset)
                    offset += 1
                    place += 1
                }
                place += 1
            } else if text[place] == UInt8(ascii: "?") {
                signatures.interrupt()
                offset += 1
                place += 2
            } else {
                guard let high = digit(text[place]), let low = digit(text[place + 1]) else {
                    complain("a pattern is digits in capitals, text in quotes and ??", place, end)
                    place = end
                    return
                }
                signatures.want(high << 4 | low, at: offset)
                offset += 1
                place += 2
            }
        }
    }

    private func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension FormatWord {
    /// The places of its bytes in the text.
    var range: Range<Int> { Int(start)..<(Int(start) + Int(count)) }
}
