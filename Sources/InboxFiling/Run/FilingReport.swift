import InboxLinux

/// The documents of a batch whose names have moved.
package struct MovedDocuments: Sendable {
    /// Each with its record.
    package var documents: [(document: PreparedDocument, record: FiledRecord)] = []
    /// The records must be on the disk before the journal is emptied.
    package let isDurable: Bool
    /// The first failure to bring the folders to the disk: no later try is a proof.
    package var unsynced: SyscallError?

    init(isDurable: Bool) {
        self.isDurable = isDurable
    }

    /// Returns whether it is the same batch.
    package func isSame(as other: MovedDocuments) -> Bool {
        isDurable == other.isDurable && documents.first?.record.id == other.documents.first?.record.id
    }
}

/// The outcome for one document.
package enum FilingResult: Sendable {
    /// It is at its destination and recorded; what of it could not be kept, in words.
    case filed(FiledRecord, lost: [String])
    /// It is at its destination and recorded, and its source, which somebody has changed since, is in the Inbox again.
    case returned(FiledRecord, lost: [String])
    /// It is at its destination; its record is made by recovery as soon as the state folder can be written.
    case unrecorded(FiledRecord)
    /// An identical one is at its destination: it was discarded, and that is recorded.
    case discarded(DuplicateRecord)
    /// It is in the Inbox.
    case refused(FilingOutcome)
    /// It may wait in a staging folder or be at its destination, as recovery finds out when it ends the claim of this id.
    /// - Parameters:
    ///   - recorded: what became of it should the history have its record, where that is known.
    ///   - otherwise: what to do with it should it be in the Inbox then.
    case left(RecordID, recorded: FilingOutcome?, otherwise: FilingOutcome)
}

/// The result of a run: a batch of renames, or claims.
package struct FilingReport: Sendable {
    /// A failure of the state folder: which file, and why.
    package struct StateFailure: Sendable {
        /// The file, in words.
        package let file: String
        /// The error of the attempt to write it.
        package let error: SyscallError
    }

    /// The outcome for each document but those that ``moved`` has.
    package internal(set) var results: [(request: FilingRequest, result: FilingResult)] = []
    /// Documents were claimed, and those that were refused put back, which changes their change times.
    package internal(set) var hasClaimed = false
    /// The documents that are to be discarded, since identical ones are at their destinations.
    package internal(set) var identical: [IdenticalDocument] = []
    /// The documents that were prepared and have to be claimed, for the job that does it at once.
    package internal(set) var prepared: [ArrivalID: PreparedDocument] = [:]
    /// The documents whose names have moved; nil where none has.
    package internal(set) var moved: MovedDocuments?
    /// The records of all that has moved are written; else they are tried again.
    package internal(set) var isRecorded = false
    /// This was another try to record what had moved earlier.
    package let isAgain: Bool
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
    package init() {
        isAgain = false
    }

    /// A document is in the Inbox, with this to follow.
    mutating func resolve(_ request: FilingRequest, _ outcome: FilingOutcome) {
        results.append((request, .refused(outcome)))
    }

    /// Something was recorded besides what ``moved`` has, so that the state folder works.
    package var hasRecorded: Bool {
        results.contains { _, result in
            switch result {
            case .filed, .returned, .discarded: true
            case .unrecorded, .refused, .left: false
            }
        }
    }

    /// A report of what moved earlier and could not be recorded.
    package init(recordingAgain moved: MovedDocuments) {
        self.moved = moved
        isAgain = true
    }
}
