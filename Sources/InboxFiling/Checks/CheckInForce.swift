import InboxConfiguration
import InboxLinux

/// A check of the configuration in force. What it has said counts as long as it is this very object: a reload that leaves
/// the command as it is keeps the object, any other makes a new one.
package final class CheckInForce: Sendable {
    /// Whose documents it decides about.
    package enum Subject: Hashable, Sendable {
        /// Those of the Inbox of this path.
        case inbox(BytePath)
        /// Those that the document type of this name gets.
        case documentType(String)
    }

    /// Whose documents it decides about.
    package let subject: Subject
    /// The command that is run.
    package let command: CommandTemplate
    /// The number of runs at once.
    package let concurrency: Int

    init(_ subject: Subject, _ command: CommandTemplate, concurrency: Int) {
        self.subject = subject
        self.command = command
        self.concurrency = concurrency
    }

    /// The name of the document type whose check it is; empty for the check of an Inbox.
    package var documentType: String {
        switch subject {
        case .inbox: ""
        case .documentType(let name): name
        }
    }
}

/// The checks of a configuration, by whose they are.
struct ChecksInForce: Sendable {
    private(set) var checks: [CheckInForce.Subject: CheckInForce] = [:]

    /// Takes in the check of a configuration; the same object as before where nothing of it has changed.
    mutating func add(
        _ subject: CheckInForce.Subject, _ command: CommandTemplate?, concurrency: Int, former: ChecksInForce?
    ) -> CheckInForce? {
        guard let command else { return nil }
        let known = former?.checks[subject].flatMap {
            $0.command == command && $0.concurrency == concurrency ? $0 : nil
        }
        let check = known ?? CheckInForce(subject, command, concurrency: concurrency)
        checks[subject] = check
        return check
    }
}
