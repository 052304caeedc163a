import InboxLinux

/// The outcome of an attempt to file an arrival.
package enum FilingOutcome: Sendable {
    /// It is at its destination and recorded.
    case filed(FiledRecord)
    /// It was discarded because an identical document is at its destination, and that is recorded.
    indirect case duplicate(DuplicateRecord)
    /// An identical document is at its destination, so that it is to be discarded.
    case identical
    /// Somebody has it open for writing.
    case writer
    /// No lease is available for it.
    case unprovable
    /// A writer was found recently and may return: inspect the document again at this instant.
    case unsettled(until: Instant)
    /// This check has to say first whether it may be filed.
    case unchecked(CheckInForce)
    /// A check has decided about it: it goes on at once.
    case checked
    /// It is not what it was when it was last inspected.
    case changed
    /// It belongs on another filesystem, so that it has to be copied.
    case across
    /// To compare it with what is at its destination takes long: it is to be done where nobody waits for it.
    case lengthy
    /// A passing failure, in words.
    case retry(String)
    /// A passing failure that is not its own, and is reported elsewhere.
    case postponed(String)
    /// Nothing more can be written at this place, which is full or read-only: a passing failure that is not its own.
    indirect case obstructed(Obstruction)
    /// Its own format shows that it is cut off; what is missing, in words.
    case incomplete(String)
    /// So many of its bytes are not written, and its writer may write them yet.
    case hollow(missing: UInt64)
    /// Its marker does not count, for a reason in words.
    case unready(String)
    /// It stays, for this reason, with more in words.
    case hold(HoldReason, String?)
}

extension FilingOutcome {
    /// The id of the record of a document that has left the Inbox; nil where it is still there.
    package var record: RecordID? {
        switch self {
        case .filed(let record): record.id
        case .duplicate(let record): record.id
        default: nil
        }
    }

    /// This outcome ends a series of attempts that found changes which no inspection shows: this attempt got further,
    /// or failed for another reason.
    package var endsUnseenChanges: Bool {
        switch self {
        case .writer, .unsettled, .retry, .postponed, .obstructed, .incomplete, .hollow, .unready, .hold: true
        case .filed, .duplicate, .identical, .unprovable, .changed, .across, .lengthy, .unchecked,
            .checked:
            false
        }
    }
}
