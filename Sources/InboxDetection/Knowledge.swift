import Synchronization
import UniformTypeIdentifiers

/// Everything that a detection consults: the built-in formats, the database and their types. Never changes once made.
final class Knowledge: Sendable {
    let database: MIMEDatabase
    private let formats: FormatLinks
    let plainText: Kind
    /// The kinds of names that have nothing but a tag, by the tag.
    let kindsOfTags = RememberedKinds(most: 512)
    private let guessed = Mutex<[GuessedKind]?>(nil)

    init(_ places: MIMEDatabasePlaces) {
        database = MIMEDatabase(reading: places, adding: .builtIn)
        formats = FormatLinks(database)
        plainText = Kind(
            type: .plainText, mime: database.relations.plainText, spelling: nil,
            format: FormatTable.builtIn.format(mime: "text/plain"))
    }

    /// The kind of a format; `fileExtension` is the name's, for types that are made of it.
    func kind(_ id: FormatID, fileExtension: String? = nil) -> Kind {
        let facts = formats.facts(id)
        let format = FormatTable.builtIn[id]
        let spelling = facts.keepsName ? format.mime : nil
        let dynamic = facts.type == nil ? facts.mime : nil
        let type =
            dynamic.map { dynamicType($0, as: spelling, fileExtension: fileExtension ?? format.fileExtension) }
            ?? facts.type ?? .data
        return Kind(type: type, mime: facts.mime, spelling: spelling, format: id)
    }

    /// The kind of a format by the MIME type that the table gives it.
    func kind(mime: String) -> Kind? { FormatTable.builtIn.format(mime: mime).map { kind($0) } }

    /// The kind of a MIME type that the database or the list knows.
    func kind(number: Int32, fileExtension: String?) -> Kind {
        let number = database.relations.canonical(number)
        let format = format(number)
        if let format, formats.facts(format).type != nil { return kind(format) }
        let type =
            declaredType(number)
            ?? dynamicType(number, fileExtension: fileExtension ?? preferredExtension(number))
        return Kind(type: type, mime: number, spelling: nil, format: format)
    }

    func format(_ mime: Int32) -> FormatID? { formats.format(of: mime) }

    func hasNoSpecialCases(_ format: FormatID) -> Bool { formats.hasNoSpecialCases(format) }

    /// The kinds that a guess at a text leads to; a dynamic type of a format is left out, as its MIME type says the same.
    var guessedKinds: [GuessedKind] {
        guessed.withLock { guessed in
            if let guessed { return guessed }
            let kinds = TextRules.guesses.map { mime in
                if let format = FormatTable.builtIn.format(mime: mime) {
                    let facts = formats.facts(format)
                    return GuessedKind(type: facts.type, mime: facts.mime)
                }
                let kind = kind(unlisted: mime)
                return GuessedKind(type: kind.type, mime: kind.mime)
            }
            guessed = kinds
            return kinds
        }
    }

    /// Returns whether documents of this kind hold macros.
    func hasMacros(_ kind: Kind) -> Bool { kind.format.map { FormatTable.builtIn[$0].hasMacros } ?? false }

    /// The declared type of a MIME type or of one of its aliases.
    func declaredType(_ number: Int32) -> UTType? {
        if let format = format(number), let type = formats.facts(format).type { return type }
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

    /// The dynamic type of a MIME type, under the type of its nearest superclass that has one; of a spelling of it, if
    /// there is one.
    private func dynamicType(_ number: Int32, as spelling: String? = nil, fileExtension: String?) -> UTType {
        let mime = spelling ?? database.relations.text(number)
        let own = format(number).map { FormatTable.builtIn[$0].supertypes.compactMap { UTType($0) } } ?? []
        // The format's own supertypes or its family are first; the superclass in the database adds to them.
        var supertypes = own.isEmpty ? DynamicType.supertypes(ofMIME: mime) : own
        var wave = Array(database.relations.parents(of: number))
        var seen = [number]
        while !wave.isEmpty, seen.count < 64 {
            let found = wave.lazy.compactMap {
                $0 == self.database.relations.octetStream ? nil : self.declaredType($0)
            }.first
            if let found {
                // The database takes a format for text that may be bytes as well.
                let isEither = format(number).map { FormatTable.builtIn[$0].isEither } ?? false
                if !isEither || !found.conforms(to: .text) { supertypes.append(found) }
                break
            }
            let new = wave.filter { !seen.contains($0) }
            seen += new
            wave = new.flatMap { database.relations.parents(of: $0) }
        }
        return DynamicType.make(fileExtension: fileExtension, mime: mime, under: supertypes)
    }

    /// Returns the type of a file of a kind: a dynamic type of a format that may be text or not conforms to text where
    /// the file is text, or to XML where it is that and its MIME type says so, and nothing but text is known of a text
    /// that only its name gives a type.
    func type(of kind: Kind, beginningWith head: Bytes) -> UTType {
        let format = kind.format.map { FormatTable.builtIn[$0] }
        guard kind.type.isDynamic, !kind.type.conforms(to: .text), !head.isEmpty,
            format.map({ $0.isEither || $0.isText }) ?? true, let mime = mime(of: kind),
            TextEncoding.isTextThroughout(head)
        else { return kind.type }
        let isMarkup = mime.utf8.suffix(4).elementsEqual("+xml".utf8) && !TextSniffer(head).lacks([.markup])
        return DynamicType.make(
            fileExtension: kind.type.preferredFilenameExtension, mime: mime,
            under: kind.type.directSupertypes + [isMarkup ? .xml : .text])
    }

    /// Returns whether files of a kind are text.
    func isText(_ kind: Kind) -> Bool {
        kind.format.map { FormatTable.builtIn[$0].isText } ?? false || kind.type.conforms(to: .text)
            || kind.mime.map { isSubclass($0, of: database.relations.plainText) } ?? false
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

/// A result that a guess at a text may have.
struct GuessedKind: Sendable {
    let type: UTType?
    let mime: Int32?
}
