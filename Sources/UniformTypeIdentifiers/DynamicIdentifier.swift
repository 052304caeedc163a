/// A dynamic type identifier: tags that no declared type has, and the supertype they were looked up under, encoded.
///
/// `dyn.a` and the base32 of a payload `["?0=" supertype {"," supertype} ":"] class "=" value {":" class "=" value}`,
/// where common names are one or two hexadecimal digits and a backslash goes before a special character in any other.
struct DynamicIdentifier {
    /// The identifiers of the supertypes: none, one, or several.
    let supertypes: [String]
    /// The tags, in their order.
    let tags: [LooseType.Tag]
    /// The encoded form, in lower case.
    let identifier: String

    /// Encodes tags under supertypes.
    init(supertypes: [String], tags: [LooseType.Tag]) {
        self.supertypes = supertypes
        self.tags = tags
        identifier = DynamicIdentifier.encode(supertypes: supertypes, tags: tags)
    }

    /// Decodes an identifier in any case of letters; nil if it is not exactly what its tags encode to.
    init?(_ identifier: String) {
        let letters = identifier.utf8.map(ASCII.lowercased)
        guard letters.starts(with: "dyn.a".utf8), let payload = Base32.decode(letters.dropFirst(5)),
            String(validating: payload, as: UTF8.self) != nil
        else { return nil }
        var supertypes: [String] = []
        var tags: [LooseType.Tag] = []
        for (index, field) in DynamicIdentifier.split(payload[...], at: UInt8(ascii: ":")).enumerated() {
            let sides = DynamicIdentifier.split(field, at: UInt8(ascii: "="))
            guard sides.count == 2, !sides[0].isEmpty else { return nil }
            if index == 0, sides[0].elementsEqual("?0".utf8) {
                supertypes = DynamicIdentifier.split(sides[1], at: UInt8(ascii: ",")).map(DynamicIdentifier.name)
            } else {
                let tagClass = UTTagClass(rawValue: DynamicIdentifier.name(sides[0]))
                tags.append(LooseType.Tag(tagClass: tagClass, value: DynamicIdentifier.unescape(sides[1])))
            }
        }
        guard !tags.isEmpty else { return nil }
        self.init(supertypes: supertypes, tags: tags)
        // Whatever else would decode to the same is malformed: unused bits, needless escapes, names that have a code.
        guard self.identifier.utf8.elementsEqual(letters) else { return nil }
    }

    private static func encode(supertypes: [String], tags: [LooseType.Tag]) -> String {
        var payload: [UInt8] = []
        for (index, supertype) in supertypes.enumerated() {
            payload += index == 0 ? Array("?0=".utf8) : [UInt8(ascii: ",")]
            payload += code(of: supertype)
        }
        for tag in tags {
            if !payload.isEmpty { payload.append(UInt8(ascii: ":")) }
            payload += code(of: tag.tagClass.rawValue)
            payload.append(UInt8(ascii: "="))
            payload += escape(tag.value)
        }
        return "dyn.a" + Base32.encode(payload)
    }

    /// The names that have a code, by code.
    private static let codes: [(code: String, name: String)] = [
        ("0", "UTTypeConformsTo"), ("1", "public.filename-extension"), ("2", "com.apple.ostype"),
        ("3", "public.mime-type"), ("4", "com.apple.nspboard-type"), ("5", "public.url-scheme"),
        ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"), ("9", "public.utf16-plain-text"),
        ("A", "com.apple.traditional-mac-plain-text"), ("B", "public.image"), ("C", "public.video"),
        ("D", "public.audio"), ("E", "public.directory"), ("F", "public.folder"), ("10", "com.apple.package"),
        ("13", "public.content"),
    ]

    private static func code(of name: String) -> [UInt8] {
        if let known = codes.first(where: { $0.name == name }) { return Array(known.code.utf8) }
        // A name that reads like a code is kept apart from it by a backslash.
        let isAmbiguous = name == "?0" || codes.contains { $0.code == name }
        return (isAmbiguous ? [UInt8(ascii: "\\")] : []) + escape(name)
    }

    private static func name(_ code: ArraySlice<UInt8>) -> String {
        codes.first { code.elementsEqual($0.code.utf8) }?.name ?? unescape(code)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "\\"), UInt8(ascii: ","): true
        default: false
        }
    }

    private static func escape(_ text: String) -> [UInt8] {
        text.utf8.flatMap { isSpecial($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    private static func unescape(_ bytes: ArraySlice<UInt8>) -> String {
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The pieces between separators that no backslash precedes.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var isEscaped = false
        for index in bytes.indices {
            if isEscaped {
                isEscaped = false
            } else if bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if bytes[index] == separator {
                pieces.append(bytes[start..<index])
                start = index + 1
            }
        }
        pieces.append(bytes[start...])
        return pieces
    }
}
