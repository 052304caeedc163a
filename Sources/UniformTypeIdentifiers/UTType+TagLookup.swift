/// The tag classes that have tables of their own.
enum KnownTagClass {
    case filenameExtension
    case mimeType

    init?(_ tagClass: UTTagClass) {
        switch tagClass {
        case .filenameExtension: self = .filenameExtension
        case .mimeType: self = .mimeType
        default: return nil
        }
    }
}

extension UTType {
    /// The declared type of a file-name extension under a supertype, or nil where there is none.
    ///
    /// For the path of a document: takes the bytes of a name as they are (capital and small letters, also bytes that
    /// are not UTF-8, which find nothing) and allocates nothing for ASCII.
    public static func declared(
        filenameExtension bytes: Span<UInt8>, conformingTo supertype: UTType = .data
    ) -> UTType? {
        let catalogue = Catalogue.current
        guard let supertypeRow = supertype.row(in: catalogue) else { return nil }
        return bytes.withUnsafeBufferPointer { catalogue.row(filenameExtension: $0, under: supertypeRow) }
            .map { UTType(catalogue: catalogue, row: $0) }
    }

    /// The declared type of a MIME type under a supertype, or nil where there is none.
    ///
    /// Like ``declared(filenameExtension:conformingTo:)``. The MIME type is taken as it is: without parameters and
    /// blanks.
    public static func declared(mimeType bytes: Span<UInt8>, conformingTo supertype: UTType = .data) -> UTType? {
        let catalogue = Catalogue.current
        guard let supertypeRow = supertype.row(in: catalogue) else { return nil }
        return bytes.withUnsafeBufferPointer { catalogue.row(mimeType: $0, under: supertypeRow) }
            .map { UTType(catalogue: catalogue, row: $0) }
    }

    /// The declared type with an identifier, given as bytes in any case of letters, or nil where there is none.
    public static func declared(identifier bytes: Span<UInt8>) -> UTType? {
        let catalogue = Catalogue.current
        return bytes.withUnsafeBufferPointer { catalogue.row(identifier: $0) }
            .map { UTType(catalogue: catalogue, row: $0) }
    }

    /// Returns the form in which a tag is looked up: MIME types lose parameters and blanks, and both known classes
    /// lose their case.
    static func normalized(_ tag: String, of tagClass: KnownTagClass?) -> String {
        switch tagClass {
        case .filenameExtension: return lowercased(tag)
        case .mimeType:
            let essence = tag.utf8.prefix { $0 != UInt8(ascii: ";") }
            guard essence.count < tag.utf8.count || essence.contains(where: isBlank) else { return lowercased(tag) }
            return lowercased(String(decoding: essence.filter { !isBlank($0) }, as: UTF8.self))
        case nil: return tag
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }

    private static func lowercased(_ tag: String) -> String {
        // Nearly every tag is in lower case already, and then costs no allocation.
        tag.utf8.allSatisfy { $0 < 0x80 && ASCII.lowercased($0) == $0 } ? tag : tag.lowercased()
    }

    /// The row of the preferred declared type of a tag of a known class, in any case of letters.
    @inline(__always)
    static func declaredRow(
        tag: String, tagClass: KnownTagClass, under supertype: UTType?, in catalogue: Catalogue
    ) -> Int? {
        var supertypeRow: Int?
        if let supertype {
            // Nothing that is declared conforms to what is not.
            guard let row = supertype.row(in: catalogue) else { return nil }
            supertypeRow = row
        }
        return tag.withBytes {
            switch tagClass {
            case .filenameExtension: catalogue.row(filenameExtension: $0, under: supertypeRow)
            case .mimeType: catalogue.row(mimeType: $0, under: supertypeRow)
            }
        }
    }

    /// The rows of all declared types of a normalised tag, in order of precedence.
    static func declaredRows(
        tag: String, tagClass: UTTagClass, under supertype: UTType?, in catalogue: Catalogue
    ) -> [Int] {
        var supertypeRow: Int?
        if let supertype {
            guard let row = supertype.row(in: catalogue) else { return [] }
            supertypeRow = row
        }
        switch KnownTagClass(tagClass) {
        case .filenameExtension: return catalogue.all(tag, in: catalogue.names.extensions, under: supertypeRow)
        case .mimeType: return catalogue.all(tag, in: catalogue.names.mimeTypes, under: supertypeRow)
        case nil:
            let key = Catalogue.key(tag: tag, of: tagClass)
            return catalogue.all(key: key, in: catalogue.names.otherTags, under: supertypeRow)
        }
    }
}

extension Catalogue {
    /// Returns the key of a tag of any other class.
    static func key(tag: String, of tagClass: UTTagClass) -> [UInt8] {
        ASCII.key(of: tagClass.rawValue) + [0] + ASCII.key(of: tag)
    }
}

extension String {
    /// Hands out the UTF-8 bytes, where they lie if they lie together.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}
