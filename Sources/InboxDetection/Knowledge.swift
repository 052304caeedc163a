import UniformTypeIdentifiers

/// Everything that a detection consults: the built-in formats, the database and their types. Never changes once made.
final class Knowledge: Sendable {
    let database: MIMEDatabase
    /// The MIME type of each format, by number.
    private let mimeOfFormat: [Int32]
    /// Whether a format keeps its own MIME type where the database has another name for it.
    private let keepsName: [Bool]
    /// The declared type of each format, where it has one.
    private let typeOfFormat: [UTType?]
    /// The format of each MIME type, -1 where it is none.
    private let formatOfMIME: [Int16]
    /// Whether the database has no rules for special cases of a format.
    private let isFinal: [Bool]
    let plainText: Kind
    /// What names mean that have nothing but a tag, by the tag.
    let kindsOfTags = RememberedKinds(most: 512)

    init(_ places: MIMEDatabasePlaces) {
        let count = FormatTable.builtIn.formats.count
        var mimes: [Int32] = []
        var types: [UTType?] = []
        mimes.reserveCapacity(count)
        types.reserveCapacity(count)
        let database = MIMEDatabase(reading: places, adding: FormatTable.builtIn.formats)
        var formatOfMIME = [Int16](repeating: -1, count: database.relations.names.count)
        for index in 0..<count {
            let format = FormatTable.builtIn.formats[index]
            let own = database.numberOfFormat[index]
            let number = database.relations.canonical(own)
            mimes.append(number)
            types.append(Self.declaredType(format))
            // Of formats that the database gives one name the one that has this name itself counts.
            if formatOfMIME[Int(number)] < 0 || own == number { formatOfMIME[Int(number)] = Int16(clamping: index) }
        }
        isFinal = Self.findFinal(mimes, formatOfMIME, database)
        // A name of its own stays where the database's canonical one belongs to another type: HEIC is no other HEIF.
        keepsName = mimes.indices.map { index in
            let canonical = Int(formatOfMIME[Int(mimes[index])])
            return canonical >= 0 && canonical != index && types[index] != nil && types[canonical] != types[index]
        }
        mimeOfFormat = mimes
        typeOfFormat = types
        self.formatOfMIME = formatOfMIME
        plainText = Kind(
            type: .plainText, mime: database.relations.plainText, spelling: nil,
            format: FormatTable.builtIn.format(mime: "text/plain"))
        self.database = database
    }

    private static func findFinal(
        _ mimes: [Int32], _ formatOfMIME: [Int16], _ database: borrowing MIMEDatabase
    ) -> [Bool] {
        var isFinal = FormatTable.builtIn.formats.map { $0.isCarrier == nil }
        var isAncestor = [Bool](repeating: false, count: database.relations.names.count)
        var wave = database.magic.mimes.flatMap { database.relations.parents(of: database.relations.canonical($0)) }
        while let mime = wave.popLast() {
            guard !isAncestor[Int(mime)] else { continue }
            isAncestor[Int(mime)] = true
            if formatOfMIME[Int(mime)] >= 0 { isFinal[Int(formatOfMIME[Int(mime)])] = false }
            wave += database.relations.parents(of: mime)
        }
        return isFinal
    }

    private static func declaredType(_ format: Format) -> UTType? {
        if let identifier = format.identifier {
            let type = identifier.withSpan { UTType.declared(identifier: $0) }
            if let type { return type }
        }
        return format.mimeWord.bytes.withSpan { UTType.declared(mimeType: $0) }
    }

    /// The kind of a format; `fileExtension` is the name's, for types that are made of it.
    func kind(_ id: FormatID, fileExtension: String? = nil) -> Kind {
        let index = Int(id.index)
        let type =
            typeOfFormat[index]
            ?? dynamicType(mimeOfFormat[index], fileExtension: fileExtension ?? FormatTable.builtIn[id].fileExtension)
        return Kind(
            type: type, mime: mimeOfFormat[index], spelling: keepsName[index] ? FormatTable.builtIn[id].mime : nil,
            format: id)
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

    func hasNoSpecialCases(_ format: FormatID) -> Bool { isFinal[Int(format.index)] }

    /// Whether a document of this kind holds macros.
    func hasMacros(_ kind: Kind) -> Bool { kind.format.map { FormatTable.builtIn[$0].hasMacros } ?? false }

    /// The declared type of a MIME type or of one of its aliases.
    private func declaredType(_ number: Int32) -> UTType? {
        if let format = format(number), let type = typeOfFormat[Int(format.index)] { return type }
        for name in [number] + database.relations.aliases(of: number) {
            let type = database.relations.names.withName(name) { $0.withSpan { UTType.declared(mimeType: $0) } }
            if let type { return type }
        }
        return nil
    }

    private func preferredExtension(_ number: Int32) -> String? {
        let bytes =
            database.globs.fileExtension(of: number).map { Array($0) }
            ?? database.list.fileExtension(of: database.relations.names.name(number))
        return bytes.map { String(decoding: $0, as: UTF8.self) }
            ?? format(number).flatMap { FormatTable.builtIn[$0].fileExtension }
    }

    /// The dynamic type of a MIME type, under the type of its nearest superclass that has one.
    private func dynamicType(_ number: Int32, fileExtension: String?) -> UTType {
        let mime = database.relations.text(number)
        let own = format(number).map { FormatTable.builtIn[$0].supertypes.compactMap { UTType($0) } } ?? []
        // The format's own supertypes or its family are first; the superclass in the database adds to them.
        var supertypes = own.isEmpty ? [DynamicType.supertype(ofMIME: mime)] : own
        var wave = Array(database.relations.parents(of: number))
        var seen = [number]
        while !wave.isEmpty, seen.count < 64 {
            let found = wave.lazy.compactMap {
                $0 == self.database.relations.octetStream ? nil : self.declaredType($0)
            }.first
            if let found {
                supertypes.append(found)
                break
            }
            let new = wave.filter { !seen.contains($0) }
            seen += new
            wave = new.flatMap { database.relations.parents(of: $0) }
        }
        return DynamicType.make(fileExtension: fileExtension, mime: mime, under: supertypes)
    }

    func isSubclass(_ child: Int32, of parent: Int32) -> Bool {
        database.relations.isSubclass(child, of: parent)
    }

    /// The MIME type of a kind as it is reported.
    func mime(of kind: Kind) -> String? {
        kind.spelling ?? kind.mime.map { database.relations.text($0) } ?? kind.type.preferredMIMEType
    }

    /// The MIME type that is reported for a declared type found by a MIME type: the canonical name of what was asked
    /// for, unless that belongs to another type.
    func mime(ofDeclared type: UTType, asked name: [UInt8]) -> String? {
        if let number = database.relations.known(anyCase: name), kind(number: number, fileExtension: nil).type == type {
            return database.relations.text(number)
        }
        return type.preferredMIMEType
    }
}
