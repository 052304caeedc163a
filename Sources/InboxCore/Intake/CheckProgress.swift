import InboxFiling
import InboxLinux

/// The progress of the checks of an arrival.
final class CheckProgress: Sendable {
    /// Their verdicts.
    let verdicts: CheckVerdicts?
    /// The number of tries in a row that have failed.
    let failures: Int
    /// The number of times in a row that it has changed while a check ran.
    let changes: Int
    /// It is that of another document, which it has replaced while a check of that ran, and counts for it from its turn on.
    let isInherited: Bool
    /// Its state at the last failure; nil where a check has ended well since, or where it has changed while one ran.
    private let state: CheckVerdicts.State?

    init(
        verdicts: CheckVerdicts? = nil, failures: Int = 0, changes: Int = 0, state: CheckVerdicts.State? = nil,
        isInherited: Bool = false
    ) {
        self.verdicts = verdicts
        self.failures = failures
        self.changes = changes
        self.isInherited = isInherited
        self.state = state
    }

    /// The same for a document in this state: of another one than has failed the tries count anew.
    func of(_ status: FileStatus) -> CheckProgress {
        guard let state, state != CheckVerdicts.State(status) else { return self }
        return CheckProgress(verdicts: verdicts)
    }

    /// The same after a try that has failed.
    func failing(on status: FileStatus) -> CheckProgress {
        CheckProgress(verdicts: verdicts, failures: failures + 1, changes: changes, state: CheckVerdicts.State(status))
    }

    /// The same after a try in which the document has changed: the second time in a row that is a failure.
    func changing() -> CheckProgress {
        CheckProgress(verdicts: verdicts, failures: changes > 0 ? failures + 1 : failures, changes: changes + 1)
    }

    /// The same for the document itself, whose turn it is.
    func accepting() -> CheckProgress { CheckProgress(failures: failures, changes: changes) }
}

extension Arrival {
    /// The progress for the document that has replaced this one. A check that saves its document as an editor does makes
    /// another file of it each time, which would be checked for ever if it counted for nothing; nil where no check ran.
    var progressOfSuccessor: CheckProgress? {
        let known = facts?.checks
        let isBeingChecked = isInFlight && state == .waiting(.checking)
        guard let next = isBeingChecked ? (known ?? CheckProgress()).changing() : known, next.changes > 0 else {
            return nil
        }
        return CheckProgress(failures: next.failures, changes: next.changes, isInherited: true)
    }
}

/// The result of one try of a check.
enum CheckResult: Sendable {
    /// It has said whether the document may be filed.
    case ruled(CheckVerdicts)
    /// It says that it cannot decide yet, in words.
    case later(String)
    /// It has failed, in words.
    case failed(String)
    /// The document has changed while it ran, so that what it said is void.
    case changed
    /// The document is not what was inspected, or cannot be opened, so that no program has run.
    case refused(FilingOutcome)
    /// Its program could not be started because something is short for a while, in words.
    case short(String)
    /// It was killed since the daemon ends.
    case abandoned
}
