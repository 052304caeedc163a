/// One event, as `Subscribe` tells it (section 5 of the contract).
public struct EventReport: Codable, Hashable, Sendable {
    /// What it tells of.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The first one of each subscription: the events after its number follow.
        case following
        /// Events were lost, the last of them that of its number.
        case gap
        /// Something was seen for the first time.
        case arrived
        /// It waits for this reason from now on.
        case waiting
        /// It is held for this reason from now on.
        case held
        /// The ignore list matches it from now on.
        case ignored
        /// It was renamed inside the Inboxes.
        case renamed
        /// Its owner took it back.
        case withdrawn
        /// It is being copied to another filesystem.
        case copying
        /// It has reached its destination and is recorded.
        case filed
        /// Something is wrong with the daemon's surroundings.
        case problem
        /// It no longer is.
        case problemOver
    }

    /// Which start of the daemon the number belongs to.
    public var boot: String
    /// Counted from 1 for each start of the daemon.
    public var number: Int64
    /// When it happened: RFC 3339 in UTC.
    public var time: String
    /// What it tells of.
    public var kind: Kind
    /// The arrival's own number, the same in all its events.
    public var arrival: Int64?
    /// The arrival's path, as text by section 5 of the contract.
    public var path: String?
    /// The path before, of what was renamed.
    public var from: String?
    /// Why it waits or is held, in one word of section 1 of the contract.
    public var reason: String?
    /// More in words for a person, printable.
    public var detail: String?
    /// Its size in bytes.
    public var size: Int64?
    /// How many of its bytes have been copied.
    public var copied: Int64?
    /// The `id` of the history's record.
    public var id: String?
    /// Where it was filed, as text by section 5 of the contract.
    public var destination: String?
    /// Its type's identifier.
    public var type: String?
    /// Its type's MIME type.
    public var mime: String?
    /// What the type was concluded from.
    public var evidence: String?
    /// Whether a number was added to its name.
    public var renamed: Bool?
    /// How many events were lost, where that is known.
    public var lost: Int64?

    /// An event of which nothing more is told.
    public init(boot: String, number: Int64, time: String, kind: Kind) {
        self.boot = boot
        self.number = number
        self.time = time
        self.kind = kind
    }
}
