import InboxConfiguration
import InboxFiling
import InboxLinux
import InboxVarlink

/// Which records a person asks for.
struct HistoryRequest {
    /// The pattern as it was typed; nil for all.
    var pattern: [UInt8]?
    /// Not before this moment.
    var since: Timestamp?
    /// Not after this moment.
    var until: Timestamp?
    /// Only so many, the newest ones.
    var limit: Int?

    /// Only the number of records is limited.
    var isAll: Bool { pattern == nil && since == nil && until == nil }

    /// For the files.
    var query: HistoryQuery {
        var query = HistoryQuery()
        if let pattern = pattern.map(PathPattern.init) {
            query.pattern = HistoryQuery.Pattern(rawPart: pattern.rawPart, matches: pattern.matches)
            query.renaming = MemberName.renamed
        }
        (query.since, query.until, query.limit) = (since, until, limit)
        return query
    }

    /// For the daemon.
    var parameters: [String: JSONValue] {
        var parameters: [String: JSONValue] = [:]
        if let pattern { parameters["pattern"] = .string(EscapedBytes.text(pattern)) }
        if let since { parameters["since"] = .string(since.text) }
        if let until { parameters["until"] = .string(until.text) }
        if let limit { parameters["limit"] = .integer(Int64(limit)) }
        return parameters
    }
}
