import InboxFiling
import InboxLinux

/// Which arrivals belong to another one by their names, and go with it: the logs of a database, the edits of a photo.
struct Companions {
    private var members: [ArrivalID: [ArrivalID: Bool]] = [:]
    private var documents: [ArrivalID: ArrivalID] = [:]
    /// The logs whose databases have not come yet.
    private var early: Set<ArrivalID> = []

    /// No arrival belongs to another.
    var isEmpty: Bool { documents.isEmpty }

    /// An arrival belongs to a document from now on.
    /// - Parameter isReady: whether nothing but the document keeps it waiting.
    mutating func join(_ id: ArrivalID, to document: ArrivalID, isReady: Bool) {
        if documents[id] != document { leave(id) }
        documents[id] = document
        members[document, default: [:]][id] = isReady
    }

    /// A log is there before its database.
    mutating func await(_ log: ArrivalID) { early.insert(log) }

    /// Returns whether a log has waited for its database, and lets it wait no longer.
    mutating func find(_ log: ArrivalID) -> Bool { early.remove(log) != nil }

    /// A log waits for its database.
    var hasEarly: Bool { !early.isEmpty }

    /// An arrival belongs to none.
    mutating func leave(_ id: ArrivalID) {
        early.remove(id)
        guard let document = documents.removeValue(forKey: id) else { return }
        members[document]?[id] = nil
        if members[document]?.isEmpty == true { members[document] = nil }
    }

    /// A document has gone; those that belonged to it belong to none.
    mutating func end(_ document: ArrivalID) {
        for id in members.removeValue(forKey: document)?.keys ?? [:].keys { documents[id] = nil }
    }

    /// Those that belong to a document, each with whether it is ready.
    func members(of document: ArrivalID) -> [ArrivalID: Bool] { members[document] ?? [:] }

    /// What an arrival waits for whose document is not gone.
    static func words(_ document: FileName) -> String {
        "it belongs to \(EscapedBytes.printable(document.bytes)), and is filed with it"
    }

    /// What a document waits for.
    static func words(awaiting member: FileName) -> String {
        "\(EscapedBytes.printable(member.bytes)) belongs to it, and is not complete yet"
    }
}
