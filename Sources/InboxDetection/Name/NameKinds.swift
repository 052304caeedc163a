import InboxLinux
import UniformTypeIdentifiers

extension Knowledge {
    /// Returns the kinds that a name may mean, the preferred one first.
    ///
    /// The best patterns of the database and the declared type of the tag are combined: the first give the MIME type,
    /// the second the type. `mime.types` settles a tie and fills gaps.
    func kinds(of name: FileName) -> [NamedKind] {
        let title = DocumentTitle(name.bytes)
        if title == .inLanguage { return [] }
        let kinds = kindsOfWholeName(name)
        guard title == .inCapitals else { return kinds }
        // `POSIX.STD` is no drawing because of its last letters.
        return kinds.map { named in
            var named = named
            named.isShared = true
            return named
        }
    }

    private func kindsOfWholeName(_ name: FileName) -> [NamedKind] {
        // The Mac's other half of a file is called as the file, after these two bytes.
        guard name.bytes.starts(with: "._".utf8), let half = kind(mime: "multipart/appledouble") else {
            return kindsByPattern(of: name)
        }
        var claim = named(half)
        claim.isClaim = true
        return kindsByPattern(of: name) + [claim]
    }

    private func kindsByPattern(of name: FileName) -> [NamedKind] {
        let tag = NameTag(name)
        let matches = database.globs.matches(name.bytes)
        let isPlain = matches.mimes.isEmpty || matches.plainExtension.map { tag?.isSpelled($0) ?? $0.isEmpty } ?? false
        if !isPlain {
            // A longer pattern or a whole name is more specific than the tag.
            let end = matches.plainExtension.map { String(decoding: $0, as: UTF8.self) }
            let isWild = end == nil && !matches.isLiteral
            return ordered(matches.mimes, tag: end?.utf8.map { $0 }).map {
                named(kind(number: $0, fileExtension: end), isWild: isWild)
            }
        }
        if matches.mimes.isEmpty, let format = longExtension(of: name) { return [named(kind(format))] }
        guard let tag else { return [] }
        // All that is left follows from the tag as the name spells it.
        return kindsOfTags.kinds(of: tag.bytes) {
            let lowered = tag.lowered
            return withClaims(kinds(tag: lowered, mimes: matches.mimes), tag: lowered)
        }
    }

    /// Adds the formats of the table that are kept under this extension too: the content chooses among them.
    private func withClaims(_ kinds: [NamedKind], tag: [UInt8]) -> [NamedKind] {
        let text = String(decoding: tag, as: UTF8.self)
        var kinds = kinds
        let carriers = CarrierNames.carriers(ofExtension: tag)
        for index in kinds.indices { kinds[index].carriers.formUnion(carriers) }
        for claim in FormatTable.builtIn.claims(ofExtension: tag)
        where !kinds.contains(where: { $0.kind.format == claim }) {
            let kind = kind(claim, fileExtension: text)
            if !kinds.contains(where: { $0.kind.type == kind.type && $0.kind.mime == kind.mime }) {
                var claim = named(kind)
                claim.isClaim = !kinds.isEmpty
                kinds.append(claim)
            }
        }
        // What both kinds of cards and all kinds of keys have.
        if text == "pem" || text == "vcf" {
            for index in kinds.indices { kinds[index].required = text == "pem" ? .armour : .card }
        }
        if Self.isShared(text) {
            for index in kinds.indices { kinds[index].isShared = true }
        }
        return kinds
    }

    /// Returns true for extensions of sounds, archives, settings and texts under which texts of other programs are as
    /// usual: `config.sub`, a table of menus as `menubar.xlb`.
    ///
    /// No set of them: the first set of texts costs a start more than reading the names of the database.
    private static func isShared(_ tag: String) -> Bool {
        switch tag {
        case "gen", "it", "dd", "enc", "xa", "dist", "lnk", "bc", "st", "bzip2", "fd", "device", "sub", "tr", "asp",
            "sgml", "xhtml", "xlb", "xlc", "qml":
            true
        default: false
        }
    }

