import InboxFiling
import InboxLinux

/// Which arrivals belong to another one by their names, and go with it: the logs of a database, the edits of a photo.
struct Companions {
    private var members: [ArrivalID: [ArrivalID: Bool]] = [:]
    private var documents: [ArrivalID: ArrivalID] = [:]
    /// The logs whose databases, and the companions whose documents, were not met yet.
    private var early: Set<ArrivalID> = []
    /// The names of companions that document types add.
    var named = CompanionNames()
    /// The extensions that arrivals have had, as far as document types name companions by the rest of a name.
    private var extensions: Set<[UInt8]> = []
    /// Extensions. Each is tried for each file that may be a companion.
    private static let mostExtensions = 64

    /// No arrival belongs to another.
    var isEmpty: Bool { documents.isEmpty }

    /// An arrival belongs to a document from now on, and so does what has belonged to that arrival.
    /// - Parameter isReady: whether nothing but the document keeps it waiting.
    mutating func join(_ id: ArrivalID, to document: ArrivalID, isReady: Bool) {
        if documents[id] != document { leave(id) }
        var joining = members.removeValue(forKey: id) ?? [:]
        joining[id] = isReady
        for id in joining.keys { documents[id] = document }
        members[document, default: [:]].merge(joining) { $1 }
    }

    /// The document that an arrival belongs to.
    func document(of id: ArrivalID) -> ArrivalID? { documents[id] }

    /// Returns the names of the documents that a file may belong to, the likeliest first.
    func documents(of member: FileName) -> [FileName] {
        let known = MemberName.documents(of: member)
        return named.isEmpty ? known : known + named.documents(of: member, extensions)
    }

    /// Returns whether a file of this name may belong to a document.
    func mayBelong(_ name: FileName) -> Bool {
        !MemberName.documents(of: name).isEmpty || (!named.isEmpty && named.mayBelong(name))
    }

    /// Returns whether a file belongs to a document of this name, which is one of ``documents(of:)``.
    func belongs(_ member: FileName, to document: FileName, in inbox: BytePath, _ folder: [FileName]) -> Bool {
        MemberName.documents(of: member).contains(document) || named.has(member, of: document, in: inbox, folder)
    }

    /// Returns those of the names in one folder that belong to others of them, by these, in the order of the names.
    mutating func members(among names: [FileName], in inbox: BytePath, _ folder: [FileName]) -> [FileName: [FileName]] {
        for name in names { meet(name) }
        let all = Set(names)
        var found: [FileName: FileName] = [:]
        for name in names {
            found[name] = documents(of: name).first {
                all.contains($0) && $0 != name && belongs(name, to: $0, in: inbox, folder)
            }
        }
        var members: [FileName: [FileName]] = [:]
        for name in names {
            guard var document = found[name] else { continue }
            // A member of a member goes with the document of both; a name that belongs to itself in the end has none.
            var rest = names.count
            while let next = found[document], rest > 0 { (document, rest) = (next, rest - 1) }
            if rest > 0 { members[document, default: []].append(name) }
        }
        return members
    }

    /// Returns the likeliest names of the files that belong to a document of this name.
    func names(of document: FileName) -> [FileName] {
        MemberName.members(of: document) + (named.isEmpty ? [] : named.members(of: document))
    }

    /// Remembers the extension of an arrival.
    mutating func meet(_ name: FileName) {
        guard !named.isEmpty, extensions.count < Self.mostExtensions else { return }
        extensions.insert(Array(NumberedName.pathExtension(of: name)))
    }

    /// An arrival was met before its document.
    mutating func await(_ id: ArrivalID) { early.insert(id) }

    /// Returns whether an arrival was met before its document, and forgets that.
    mutating func find(_ id: ArrivalID) -> Bool { early.remove(id) != nil }

    /// An arrival was met before its document.
    var hasEarly: Bool { !early.isEmpty }

    /// Some of those that were met before their documents: all, where there are not very many.
    var someEarly: some Sequence<ArrivalID> { early.prefix(256) }

    /// An arrival belongs to none.
    mutating func leave(_ id: ArrivalID) {
        if early.isEmpty, documents.isEmpty { return }
        early.remove(id)
        guard let document = documents.removeValue(forKey: id) else { return }
        members[document]?[id] = nil
        if members[document]?.isEmpty == true { members[document] = nil }
    }

    /// A document has gone; those that belonged to it belong to none.
    mutating func end(_ document: ArrivalID) {
        for id in members.removeValue(forKey: document)?.keys ?? [:].keys { documents[id] = nil }
    }

    /// Returns whether an arrival belongs to this document.
    func belongs(_ id: ArrivalID, to document: ArrivalID) -> Bool { documents[id] == document }

    /// Those that belong to a document, each with whether it is ready.
    func members(of document: ArrivalID) -> [ArrivalID: Bool] { members[document] ?? [:] }

    /// Returns whether an arrival belongs to another, and nothing else keeps it waiting.
    func isReady(_ id: ArrivalID) -> Bool { documents[id].flatMap { members[$0]?[id] } ?? false }

    /// Describes why an arrival waits for its document, which is still there.
    static func words(_ document: FileName) -> String {
        "it belongs to \(EscapedBytes.printable(document.bytes)), and is filed with it"
    }

    /// Describes why a document waits for the end of those who write to a companion.
    static func words(writing member: FileName) -> String {
        "\(EscapedBytes.printable(member.bytes)) belongs to it, and a process has that open for writing"
    }

    /// Describes why a document waits for a companion.
    static func words(awaiting member: FileName) -> String {
        "\(EscapedBytes.printable(member.bytes)) belongs to it, and is not complete yet"
    }
}
