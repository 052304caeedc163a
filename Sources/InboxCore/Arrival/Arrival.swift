import InboxLinux

/// Why an arrival is not filed yet though it is or will be worked on by itself: section 1 of the contract.
public enum WaitingReason: String, Sendable, CaseIterable {
    /// A process has it open for writing.
    case writing
    /// Its quiet time is not over, or its filing is under way.
    case settling
    /// It is empty and may still be a placeholder.
    case empty
    /// A partial download of it stands beside it.
    case sibling
    /// A passing failure: it is tried again.
    case retrying
    /// It is being copied to another filesystem, or waits for its turn.
    case copying
}

/// Why an arrival stays until it changes or someone asks for a retry.
public enum HoldReason: String, Sendable, CaseIterable {
    /// A symbolic link, where those are held.
    case symlink
    /// A FIFO, socket or device.
    case special
    /// The daemon may not move it, or may not write where it belongs.
    case permission
    /// The destination's filesystem cannot hold its name.
    case name
    /// A folder that lies too deep to be walked.
    case depth
    /// Its destination lies in an Inbox.
    case loops
    /// Its content contradicts its name, where that is not accepted.
    case mismatch
    /// The disk refused to keep its content.
    case syncFailed = "sync-failed"
}

/// Where an arrival stands.
public enum ArrivalState: Hashable, Sendable {
    /// It is or will be worked on by itself.
    case waiting(WaitingReason)
    /// It stays until it changes or someone asks.
    case held(HoldReason)
    /// The ignore list matches it.
    case ignored

    /// `waiting`, `held` or `ignored`.
    public var group: Group {
        switch self {
        case .waiting: .waiting
        case .held: .held
        case .ignored: .ignored
        }
    }

    /// The reason's word; nil for what is ignored.
    public var reason: String? {
        switch self {
        case .waiting(let reason): reason.rawValue
        case .held(let reason): reason.rawValue
        case .ignored: nil
        }
    }

    /// The three groups that the accounting counts.
    public enum Group: String, Sendable, CaseIterable {
        /// Worked on by itself.
        case waiting
        /// Stays.
        case held
        /// Not worked on.
        case ignored
    }
}

/// The number of an arrival in this process's table; never used twice.
public struct ArrivalID: Hashable, Sendable {
    /// Counted from 1.
    public let number: UInt64
}

/// A file, link, special file or unwalked folder that was seen in an Inbox.
public struct Arrival {
    /// Which one.
    public let id: ArrivalID
    /// The folder it stands in.
    public internal(set) var folder: Folder
    /// Its name there.
    public internal(set) var name: FileName
    /// What it was when it was last looked at.
    public internal(set) var status: FileStatus
    /// Where it stands.
    public internal(set) var state: ArrivalState
    /// What is behind the state, in words; nil where the state says it all.
    public internal(set) var detail: String?
    /// When it came into this state.
    public internal(set) var since: Timestamp
    /// When it is looked at again by itself; `never` for what is held or ignored.
    public internal(set) var nextLook = Instant.never
    /// Since when nothing has happened to it.
    var quietSince: Instant
    /// Whether a quiet time is due: not for what was renamed or linked in and has not been touched since.
    var needsQuiet: Bool
    /// When its size was last seen to change.
    var grown: Instant
    /// When a writer was last found at it; nil where none was, or where its last close was seen.
    var sawWriter: Instant?
    /// When its name was first missed: it may have been renamed, and turn up elsewhere.
    var missed: Instant?
    /// How long until the next look at one that waits for somebody else.
    var patience = Settling.firstPatience
    /// How many tries have failed in a row.
    var failures = 0
    /// Whether it was told that its filing fails and is tried again.
    var isFailureTold = false
    /// Whether a read lease was refused for good, so that a longer quiet time stands in.
    var isUnprovable = false
    /// Whether the filing has it in hand: looks leave it alone.
    var isInHand = false
    /// Whether it is a folder that is one document.
    var isPackage = false
    /// Whether a folder that is one document has a file in it.
    var hasFiles = false
    /// Whether a download into it is under way.
    var hasPartial = false
    /// Whether it stands in the row of those that are ready.
    var isQueued = false
    /// How far its copy has come; nil while it is not being copied.
    var copying: CopyProgress?
    /// The last scan that saw it.
    var scan: UInt64 = 0

    init(id: ArrivalID, folder: Folder, name: FileName, status: FileStatus, moment: Moment) {
        self.id = id
        self.folder = folder
        self.name = name
        self.status = status
        state = .waiting(.settling)
        since = moment.wall
        quietSince = Settling.quietSince(changed: status.changed, at: moment)
        needsQuiet = true
        grown = Settling.quietSince(changed: status.identity.modified, at: moment)
    }
}

/// One reading of both clocks: deadlines go by the one that nobody sets, files' times by the other.
public struct Moment: Sendable {
    /// The monotonic clock.
    public let now: Instant
    /// The wall clock.
    public let wall: Timestamp

    /// These two times.
    public init(now: Instant, wall: Timestamp) {
        self.now = now
        self.wall = wall
    }

    /// Reads the clocks.
    public static func current() -> Moment { Moment(now: .now(), wall: .now()) }
}

extension Arrival {
    /// How many of its bytes have been copied to another filesystem; nil while it is not being copied.
    public var copied: UInt64? { copying?.done }

    /// Whether it has no content, so that it may be a placeholder.
    var isEmpty: Bool { isPackage ? !hasFiles : status.size == 0 }

    /// Its whole path.
    public var path: BytePath { folder.path(of: name) }
}

extension Moment {
    /// The wall clock's time at another moment of the monotonic clock, if nobody sets it meanwhile.
    public func wall(at other: Instant) -> Timestamp {
        let nanoseconds = (other - now).wholeNanoseconds
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let sum = Int64(wall.nanoseconds) + rest
        let carry = sum < 0 ? -1 : sum / 1_000_000_000
        return Timestamp(
            seconds: wall.seconds + seconds + carry, nanoseconds: UInt32(sum - carry * 1_000_000_000))
    }
}
