import InboxLinux

/// The documents that were in a folder that is gone, as the history has them: how many, and the newest few.
package struct PastFolder: Codable, Hashable, Sendable {
    /// So many are given.
    private static let mostGiven = 5
    /// More are not counted.
    private static let mostCounted = 10_000

    /// The number of documents.
    package private(set) var count = 0
    /// There may be more than were counted.
    package var isMore: Bool { count >= Self.mostCounted }
    /// The last records of the newest of them, in their order.
    package private(set) var newest: [JSONValue] = []

    private var known: Set<String> = []

    private enum CodingKeys: String, CodingKey {
        case count
        case newest
    }

    /// None yet.
    package init() {}

    /// The records that say where the documents are that were beneath a folder, at the one end of their way or the other.
    /// - Parameter isVisible: whether a record may be given out.
    package static func query(
        _ folder: BytePath, _ isVisible: @escaping @Sendable (JSONValue) -> Bool = { _ in true }
    ) -> HistoryQuery {
        let start = folder.bytes + [UInt8(ascii: "/")]
        var query = HistoryQuery()
        query.pattern = HistoryQuery.Pattern(rawPart: HistoryQuery.rawPart(of: EscapedBytes.text(start))) { path in
            path.starts(with: start)
        }
        query.isVisible = { $0.saysWhereDocumentIs && isVisible($0) }
        query.limit = mostCounted
        return query
    }

    /// Takes the next record; a later one of the same document replaces the earlier one.
    package mutating func add(_ record: JSONValue) {
        guard let id = record["id"]?.string else { return }
        if known.insert(id).inserted { count += 1 } else { newest.removeAll { $0["id"]?.string == id } }
        newest.append(record)
        if newest.count > Self.mostGiven { newest.removeFirst() }
    }
}
