import InboxLinux

/// Which records of the history are wanted.
package struct HistoryQuery: Sendable {
    /// The pattern that one of the paths of a record must match.
    package struct Pattern: Sendable {
        /// Bytes that every line has whose document has a matching path, whatever else is in it; nil where that cannot be
        /// said.
        let rawPart: [UInt8]?
        let matches: @Sendable (_ path: [UInt8]) -> Bool

        /// A pattern that a path matches where `matches` says so.
        package init(rawPart: [UInt8]?, matches: @escaping @Sendable (_ path: [UInt8]) -> Bool) {
            self.rawPart = rawPart
            self.matches = matches
        }

        /// Returns whether one of these fields of a record is a path that matches, or that of a file which went with the
        /// document.
        package func matches(_ record: JSONValue, in fields: [String], by renaming: Renaming?) -> Bool {
            var paths = fields.compactMap { record[$0]?.string }
            for member in renaming.map(record.members) ?? [] {
                if fields.contains("source"), let source = member.source { paths.append(source) }
                if fields.contains("destination") { paths.append(member.destination) }
            }
            return paths.contains { EscapedBytes.bytes($0).map(matches) ?? false }
        }
    }

    /// The id that a record must have; nil for all.
    package var id: String? {
        didSet { rawParts += id.map { [Array($0.utf8)] } ?? [] }
    }
    /// The path that the document must have had, before or after; nil for all.
    package var path: [UInt8]? {
        didSet { rawParts += path.flatMap { Self.rawPart(of: EscapedBytes.text($0)) }.map { [$0] } ?? [] }
    }
    /// Returns the name that a member of a document has beside another name of that document, all as text by section 5 of
    /// the contract; nil if it has none.
    package typealias Renaming = @Sendable (_ member: String, _ document: String, _ other: String) -> String?
    /// Finds the files that went with documents by their paths too; nil if only documents are wanted.
    package var renaming: Renaming?
    /// The condition under which a record may be given out; nil for all.
    package var isVisible: (@Sendable (JSONValue) -> Bool)?
    /// The pattern that one of the paths must match; nil for all.
    package var pattern: Pattern? {
        didSet { rawParts += pattern?.rawPart.map { [$0] } ?? [] }
    }
    /// Not before this moment.
    package var since: Timestamp?
    /// Not after this moment.
    package var until: Timestamp?
    /// Only so many, the newest ones.
    package var limit: Int?

    /// Bytes that every wanted line has, so that most others need not be parsed: every one without members, where those are
    /// wanted, of whose paths a line has only the names.
    private var rawParts: [[UInt8]] = []

    /// Bytes of a line with members.
    private static let membersPart = Array(#""members":["#.utf8)

    /// All records.
    package init() {}

    /// Every record is wanted, however many there are.
    package var isAll: Bool {
        id == nil && path == nil && isVisible == nil && pattern == nil && since == nil && until == nil
    }

    /// Shows of many lines that none is wanted; nil where there is nothing that every wanted line has.
    var filter: LineFilter? {
        rawParts.max { $0.count < $1.count }.map {
            LineFilter(part: $0, otherPart: renaming == nil ? nil : Self.membersPart, since: since, until: until)
        }
    }

    /// Bytes that every line with this text as a member has: the text as JSON has it. Nil where it may be written in
    /// different ways.
    static func rawPart(of text: String) -> [UInt8]? {
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return bytes
    }

    /// Returns whether a line of the history is wanted. A line that is no record never is.
    func matches(_ line: ArraySlice<UInt8>) -> Bool {
        for raw in rawParts where !line.contains(raw) {
            guard renaming != nil, line.contains(Self.membersPart) else { return false }
        }
        // Most lines need not be read when all are wanted; where they are counted, one that is damaged does not count.
        if isAll, limit == nil { return line.first == UInt8(ascii: "{") }
        if since != nil || until != nil {
            guard let time = HistoryTimes.time(of: line) else { return false }
            if let since, time < since { return false }
            if let until, time > until { return false }
        }
        guard let record = Self.record(line) else { return false }
        if let id, record["id"]?.string != id { return false }
        if let path {
            let text = PathText(EscapedBytes.text(path))
            var places = ["source", "destination"].compactMap { record[$0]?.string }
            for member in renaming.map(record.members) ?? [] {
                places.append(member.destination)
                if let source = member.source { places.append(source) }
            }
            guard places.contains(where: { PathText($0) == text }) else { return false }
        }
        if let pattern, !pattern.matches(record, in: ["source", "destination", "path"], by: renaming) { return false }
        return isVisible?(record) ?? true
    }

    /// The object of a line; nil for one that is none.
    static func record(_ line: ArraySlice<UInt8>) -> JSONValue? {
        do throws(JSONError) {
            let value = try JSONValue(parsing: line)
            return value.object == nil ? nil : value
        } catch {
            return nil
        }
    }

    /// Returns whether a line is a record from before this moment.
    static func isBefore(_ moment: Timestamp, _ line: ArraySlice<UInt8>) -> Bool {
        HistoryTimes.time(of: line).map { $0 < moment } ?? false
    }
}

extension JSONValue {
    /// Returns the paths of the files that went with a document, the former one nil where nobody may know it, given its
    /// record or the event that reports it as filed.
    package func members(by renaming: HistoryQuery.Renaming) -> [(source: String?, destination: String)] {
        guard case .array(let names)? = self["members"], let destination = self["destination"]?.string else {
            return []
        }
        let source = (self["source"] ?? self["path"])?.string
        let document = destination.afterLast("/")
        return names.compactMap(\.string).map { (name) -> (source: String?, destination: String) in
            let former = source.flatMap { (source) -> String? in
                let last = source.afterLast("/")
                return renaming(name, document, last).map { source.dropLast(last.count) + $0 }
            }
            return (former, destination.dropLast(document.count) + name)
        }
    }

    /// The record tells where a document is and what it was found to be. That of a handler tells only how it ended.
    package var saysWhereDocumentIs: Bool { self["event"]?.string != "handler" }
}

extension String {
    /// Returns the text after the last place of a character.
    fileprivate func afterLast(_ character: Character) -> String {
        lastIndex(of: character).map { String(self[index(after: $0)...]) } ?? self
    }
}
