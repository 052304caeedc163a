import UniformTypeIdentifiers

/// Types for formats that have a MIME type but no identifier: dynamic ones that carry both tags, under a supertype.
enum DynamicType {
    /// A dynamic type with the extension (if there is one) and the MIME type under the supertypes; it is data at least.
    static func make(fileExtension: String?, mime: String, under supertypes: [UTType]) -> UTType {
        let supertypes = essential(supertypes)
        var payload = Array("?0=".utf8)
        for (index, supertype) in supertypes.enumerated() {
            if index > 0 { payload.append(UInt8(ascii: ",")) }
            payload += code(of: supertype.identifier)
        }
        if let fileExtension {
            payload += Array(":1=".utf8) + escaped(fileExtension)
        }
        payload += Array(":3=".utf8) + escaped(lowered(mime))
        return UTType("dyn.a" + base32(payload))
            ?? UTType(tag: mime, tagClass: .mimeType, conformingTo: supertypes.first) ?? .data
    }

    /// Each once, without those that another conforms to; a file is data whatever else it is.
    private static func essential(_ types: [UTType]) -> [UTType] {
        var kept: [UTType] = []
        for type in types + [.data] where !kept.contains(where: { $0.conforms(to: type) }) {
            kept.removeAll { type.conforms(to: $0) }
            kept.append(type)
        }
        return kept
    }

    /// The supertypes of a MIME type of which only the name is known: its family, and what it is written in. `+xml` does
    /// not say so: Visio's drawings are archives, whose parts are XML.
    static func supertypes(ofMIME mime: String) -> [UTType] {
        let mime = lowered(mime)
        let found = (families + syntaxes).compactMap { mime.hasPrefix($0) || mime.hasSuffix($0) ? $1 : nil }
        return found.isEmpty ? [.data] : found
    }

    private static let families: [(String, UTType)] = [
        ("image/", .image), ("audio/", .audio), ("video/", .movie), ("text/", .text), ("font/", .font),
        ("application/x-font-", .font), ("model/", .threeDContent), ("message/", .message),
    ]

    private static let syntaxes: [(String, UTType)] = [("+json", .json), ("+zip", .zip)]

    private static func lowered(_ text: String) -> String {
        String(decoding: text.utf8.map(ASCII.lower), as: UTF8.self)
    }

    private static func code(of identifier: String) -> [UInt8] {
        switch identifier {
        case "public.data": Array("6".utf8)
        case "public.text": Array("7".utf8)
        case "public.plain-text": Array("8".utf8)
        case "public.image": Array("B".utf8)
        case "public.video": Array("C".utf8)
        case "public.audio": Array("D".utf8)
        case "public.content": Array("13".utf8)
        default: escaped(identifier)
        }
    }

    private static func escaped(_ text: String) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 0, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "\\"), UInt8(ascii: ","):
                [UInt8(ascii: "\\"), byte]
            default: [byte]
            }
        }
    }

    /// Five bits a letter, the most significant first, the last group filled with zero bits.
    private static func base32(_ bytes: [UInt8]) -> String {
        let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
        var letters: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                letters.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { letters.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: letters, as: UTF8.self)
    }
}
