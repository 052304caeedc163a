import InboxConfiguration
import InboxFiling
import InboxLinux

/// Something that happened to an arrival, or a problem that began or ended: what followers receive.
package struct Event: Sendable {
    /// The kind of an event, with the values that belong to it.
    package enum Kind: Sendable {
        /// It was seen for the first time, belongs to this user, and waits until another event says otherwise. The file is nil
        /// where nobody knows any more which one it was.
        case arrived(FileKey?, size: UInt64, owner: UInt32)
        /// It waits for this reason from now on.
        case waiting(WaitingReason, detail: String?)
        /// It is held for this reason from now on.
        case held(HoldReason, detail: String?)
        /// The ignore list matches it from now on, for this reason.
        case ignored(Ignoring.Reason?)
        /// It was renamed inside the Inboxes.
        case renamed(from: BytePath)
        /// Its owner took it back.
        case withdrawn
        /// So many of its bytes have been copied to another filesystem.
        case copying(done: UInt64, size: UInt64)
        /// It was filed and recorded.
        case filed(FiledRecord)
        /// It was discarded because an identical document is at its destination.
        indirect case duplicate(DuplicateRecord)
        /// A try of its handler has ended.
        indirect case handler(HandlerNews)
        /// Something is wrong with the daemon's surroundings, in words.
        indirect case problem(Problem)
        /// A problem is over; the words are those that were reported last.
        indirect case problemOver(Problem)
        /// Someone paused filing.
        case paused
        /// Someone resumed it.
        case resumed
        /// Others changed the top level of Documents.
        case content(ContentChange)
    }

    /// Counted from 1 for each start of the daemon.
    package let number: Int
    /// When it happened.
    package let time: Timestamp
    /// Which arrival it is about; nil for a problem.
    package let arrival: ArrivalID?
    /// Where the arrival was at that time; for a change in Documents, what changed; for a handler, its document; nil for a
    /// problem.
    let place: Place?
    /// The kind of the event.
    package let kind: Kind

    /// The subject of an event.
    package enum Place: Sendable {
        /// A path.
        case path(BytePath)
        /// A name in a folder, both of which others keep as well: they are put together for those who follow the events.
        case name(FileName, in: BytePath)

        var path: BytePath {
            switch self {
            case .path(let path): path
            case .name(let name, let folder): folder.appending(name)
            }
        }

        /// The number of bytes of text that it keeps.
        var weight: Int {
            switch self {
            case .path(let path): path.bytes.count
            case .name(let name, let folder): folder.bytes.count + 1 + name.count
            }
        }
    }

    /// The path of the arrival at that time; for a change in Documents, the path that changed; for a handler, that of its
    /// document; nil for a problem.
    package var path: BytePath? { place?.path }

    /// The number of bytes of text that the event keeps.
    var weight: Int { (place?.weight ?? 0) + kind.weight }
}

/// A change that others made to the top level of Documents.
package enum ContentChange: Hashable, Sendable {
    /// Something was added.
    case added
    /// Something was removed.
    case removed
    /// Something was renamed; it had this path.
    case renamed(from: BytePath)
    /// More is not known: events were lost.
    case unknown
}

extension Event.Kind {
    /// The problem that it is about; nil for other events.
    package var problem: Problem? {
        switch self {
        case .problem(let problem), .problemOver(let problem): problem
        default: nil
        }
    }

    /// The number of bytes of text that it keeps.
    var weight: Int {
        switch self {
        case .arrived, .ignored, .withdrawn, .copying, .paused, .resumed: 0
        case .content(.renamed(let from)): from.bytes.count
        case .content: 0
        case .waiting(_, let detail), .held(_, let detail): detail?.utf8.count ?? 0
        case .renamed(let from): from.bytes.count
        case .filed(let record):
            record.destination.bytes.count
                + record.told.members.reduce(0) { $0 + $1.value.utf8.count }
                + record.annotations.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
                + record.facts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
                + (record.rejection?.utf8.count ?? 0)
        case .duplicate(let record): record.twin.bytes.count
        case .handler(let news): news.weight
        case .problem(let problem), .problemOver(let problem): problem.weight
        }
    }
}