    private func kinds(tag: [UInt8], mimes: [Int32]) -> [NamedKind] {
        let declared = UTType.declared(filenameExtension: tag.span)
        var mimes = ordered(mimes, tag: tag)
        let text = String(decoding: tag, as: UTF8.self)
        if mimes.isEmpty, let listed = database.list.mime(of: tag) {
            // A format of this extension is better known than what a list has for it.
            if declared == nil, !FormatTable.builtIn.claims(ofExtension: tag).isEmpty { return [] }
            if let known = database.relations.known(listed) {
                // That it is bytes says nothing.
                mimes = known == database.relations.octetStream ? [] : [known]
            } else {
                let spelling = String(decoding: listed, as: UTF8.self)
                let listed = kind(unlisted: spelling, fileExtension: text)
                if declared == nil { return [named(listed)] }
            }
        }
        guard let declared else {
            return mimes.map { named(kind(number: $0, fileExtension: text)) }
        }
        var leading = kind(declared, tag: tag)
        if let place = mimes.firstIndex(where: { isOwn($0, of: leading) }) {
            let own = mimes.remove(at: place)
            leading = Kind(type: declared, mime: own, spelling: nil, format: format(own))
        }
        return [named(leading)] + mimes.map { named(kind(number: $0, fileExtension: text)) }
    }

    /// The kind of a declared type that an extension leads to: its format of this extension, or else its own MIME type,
    /// which it keeps where the database's name for that belongs to another type.
    private func kind(_ declared: UTType, tag: [UInt8]) -> Kind {
        let claims = FormatTable.builtIn.claims(ofExtension: tag).lazy.map { self.kind($0) }
        if let claim = claims.first(where: { $0.type == declared }) { return claim }
        let preferred = declared.preferredMIMEType
        let number = preferred.flatMap { database.relations.known(anyCase: Array($0.utf8)) }
        let isKept = number.map { !has(declared, $0) } ?? true
        let format = FormatTable.builtIn.format(identifier: declared.identifier)
        return Kind(
            type: declared, mime: number, spelling: isKept ? preferred : nil,
            format: isKept ? format : number.flatMap(self.format) ?? format)
    }

    /// Returns whether a MIME type that the database has for an extension means files of its declared type: one that
    /// no other type has, or a more general one has, and that is a special case of the type's own, if it has one. A
    /// movie is no source text.
    private func isOwn(_ mime: Int32, of kind: Kind) -> Bool {
        if has(kind.type, mime) { return true }
        let owner = declaredType(mime)
        if kind.mime != nil || kind.spelling != nil {
            return owner == nil && kind.mime.map { isSubclass(mime, of: $0) } ?? false
        }
        if let owner { return kind.type.conforms(to: owner) }
        return kind.type.conforms(to: .text) || !isSubclass(mime, of: database.relations.plainText)
    }

    /// Returns whether a MIME type is one of a declared type.
    func has(_ declared: UTType, _ mime: Int32) -> Bool {
        declaredType(mime) == declared
            || declared.tags[.mimeType]?.contains(database.relations.text(mime)) ?? false
    }

    private func longExtension(of name: FileName) -> FormatID? {
        let bytes = name.bytes
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") && $0 > bytes.startIndex }
        guard dots.count > 1 else { return nil }
        let end = bytes[(dots[dots.count - 2] + 1)...]
        guard end.count <= 32 else { return nil }
        let tag = String(decoding: end.map(ASCII.lower), as: UTF8.self)
        return FormatTable.builtIn.claims(ofExtension: Array(tag.utf8)).last {
            FormatTable.builtIn[$0].fileExtension == tag
        }
    }

    /// Equally good MIME types: first the one that mime.types names, else that of the table's format whose usual
    /// extension this is; the others in the database's order.
    private func ordered(_ mimes: [Int32], tag: [UInt8]?) -> [Int32] {
        var mimes = mimes.map { database.relations.canonical($0) }
        guard mimes.count > 1, let tag else { return mimes }
        let preferred =
            database.list.mime(of: tag).flatMap { database.relations.known($0) }
            ?? FormatTable.builtIn.claims(ofExtension: tag).first {
                FormatTable.builtIn[$0].fileExtension?.utf8.elementsEqual(tag) ?? false
            }.flatMap { self.kind($0).mime }
        if let preferred, let place = mimes.firstIndex(of: preferred) {
            mimes.insert(mimes.remove(at: place), at: 0)
        }
        return mimes
    }

