/// The known formats and their fixed signatures, read once from the table's text into flat arrays.
struct FormatTable: ~Copyable, Sendable {
    /// The built-in table.
    static let builtIn = FormatTable(FormatText.all)

    /// In the order of the text.
    private(set) var formats: [Format] = []
    /// What the signatures compare with.
    private(set) var signatures = SignatureTable()
    /// Lines that could not be read; a test holds that there are none.
    private(set) var faults: [String] = []
    private var byMIME: [String: FormatID] = [:]

    init(_ texts: [String]) {
        formats.reserveCapacity(640)
        for text in texts {
            for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
                if line.first == UInt8(ascii: " ") {
                    readSignature(line)
                } else {
                    readFormat(line)
                }
            }
        }
        signatures.finish()
    }

    subscript(id: FormatID) -> Format { formats[Int(id.index)] }

    /// The format of a MIME type, written as in the table.
    func format(mime: String) -> FormatID? { byMIME[mime] }

    private mutating func readFormat(_ line: Substring.UTF8View) {
        let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        guard words.count >= 2, words[0].utf8.contains(UInt8(ascii: "/")) else {
            faults.append(String(Substring(line)))
            return
        }
        var identifier: String?
        var carrier: Carrier?
        var isCarrier: Carrier?
        var superclass: String?
        var isText = false
        var isLoose = false
        for word in words.dropFirst(2) {
            if word == "text" {
                isText = true
            } else if word == "loose" {
                isLoose = true
            } else if word.hasPrefix("in:"), let known = Carrier(rawValue: String(word.dropFirst(3))) {
                carrier = known
            } else if word.hasPrefix("sub:") {
                superclass = String(word.dropFirst(4))
            } else if word.hasPrefix("is:"), let known = Carrier(rawValue: String(word.dropFirst(3))) {
                isCarrier = known
            } else if word.utf8.contains(UInt8(ascii: ".")) {
                identifier = word
            } else {
                faults.append(String(Substring(line)))
            }
        }
        if byMIME[words[0]] == nil { byMIME[words[0]] = FormatID(index: UInt16(clamping: formats.count)) }
        formats.append(
            Format(
                mime: words[0], fileExtension: words[1] == "-" ? nil : words[1], identifier: identifier,
                carrier: carrier, isCarrier: isCarrier, isText: isText, isMandatory: !isText && !isLoose,
                superclass: superclass))
    }

    private mutating func readSignature(_ line: Substring.UTF8View) {
        guard !formats.isEmpty else { return }
        let format = FormatID(index: UInt16(clamping: formats.count - 1))
        if !signatures.add(Array(line), for: format) { faults.append(String(Substring(line))) }
    }
}
