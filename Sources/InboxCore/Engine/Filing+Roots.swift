import InboxFiling
import InboxLinux

/// The roots that documents go to.
extension Filing {
    /// Inspects each root, and reports each that cannot be used, and each that is back; whether all of them can be used.
    func inspectRoots() -> Bool {
        var isWhole = true
        for (path, error) in inspectedRoots() {
            if let error {
                isWhole = false
                begin(error, at: path)
            } else {
                intake.end(subject(path))
            }
        }
        return isWhole
    }

    /// Documents and the mounts in it; an Inbox is inspected by the intake.
    private func inspectedRoots() -> [(path: BytePath, error: RootError?)] {
        intake.roots.inspect().filter { root in !intake.inboxes.contains { $0.path == root.path } }
    }

    /// Ends the problems of roots that these rules do not have.
    func endRootProblems(outside routing: RoutingRules) {
        for (path, _) in inspectedRoots() where !routing.outerRoots.contains(path) {
            if path != routing.documents, !path.isInside(routing.documents) { intake.end(subject(path)) }
        }
    }

    /// Whoever asks for another try accepts the roots that are there now.
    func endRootProblems(of routing: RoutingRules) {
        for (path, error) in inspectedRoots() where path != routing.documents || error?.errno == nil {
            // Accepting Documents does not mend that it cannot be opened.
            intake.end(subject(path))
        }
    }

    /// Opens the roots for a batch, and reports those outside Documents that cannot be used.
    func destinationRoot() throws(RootError) -> DestinationRoot {
        let root = try intake.roots.destination(by: intake.verification.making.make)
        for (path, error) in root.unreachable {
            // Nothing is wrong with the root then: whoever prepares a document for it reports the journal.
            if case .journal = error { continue }
            begin(error, at: path)
        }
        for path in root.outer.keys { intake.end(subject(path)) }
        return root
    }

    /// Takes note that a root cannot be filed into.
    func begin(_ error: RootError, at path: BytePath) {
        // Nothing is known of the root then.
        if error.isWantOfDescriptors { return intake.parts.report.noteShortage() }
        intake.begin(subject(path), "nothing is filed into \(path): \(error)")
    }

    private func subject(_ path: BytePath) -> Problems.Subject {
        path == intake.roots.documents ? .documents : .mount(path)
    }
}
