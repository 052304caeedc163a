import InboxLinux

/// The verdicts of checks on a document as it was: of anything else under its name they have said nothing.
package final class CheckVerdicts: Sendable {
    /// The state that a file must still be in. The change time shows a change that leaves size and modification time.
    package struct State: Hashable, Sendable {
        let identity: FileIdentity
        let changed: Timestamp

        init(identity: FileIdentity, changed: Timestamp) {
            self.identity = identity
            self.changed = changed
        }

        /// The state that a status shows.
        package init(_ status: FileStatus) {
            identity = status.identity
            changed = status.changed
        }
    }

    /// The verdict of one check.
    package enum Ruling: Hashable, Sendable {
        /// It may be filed, and these are its facts.
        case accepted([String: String])
        /// It must not be filed, in words.
        case rejected(String)
    }

    private struct Verdict: Sendable {
        let check: CheckInForce
        let ruling: Ruling
    }

    /// The state that the document was in.
    package let state: State
    /// The states of the files that go with it, by their names.
    package let members: [FileName: State]
    /// The id that its record will have, which the checks know.
    package let id: RecordID
    private let verdicts: [Verdict]

    private init(_ state: State, _ members: [FileName: State], _ id: RecordID, _ verdicts: [Verdict]) {
        self.state = state
        self.members = members
        self.id = id
        self.verdicts = verdicts
    }

    /// The verdicts on a document with another one.
    /// - Parameters:
    ///   - former: what was known before; what is not of this document in this state is left out.
    ///   - members: what the files were that go with it.
    package convenience init(
        _ ruling: Ruling, by check: CheckInForce, on state: State, members: [FileName: State], id: RecordID,
        after former: CheckVerdicts?
    ) {
        var verdicts: [Verdict] = []
        // A document type's check has seen the facts of the Inbox's, so that it does not outlive that one's verdict.
        if case .documentType = check.subject, let former, former.isAbout(state), former.members == members {
            verdicts = former.verdicts.filter { if case .inbox = $0.check.subject { true } else { false } }
        }
        self.init(state, members, id, verdicts + [Verdict(check: check, ruling: ruling)])
    }

    /// Returns whether it is about a document in this state.
    package func isAbout(_ state: State) -> Bool { self.state == state }

    /// Returns the ruling of a check in force; nil where it has not been asked.
    package func ruling(by check: CheckInForce) -> Ruling? { verdicts.first { $0.check === check }?.ruling }

    /// A check has rejected the document.
    package var isRejection: Bool { verdicts.contains { if case .rejected = $0.ruling { true } else { false } } }

    /// The facts of all that have accepted the document, of one key the later ones.
    package var facts: [String: String] {
        verdicts.reduce(into: [:]) { facts, verdict in
            if case .accepted(let own) = verdict.ruling { facts.merge(own) { $1 } }
        }
    }
}
