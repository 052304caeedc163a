import InboxLinux

/// The outcome for one document.
package enum FilingResult: Sendable {
    /// It is at its destination and recorded; what of it could not be kept, in words.
    case filed(FiledRecord, lost: [String])
    /// It is at its destination and recorded, and its source, which somebody has changed since, is in the Inbox again.
    case returned(FiledRecord, lost: [String])
    /// It is at its destination; its record is made by recovery as soon as the state folder can be written. Of one that was
    /// renamed the entry, which the next state folder gets should this one be lost; a claim has notes beside its source.
    indirect case unrecorded(FiledRecord, JournalEntry?)
    /// An identical one is at its destination: it was discarded, and that is recorded.
    indirect case discarded(DuplicateRecord)
    /// It is in the Inbox.
    case refused(FilingOutcome)
    /// It may wait in a staging folder or be at its destination, as recovery finds out when it ends the claim of this id.
    /// - Parameters:
    ///   - recorded: what became of it should the history have its record, where that is known.
    ///   - otherwise: what to do with it should it be in the Inbox then.
    indirect case left(RecordID, recorded: FilingOutcome?, otherwise: FilingOutcome)
}

/// The result of a job: what came of each document, and what else happened.
package struct FilingReport: Sendable {
    /// A failure of the state folder: which file, and why.
    package struct StateFailure: Sendable {
        /// The file, in words.
        package let file: String
        /// The error of the attempt to write it.
        package let error: SyscallError
    }

    /// The outcome for each document.
    package internal(set) var results: [(request: FilingRequest, result: FilingResult)] = []
    /// Documents were claimed, and those that were refused put back, which changes their change times.
    package internal(set) var hasClaimed = false
    /// The documents that are to be discarded, since identical ones are at their destinations.
    package internal(set) var identical: [IdenticalDocument] = []
    /// The documents that were prepared and have to be claimed, for the job that does it at once.
    package internal(set) var prepared: [ArrivalID: PreparedDocument] = [:]
    /// Documents were renamed and recorded.
    package internal(set) var hasRenamed = false
    /// The failure to bring those names to the disk; nil where none failed.
    package internal(set) var unsynced: SyscallError?
    /// The journal, or a staging folder, has something that recovery has to end.
    package internal(set) var hasOpenEntries = false
    /// The messages for the log.
    package internal(set) var notices: [String] = []
    /// The reason why the state folder could not be written; nil if it could.
    package internal(set) var stateFailure: StateFailure?
    /// The mounts that are not the ones that are remembered, by their paths.
    package internal(set) var strangeMounts: [BytePath: RootError] = [:]
    /// The mounts that were found for the first time.
    package internal(set) var newMounts: [BytePath: RememberedRoot] = [:]
    /// A destination could be reached.
    package internal(set) var hasReachedDestination = false
    /// The number of documents that may be open at once, if descriptors ran out; else nil.
    package internal(set) var mostAtOnce: Int?

    /// The requests that the batch did not get to, since it had as many files open as it may have.
    package internal(set) var leftOver: [FilingRequest] = []
    /// The requests whose long comparison is left to a job that nobody waits for.
    package internal(set) var lengthy: [FilingRequest] = []

    /// It is about empty folders.
    package internal(set) var isMirroring = false
    /// The empty folders that are at their destinations now.
    package internal(set) var mirrored: [FileKey] = []

    /// Nothing came of it yet.
    package init() {}

    /// A document is in the Inbox, with this to follow.
    mutating func resolve(_ request: FilingRequest, _ outcome: FilingOutcome) {
        results.append((request, .refused(outcome)))
    }

    /// Something was recorded, so that the state folder works.
    package var hasRecorded: Bool {
        results.contains { _, result in
            switch result {
            case .filed, .returned, .discarded: true
            case .unrecorded, .refused, .left: false
            }
        }
    }
}
