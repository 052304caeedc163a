import InboxLinux

/// Something that happened to an arrival, or a problem that began or ended: what followers are told.
public struct Event: Sendable {
    /// What happened, and what belongs to it.
    public enum Kind: Sendable {
        /// It was seen for the first time, and waits until another event tells otherwise.
        case arrived(size: UInt64)
        /// It waits for this reason from now on.
        case waiting(WaitingReason, detail: String?)
        /// It is held for this reason from now on.
        case held(HoldReason, detail: String?)
        /// The ignore list matches it from now on.
        case ignored
        /// It was renamed inside the Inboxes.
        case renamed(from: BytePath)
        /// Its owner took it back.
        case withdrawn
        /// So many of its bytes have been copied to another filesystem.
        case copying(done: UInt64, size: UInt64)
        /// It was filed and recorded. Kept apart, since a record is much larger than everything else here.
        indirect case filed(FiledRecord)
        /// Something is wrong with the daemon's surroundings, in words.
        case problem(String)
        /// It no longer is.
        case problemOver(String)
    }

    /// Counted from 1 for each start of the daemon.
    public let number: Int
    /// When it happened.
    public let time: Timestamp
    /// Which arrival it is about; nil for a problem.
    public let arrival: ArrivalID?
    /// Where that stood then; nil for a problem.
    public let path: BytePath?
    /// What happened.
    public let kind: Kind

    /// How many bytes of text it keeps.
    var weight: Int { (path?.bytes.count ?? 0) + kind.weight }
}

extension Event.Kind {
    fileprivate var weight: Int {
        switch self {
        case .arrived, .ignored, .withdrawn, .copying: 0
        case .waiting(_, let detail), .held(_, let detail): detail?.utf8.count ?? 0
        case .renamed(let from): from.bytes.count
        case .filed(let record): record.destination.bytes.count
        case .problem(let text), .problemOver(let text): text.utf8.count
        }
    }
}
