import InboxLinux

/// The places that documents go to, after the mounts have changed.
extension Filing {
    /// Tells of each place that has gone, and of each that is back.
    func verifyPlaces() {
        for (path, error) in places.problems() {
            if let error { begin(path, error) } else { intake.end(subject(path)) }
        }
    }

    /// Whoever puts a configuration in force accepts what stands there now.
    func forgetPlaces() {
        for (path, _) in places.problems() { intake.end(subject(path)) }
    }

    /// Takes note that a place cannot be filed into.
    func begin(_ path: BytePath, _ error: DestinationError) {
        switch error {
        case .strange:
            intake.begin(
                subject(path),
                "\(path) is on another filesystem than before, so nothing is filed there: mount the one that it was on, "
                    + "or run \"inboxctl retry\" to accept this one")
        case .failed(_, let error): intake.begin(subject(path), "\(path) cannot be reached: \(error.errno)")
        case .loops: break
        }
    }

    private func subject(_ path: BytePath) -> Problems.Subject {
        path == places.documents ? .documents : .mount(path)
    }
}
