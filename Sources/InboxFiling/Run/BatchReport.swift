import InboxLinux

/// The documents of a batch whose names have moved.
package struct MovedDocuments: Sendable {
    /// Each with its record.
    package var documents: [(document: PreparedDocument, record: FiledRecord)] = []
    /// Whether the records must be on the disk before the journal is emptied.
    package let isDurable: Bool
    /// The first failure to bring the folders to the disk: no later try is a proof.
    package var unsynced: SyscallError?

    init(isDurable: Bool) {
        self.isDurable = isDurable
    }

    /// Whether it is the same batch.
    package func isSame(as other: MovedDocuments) -> Bool {
        isDurable == other.isDurable && documents.first?.record.id == other.documents.first?.record.id
    }
}

/// A document that is to be discarded, and whose claim was left to recovery.
package struct LeftDiscard: Sendable {
    /// The arrival that it is.
    package let arrival: ArrivalID
    /// Its record, should the history have it.
    package let record: DuplicateRecord
    /// What to do with it should it be in the Inbox when the claim ends.
    package let otherwise: FilingOutcome
}

/// What a batch resulted in.
package struct BatchReport: Sendable {
    /// A failure of the state folder: which file, and why.
    package struct StateFailure: Sendable {
        /// The file, in words.
        package let file: String
        /// Why it could not be written.
        package let error: SyscallError
    }

    /// The outcome of each document whose name has not moved.
    package private(set) var outcomes: [(id: ArrivalID, outcome: FilingOutcome)] = []
    /// The documents that are to be discarded, since identical ones are at their destinations.
    package internal(set) var identical: [IdenticalDocument] = []
    /// The documents that were prepared and have to be claimed, for the job that does it at once.
    package internal(set) var prepared: [ArrivalID: PreparedDocument] = [:]
    /// The documents whose discarding is left to recovery.
    package internal(set) var left: [LeftDiscard] = []
    /// The documents whose names have moved; nil where none has.
    package internal(set) var moved: MovedDocuments?
    /// Whether what has moved is recorded; else the records are tried again.
    package internal(set) var isRecorded = false
    /// Whether this was another try to record what had moved earlier.
    package let isAgain: Bool
    /// Whether the journal, or a staging folder, has something that recovery has to end.
    package internal(set) var hasOpenEntries = false
    /// What is worth a line of the log.
    package internal(set) var notices: [String] = []
    /// Why the state folder could not be written; nil where it could.
    package internal(set) var stateFailure: StateFailure?
    /// The mounts that are not the ones that are remembered, by their paths.
    package internal(set) var strangeMounts: [BytePath: RootError] = [:]
    /// The mounts that were found for the first time.
    package internal(set) var newMounts: [BytePath: RememberedRoot] = [:]
    /// Whether any destination could be reached.
    package internal(set) var hasReachedDestination = false
    /// How many documents may be open at once, where descriptors ran out; else nil.
    package internal(set) var mostAtOnce: Int?

    /// What the batch did not get to, since it had as many files open as it may have.
    package internal(set) var leftOver: [FilingRequest] = []
    /// What is compared where nobody waits for it, since that takes long.
    package internal(set) var lengthy: [FilingRequest] = []

    /// Whether it is about empty folders.
    package internal(set) var isMirroring = false
    /// The empty folders that are at their destinations now.
    package internal(set) var mirrored: [FileKey] = []

    init() {
        isAgain = false
    }

    mutating func resolve(_ request: FilingRequest, _ outcome: FilingOutcome) {
        outcomes.append((request.id, outcome))
    }

    /// A report of what moved earlier and could not be recorded.
    package init(recordingAgain moved: MovedDocuments) {
        self.moved = moved
        isAgain = true
    }
}
