import UniformTypeIdentifiers

/// Everything that a detection asks: the built-in formats, the database and their types. Never changes once made.
final class Knowledge: Sendable {
    let database: MIMEDatabase
    /// The MIME type of each format, by number.
    private let mimeOfFormat: [Int32]
    /// The MIME type of each format as the database spells it.
    private let spelling: [String]
    /// The declared type of each format, where it has one.
    private let typeOfFormat: [UTType?]
    /// The format of each MIME type, -1 where it is none.
    private let formatOfMIME: [Int16]
    /// Formats by extensions with a dot in them, such as `tar.gz`.
    private let longExtensions: [String: FormatID]
    /// Formats by the identifiers that the table gives.
    private let formatOfIdentifier: [String: FormatID]
    /// Whether the database has no rules for special cases of a format.
    private let isFinal: [Bool]
    let plainText: Kind

    init(_ places: MIMEDatabasePlaces) {
        var mimes: [Int32] = []
        var types: [UTType?] = []
        var long: [String: FormatID] = [:]
        var identifiers: [String: FormatID] = [:]
        let formats = FormatTable.builtIn.formats
        let database = MIMEDatabase(reading: places, adding: formats)
        var formatOfMIME = [Int16](repeating: -1, count: database.relations.names.count)
        for (index, format) in formats.enumerated() {
            let number = database.relations.known(format.mime.utf8) ?? 0
            mimes.append(number)
            types.append(Self.declaredType(format))
            if formatOfMIME[Int(number)] < 0 { formatOfMIME[Int(number)] = Int16(clamping: index) }
            if let identifier = format.identifier, identifiers[identifier] == nil {
                identifiers[identifier] = FormatID(index: UInt16(clamping: index))
            }
            if let tag = format.fileExtension, tag.utf8.contains(UInt8(ascii: ".")) {
                long[tag] = FormatID(index: UInt16(clamping: index))
            }
        }
        var isFinal = [Bool](repeating: true, count: formats.count)
        for mime in database.magic.mimes {
            for ancestor in database.relations.ancestors(of: mime) where ancestor != database.relations.canonical(mime)
            {
                let index = formatOfMIME[Int(ancestor)]
                if index >= 0 { isFinal[Int(index)] = false }
            }
        }
        for (index, format) in formats.enumerated() where format.isCarrier != nil { isFinal[index] = false }
        self.isFinal = isFinal
        mimeOfFormat = mimes
        spelling = mimes.map { database.relations.text($0) }
        typeOfFormat = types
        self.formatOfMIME = formatOfMIME
        longExtensions = long
        formatOfIdentifier = identifiers
        plainText = Kind(
            type: .plainText, mime: database.relations.plainText, spelling: nil,
            format: FormatTable.builtIn.format(mime: "text/plain"))
        self.database = database
    }

    private static func declaredType(_ format: Format) -> UTType? {
        if let identifier = format.identifier, let type = UTType.declared(identifier: identifier.utf8.span) {
            return type
        }
        return UTType.declared(mimeType: format.mime.utf8.span)
    }

    /// The kind of a format; `fileExtension` is the name's, for types that are made of it.
    func kind(_ id: FormatID, fileExtension: String? = nil) -> Kind {
        let index = Int(id.index)
        let type =
            typeOfFormat[index]
            ?? dynamicType(mimeOfFormat[index], fileExtension: fileExtension ?? FormatTable.builtIn[id].fileExtension)
        return Kind(type: type, mime: mimeOfFormat[index], spelling: spelling[index], format: id)
    }

    /// The kind of a format by the MIME type that the table gives it.
    func kind(mime: String) -> Kind? { FormatTable.builtIn.format(mime: mime).map { kind($0) } }

    /// The kind of a MIME type that the database or the list knows.
    func kind(number: Int32, fileExtension: String?) -> Kind {
        let number = database.relations.canonical(number)
        if let format = format(number), typeOfFormat[Int(format.index)] != nil { return kind(format) }
        let type =
            declaredType(number)
            ?? dynamicType(number, fileExtension: fileExtension ?? preferredExtension(number))
        return Kind(type: type, mime: number, spelling: nil, format: format(number))
    }

    func format(_ mime: Int32) -> FormatID? {
        let index = formatOfMIME[Int(mime)]
        return index < 0 ? nil : FormatID(index: UInt16(index))
    }

    /// The format of a type that has no MIME type.
    func format(identifier: String) -> FormatID? { formatOfIdentifier[identifier] }

    func hasNoSpecialCases(_ format: FormatID) -> Bool { isFinal[Int(format.index)] }

    func longExtension(_ tag: String) -> FormatID? { longExtensions[tag] }

    /// The declared type of a MIME type or of one of its aliases.
    private func declaredType(_ number: Int32) -> UTType? {
        if let format = format(number), let type = typeOfFormat[Int(format.index)] { return type }
        for name in [number] + database.relations.aliases(of: number) {
            if let type = UTType.declared(mimeType: database.relations.names.name(name).span) { return type }
        }
        return nil
    }

    private func preferredExtension(_ number: Int32) -> String? {
        let bytes = database.globs.fileExtension(of: number) ?? database.list.fileExtension(of: number)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
            ?? format(number).flatMap { FormatTable.builtIn[$0].fileExtension }
    }

    /// The dynamic type of a MIME type, under the type of its nearest superclass that has one.
    private func dynamicType(_ number: Int32, fileExtension: String?) -> UTType {
        var wave = database.relations.parents(of: number)
        var supertype: UTType?
        var seen: Set<Int32> = [number]
        while supertype == nil, !wave.isEmpty, seen.count < 64 {
            supertype =
                wave.lazy.compactMap { $0 == self.database.relations.octetStream ? nil : self.declaredType($0) }.first
            wave = wave.filter { seen.insert($0).inserted }.flatMap { database.relations.parents(of: $0) }
        }
        let mime = database.relations.text(number)
        return DynamicType.make(
            fileExtension: fileExtension, mime: mime, under: supertype ?? DynamicType.supertype(ofMIME: mime))
    }

    func isSubclass(_ child: Int32, of parent: Int32) -> Bool {
        database.relations.isSubclass(child, of: parent)
    }

    /// The MIME type of a kind as it is told.
    func mime(of kind: Kind) -> String? {
        kind.spelling ?? kind.mime.map { database.relations.text($0) } ?? kind.type.preferredMIMEType
    }
}
