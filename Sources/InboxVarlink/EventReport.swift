/// One event, as `Subscribe` returns it (section 5 of the contract).
package struct EventReport: Codable, Hashable, Sendable {
    /// The kind of an event.
    package enum Kind: String, Codable, Sendable, CaseIterable {
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
        /// It was discarded because an identical document is at its destination.
        case duplicate
        /// Its check has rejected it, and it is in the folder for such documents.
        case rejected
        /// A try of its handler has ended.
        case handler
        /// Something is wrong with the daemon's surroundings.
        case problem
        /// A problem is over.
        case problemOver
        /// Someone paused filing.
        case paused
        /// Someone resumed it.
        case resumed
        /// Others added something to the top level of Documents.
        case contentAdded
        /// Others removed something from there.
        case contentRemoved
        /// Others renamed something there.
        case contentRenamed
        /// Others changed something there, and more is not known.
        case contentChanged
    }

    /// Which start of the daemon the number belongs to.
    package var boot: String
    /// Counted from 1 for each start of the daemon.
    package var number: Int64
    /// When it happened: RFC 3339 in UTC.
    package var time: String
    /// The kind of the event.
    package var kind: Kind
    /// The arrival's own number, the same in all its events.
    package var arrival: Int64?
    /// The path of the arrival, or of the handler's document, as text by section 5 of the contract.
    package var path: String?
    /// The path before, of what was renamed.
    package var from: String?
    /// The reason why it waits, is held or is ignored, in one word.
    package var reason: String?
    /// More in words for a person, printable.
    package var detail: String?
    /// Its size in bytes.
    package var size: Int64?
    /// Which file it is, as decimal texts: device, inode, and seconds and nanoseconds of its birth where they are known.
    package var file: [String]?
    /// The number of its bytes that have been copied.
    package var copied: Int64?
    /// The `id` of the history's record.
    package var id: String?
    /// Where it was filed, as text by section 5 of the contract.
    package var destination: String?
    /// Its type's identifier.
    package var type: String?
    /// Its type's MIME type.
    package var mime: String?
    /// The evidence for the type.
    package var evidence: String?
    /// A number was added to its name.
    package var renamed: Bool?
    /// The outcome of the handler, in one word.
    package var outcome: String?
    /// The number of tries of the handler.
    package var tries: Int64?
    /// The name that a template made.
    package var name: String?
    /// Its date, as it has it.
    package var date: String?
    /// Where its date is from.
    package var dateFrom: String?
    /// Its title.
    package var title: String?
    /// Its author.
    package var author: String?
    /// The address that it came from.
    package var origin: String?
    /// The application that made it.
    package var application: String?
    /// The annotations of the document, by key.
    package var annotations: [String: String]?
    /// The facts that its checks reported, by key.
    package var facts: [String: String]?
    /// The names beside it of the files that were filed with it.
    package var members: [String]?
    /// The number of events that were lost, if that is known.
    package var lost: Int64?

    /// An event without further details.
    package init(boot: String, number: Int64, time: String, kind: Kind) {
        self.boot = boot
        self.number = number
        self.time = time
        self.kind = kind
    }
}
