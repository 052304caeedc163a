/// One arrival, as `ListArrivals` tells it (section 5 of the contract).
public struct ArrivalReport: Codable, Hashable, Sendable {
    /// Where an arrival stands on its way.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// It is or will be worked on by itself.
        case waiting
        /// It stays until it changes or someone asks for a retry.
        case held
        /// The ignore list matches it.
        case ignored
    }

    /// The path, as text by section 5 of the contract.
    public var path: String
    /// Where it stands.
    public var state: State
    /// Why, in one word of section 1 of the contract: `writing`, `settling`, `symlink` and so on.
    public var reason: String
    /// Why, in words for a person and printable, where there is more to say.
    public var detail: String?
    /// Its size in bytes.
    public var size: Int64
    /// How many of its bytes have been copied to another filesystem, while it is being copied.
    public var copied: Int64?
    /// When it came into this state for this reason: RFC 3339 in UTC.
    public var since: String
    /// When it is looked at again, where that is known: RFC 3339 in UTC.
    public var next: String?

    /// A report of these facts.
    public init(
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