    /// A kind with what the decision must know of it; `isWild` where a pattern without an extension led to it.
    func named(_ kind: Kind, isWild: Bool = false) -> NamedKind {
        let format = kind.format.map { FormatTable.builtIn[$0] }
        let isMandatory = format?.isMandatory ?? isMandatory(kind.type)
        let isText =
            format?.isText ?? false || kind.type.conforms(to: .text)
            || kind.mime.map { database.relations.isSubclass($0, of: database.relations.plainText) } ?? false
            || format == nil && kind.mime.map { hasTextSuffix($0) } ?? false
        let carriers = carriers(kind, format)
        let isBinary = !isText && (format.map { !$0.isEither } ?? isBinary(kind.type))
        let isOwn = kind.type.isOwn && !isMandatory && !isBinary
        return NamedKind(
            kind: kind, isText: isText, isMandatory: isMandatory,
            isContradictable: isMandatory || (format.map { $0.isText && !$0.isEither } ?? isText),
            isVague: isWild || isVague(kind, format),
            isBinary: isBinary,
            isShared: format?.isShared ?? (kind.type.conforms(to: .executable) && !isText),
            isStrict: format?.isStrict ?? false,
            isUnstudied: format == nil && !isText && (kind.type.isDynamic || isOwn),
            required: isText ? required(kind.type, carriers) : nil, carriers: carriers)
    }

    private func required(_ type: UTType, _ carriers: CarrierSet) -> RequiredMark? {
        if type.conforms(to: .calendarEvent) { return .calendar }
        if type.conforms(to: .contact) { return .card }
        if type.conforms(to: .propertyList) { return .propertyList }
        if carriers.contains(.xml) { return .markup }
        return carriers.contains(.json) ? .object : nil
    }

    /// Back-up copies and broken downloads are named after what they are not; a PEM file may hold any key.
    private func isVague(_ kind: Kind, _ format: Format?) -> Bool {
        if format?.isVague ?? false { return true }
        guard let mime = kind.mime else { return false }
        return database.relations.names.name(mime).elementsEqual("application/x-trash".utf8)
            || kind.type == .x509Certificate
    }

    /// For types without a format in the table: pictures, sound and archives are not text.
    private func isBinary(_ type: UTType) -> Bool {
        [UTType.image, .audiovisualContent, .archive, .threeDContent, .executable].contains { type.conforms(to: $0) }
    }

    private func hasTextSuffix(_ mime: Int32) -> Bool {
        let name = database.relations.names.name(mime)
        return name.suffix(4).elementsEqual("+xml".utf8) || name.suffix(5).elementsEqual("+json".utf8)
    }

    /// For types without a format in the table: what conforms to a format with a mandatory signature needs it too.
    private func isMandatory(_ type: UTType) -> Bool {
        [UTType.zip, .pdf, .png, .jpeg, .gif, .tiff, .mpeg4Movie, .quickTimeMovie].contains { type.conforms(to: $0) }
    }

    private func carriers(_ kind: Kind, _ format: Format?) -> CarrierSet {
        var set = format?.carriers ?? []
        if let carrier = format?.isCarrier { set.insert(CarrierSet(carrier)) }
        let type = kind.type
        if type.conforms(to: .propertyList) { set.insert(CarrierSet(.plist)) }
        guard set.isEmpty else { return set }
        if type.conforms(to: .xml) { return CarrierSet(.xml) }
        if type.conforms(to: .json) { return CarrierSet(.json) }
        if type.conforms(to: .zip) { return CarrierSet(.zip) }
        if type.conforms(to: .tiff) { return CarrierSet(.tiff) }
        if type.conforms(to: .pdf) { return CarrierSet(.pdf) }
        if type.conforms(to: .gzip) { return CarrierSet(.gzip) }
        guard let mime = kind.mime else { return [] }
        let name = database.relations.names.name(mime)
        if name.suffix(4).elementsEqual("+xml".utf8) { return CarrierSet(.xml) }
        if name.suffix(5).elementsEqual("+json".utf8) { return CarrierSet(.json) }
        if name.suffix(4).elementsEqual("+zip".utf8) { return CarrierSet(.zip) }
        return []
    }
}
