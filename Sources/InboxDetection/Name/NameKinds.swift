import InboxLinux
import UniformTypeIdentifiers

extension Knowledge {
    /// What a name may mean, the preferred kind first.
    ///
    /// The database's best patterns and the type of the tag speak together: the first gives the MIME type, the second the
    /// type. `mime.types` settles a tie and fills gaps.
    func kinds(of name: FileName) -> [NamedKind] {
        let tag = NameTag(name)?.lowered
        let matches = database.globs.matches(name.bytes)
        let isPlain = matches.mimes.isEmpty || matches.plainExtension.map { $0.elementsEqual(tag ?? []) } ?? false
        if !isPlain {
            // A longer pattern or a whole name says more than the tag.
            let end = matches.plainExtension.map { String(decoding: $0, as: UTF8.self) }
            let isWild = end == nil && !matches.isLiteral
            return ordered(matches.mimes, tag: end?.utf8.map { $0 }).map {
                named(kind(number: $0, fileExtension: end), isWild: isWild)
            }
        }
        if matches.mimes.isEmpty, let format = longExtension(of: name) { return [named(kind(format))] }
        guard let tag else { return [] }
        return kinds(tag: tag, mimes: matches.mimes)
    }

    private func kinds(tag: [UInt8], mimes: [Int32]) -> [NamedKind] {
        let declared = UTType.declared(filenameExtension: tag.span)
        var mimes = ordered(mimes, tag: tag)
        if mimes.isEmpty, let mime = database.list.mime(of: tag) { mimes = [database.relations.canonical(mime)] }
        let text = String(decoding: tag, as: UTF8.self)
        guard let declared else {
            if mimes.isEmpty { return builtInKind(text).map { [$0] } ?? [] }
            return mimes.map { named(kind(number: $0, fileExtension: text)) }
        }
        guard let first = mimes.first else {
            let preferred = declared.preferredMIMEType
            let number = preferred.flatMap { database.relations.known(anyCase: Array($0.utf8)) }
            return [
                named(
                    Kind(
                        type: declared, mime: number, spelling: number == nil ? preferred : nil,
                        format: number.flatMap(format) ?? format(identifier: declared.identifier)))
            ]
        }
        let leading = Kind(type: declared, mime: first, spelling: nil, format: format(first))
        return [named(leading)] + mimes.dropFirst().map { named(kind(number: $0, fileExtension: text)) }
    }

    /// A format of the table whose usual extension this is, for what neither the types nor the lists know.
    private func builtInKind(_ tag: String) -> NamedKind? {
        FormatTable.builtIn.formats.firstIndex { $0.fileExtension == tag }
            .map { named(kind(FormatID(index: UInt16(clamping: $0)))) }
    }

    private func longExtension(of name: FileName) -> FormatID? {
        let bytes = name.bytes
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") && $0 > bytes.startIndex }
        guard dots.count > 1 else { return nil }
        let end = bytes[(dots[dots.count - 2] + 1)...]
        guard end.count <= 32 else { return nil }
        return longExtension(String(decoding: end.map(ASCII.lower), as: UTF8.self))
    }

    /// Equally good MIME types: the one that mime.types names first, the others in the database's order.
    private func ordered(_ mimes: [Int32], tag: [UInt8]?) -> [Int32] {
        var mimes = mimes.map { database.relations.canonical($0) }
        guard mimes.count > 1, let tag, let listed = database.list.mime(of: tag) else { return mimes }
        if let place = mimes.firstIndex(of: database.relations.canonical(listed)) {
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
            || kind.mime.map { hasTextSuffix($0) } ?? false
        return NamedKind(
            kind: kind, isText: isText, isMandatory: isMandatory,
            isContradictable: isMandatory || (format?.isText ?? isText), isVague: isWild || isVague(kind),
            carrier: carrier(kind, format))
    }

    /// Back-up copies and broken downloads are named after what they are not; a PEM file may hold any key.
    private func isVague(_ kind: Kind) -> Bool {
        guard let mime = kind.mime else { return false }
        let name = database.relations.names.name(mime)
        return name.elementsEqual("application/x-trash".utf8)
            || name.elementsEqual("application/x-partial-download".utf8)
            || kind.type == .x509Certificate
    }

    private func hasTextSuffix(_ mime: Int32) -> Bool {
        let name = database.relations.names.name(mime)
        return name.suffix(4).elementsEqual("+xml".utf8) || name.suffix(5).elementsEqual("+json".utf8)
    }

    /// For types that no format stands for: what conforms to a format with a mandatory signature needs it too.
    private func isMandatory(_ type: UTType) -> Bool {
        [UTType.zip, .pdf, .png, .jpeg, .gif, .tiff, .mpeg4Movie, .quickTimeMovie].contains { type.conforms(to: $0) }
    }

    private func carrier(_ kind: Kind, _ format: Format?) -> Carrier? {
        if let carrier = format?.carrier ?? format?.isCarrier { return carrier }
        if kind.type.conforms(to: .xml) { return .xml }
        if kind.type.conforms(to: .json) { return .json }
        if kind.type.conforms(to: .zip) { return .zip }
        if kind.type.conforms(to: .tiff) { return .tiff }
        if kind.type.conforms(to: .pdf) { return .pdf }
        if kind.type.conforms(to: .gzip) { return .gzip }
        guard let mime = kind.mime else { return nil }
        let name = database.relations.names.name(mime)
        if name.suffix(4).elementsEqual("+xml".utf8) { return .xml }
        if name.suffix(5).elementsEqual("+json".utf8) { return .json }
        if name.suffix(4).elementsEqual("+zip".utf8) { return .zip }
        return nil
    }
}
