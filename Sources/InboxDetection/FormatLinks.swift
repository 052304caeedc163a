import InboxLinux
import Synchronization
import UniformTypeIdentifiers

/// The links from the built-in formats to the database and the declared types.
///
/// The first questions are answered one by one; for more, a table is made, which takes `inboxctl type` as long as
/// reading the database.
final class FormatLinks: Sendable {
    /// The facts about a format beyond those in the table of formats.
    struct Facts: Sendable {
        /// The number of its MIME type, or of that which the database has for it; nil where it has none.
        let mime: Int32?
        /// Its declared type, where it has one.
        let type: UTType?
        /// The format keeps its own MIME type although the database has another name for it: one that belongs to
        /// another type, as HEIC is no other HEIF.
        let keepsName: Bool
    }

    private let database: MIMEDatabase
    private let table: Once<Table>
    private let questions = Atomic<Int>(0)

    /// So many questions are answered without a table.
    private static let patience = 100

    init(_ database: MIMEDatabase) {
        self.database = database
        table = Once { Table(database) }
    }

    /// Returns whether the table is to answer a question that takes as long as `count` usual ones.
    private func isTableWorthwhile(for count: Int = 1) -> Bool {
        table.isMade || questions.wrappingAdd(count, ordering: .relaxed).oldValue >= Self.patience
    }

    /// Returns the facts about a format.
    func facts(_ format: FormatID) -> Facts {
        if isTableWorthwhile() { return table.value.facts[Int(format.index)] }
        let number = Self.number(of: format, database)
        let type = Self.declaredType(of: format)
        guard let number, let canonical = find(number), canonical != format else {
            return Facts(mime: number, type: type, keepsName: false)
        }
        return Facts(mime: number, type: type, keepsName: type != Self.declaredType(of: canonical))
    }

    /// The format of a MIME type, nil where it is none. Of formats that the database gives one name the one that has this
    /// name itself counts, or else the first.
    func format(of mime: Int32) -> FormatID? {
        guard isTableWorthwhile() else { return find(mime) }
        let index = table.value.formatOfMIME[Int(mime)]
        return index < 0 ? nil : FormatID(index: UInt16(index))
    }

    /// Returns whether the database has no rules for special cases of a format.
    func hasNoSpecialCases(_ format: FormatID) -> Bool {
        if isTableWorthwhile(for: 50) { return table.value.isFinal[Int(format.index)] }
        guard FormatTable.builtIn[format].isCarrier == nil else { return false }
        guard let mime = Self.number(of: format, database) else { return true }
        return find(mime) != format || !hasRules(below: format, mime)
    }

    /// As `hasNoSpecialCases`, without the table, and without parsing the rules.
    private func hasRules(below format: FormatID, _ mime: Int32) -> Bool {
        var seen = [mime]
        var next = 0
        while next < seen.count {
            for child in database.relations.children(of: seen[next]) where !seen.contains(child) {
                seen.append(child)
                let isKnown = Self.isKnown(child, find(child), besides: format, database)
                if !isKnown, database.hasRules(child) { return true }
            }
            next += 1
        }
        return false
    }

    /// Returns whether no rule is needed to tell a MIME type from a format that it is a special case of: a text is none
    /// of what is no text, and signatures tell formats apart that begin alike.
    private static func isKnown(
        _ mime: Int32, _ own: FormatID?, besides format: FormatID, _ database: MIMEDatabase
    ) -> Bool {
        let isText = database.relations.isSubclass(mime, of: database.relations.plainText)
        if isText, !FormatTable.builtIn[format].mayBeText { return true }
        return own.map { FormatTable.builtIn.signatures.has($0, like: format) } ?? false
    }

    /// As `format(of:)`, without the table.
    private func find(_ mime: Int32) -> FormatID? {
        guard database.relations.canonical(mime) == mime else { return nil }
        let names = database.relations.names
        func format(_ number: Int32) -> FormatID? { names.withName(number) { FormatTable.builtIn.format(mime: $0) } }
        return format(mime) ?? database.relations.aliases(of: mime).compactMap(format).min { $0.index < $1.index }
    }

    /// The number of a format's MIME type, or of that which the database has for it; nil where it has none.
    private static func number(of format: FormatID, _ database: MIMEDatabase) -> Int32? {
        // The database was read with the MIME types of all formats.
        database.relations.names.find(FormatTable.builtIn[format].mimeWord.bytes).map {
            database.relations.canonical($0)
        }
    }

    private static func declaredType(of id: FormatID) -> UTType? {
        let format = FormatTable.builtIn[id]
        if let identifier = format.identifier {
            let type = identifier.withSpan { UTType.declared(identifier: $0) }
            if let type { return type }
        }
        return format.mimeWord.bytes.withSpan { UTType.declared(mimeType: $0) }
    }

    /// The answers about all formats.
    private final class Table: Sendable {
        /// By the format's place in the table of formats.
        let facts: [Facts]
        let isFinal: [Bool]
        /// The format of each MIME type, -1 where it is none.
        let formatOfMIME: [Int16]

        init(_ database: MIMEDatabase) {
            let ids = FormatTable.builtIn.formats.indices.map { FormatID(place: $0) }
            var formatOfMIME = [Int16](repeating: -1, count: database.relations.names.count)
            let mimes = ids.map { FormatLinks.number(of: $0, database) }
            for id in ids {
                guard let number = mimes[Int(id.index)] else { continue }
                let isOwn = database.relations.names.withName(number) {
                    $0.isEqual(to: FormatTable.builtIn[id].mimeWord.bytes)
                }
                if formatOfMIME[Int(number)] < 0 || isOwn { formatOfMIME[Int(number)] = Int16(clamping: id.index) }
            }
            let types = ids.map { FormatLinks.declaredType(of: $0) }
            facts = ids.indices.map { index in
                let canonical = mimes[index].map { Int(formatOfMIME[Int($0)]) } ?? index
                return Facts(
                    mime: mimes[index], type: types[index],
                    keepsName: canonical >= 0 && canonical != index && types[canonical] != types[index])
            }
            isFinal = Self.finalFormats(formatOfMIME, database)
            self.formatOfMIME = formatOfMIME
        }

        /// Which formats have no special cases that the database has rules for.
        private static func finalFormats(_ formatOfMIME: [Int16], _ database: MIMEDatabase) -> [Bool] {
            func format(_ mime: Int32) -> FormatID? {
                formatOfMIME[Int(mime)] < 0 ? nil : FormatID(place: Int(formatOfMIME[Int(mime)]))
            }
            var isFinal = FormatTable.builtIn.formats.map { $0.isCarrier == nil }
            for mime in database.magic.relatedMIMEs(database.relations.names) {
                let lineage = database.relations.lineage(of: mime)
                let own = format(lineage[0])
                for above in lineage.dropFirst().compactMap(format) where isFinal[Int(above.index)] {
                    isFinal[Int(above.index)] = FormatLinks.isKnown(lineage[0], own, besides: above, database)
                }
            }
            return isFinal
        }
    }
}
