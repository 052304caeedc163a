/// One arrival, as `ListArrivals` returns it (section 5 of the contract).
package struct ArrivalReport: Codable, Hashable, Sendable {
    /// The state of an arrival.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// It is or will be worked on by itself.
        case waiting
        /// It stays until it changes or someone asks for a retry.
        case held
        /// The ignore list matches it.
        case ignored
    }

    /// The path, as text by section 5 of the contract.
    package var path: String
    /// The arrival's state.
    package var state: State
    /// The reason for the state, in one word of section 1 of the contract: `writing`, `settling`, `symlink` and so
    /// on.
    package var reason: String
    /// The reason in words for a person and printable, if there is more to say.
    package var detail: String?
    /// Its size in bytes.
    package var size: Int64
    /// The number of bytes copied to another filesystem so far, while it is being copied.
    package var copied: Int64?
    /// When it came into this state for this reason: RFC 3339 in UTC.
    package var since: String
    /// When it is inspected again, where that is known: RFC 3339 in UTC.
    package var next: String?

    /// The report as it is sent, without the way through `JSONEncoder`: a list has many thousands of them.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "path": .string(path), "state": .string(state.rawValue), "reason": .string(reason), "size": .integer(size),
            "since": .string(since),
        ]
        if let detail { members["detail"] = .string(detail) }
        if let copied { members["copied"] = .integer(copied) }
        if let next { members["next"] = .string(next) }
        return .object(members)
    }

    /// A report of these facts.
    package init(
        path: String, state: State, reason: String, detail: String? = nil, size: Int64, copied: Int64? = nil,
        since: String, next: String? = nil
    ) {
        self.path = path
        self.state = state
        self.reason = reason
        self.detail = detail
        self.size = size
        self.copied = copied
        self.since = since
        self.next = next
    }
}
