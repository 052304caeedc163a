import InboxFiling
import InboxLinux

/// Somebody asks for another try.
extension InboxWork {
    /// Tries again at once, whatever is held or waits for its next try, and accepts the filesystems that are there now.
    /// - Parameter path: only what is there, or beneath it: an arrival, a folder in an Inbox, an Inbox, or Documents
    ///   (and what is mounted in it); nil for all.
    /// - Returns: how many arrivals were meant, those included that go on by themselves.
    /// - Throws: why none could be: nothing is at the path, for one.
    @discardableResult
    package func retry(_ path: BytePath?, at moment: Moment) throws(Explanation.Failure) -> Int {
        guard let path else {
            // First, since it ends the problems of the places that are remembered.
            acceptDestinations(at: moment)
            intake.roots.acceptAll()
            for inbox in intake.inboxes { intake.accept(inbox, at: moment) }
            intake.undone.releaseAll()
            return intake.retry(at: moment)
        }
        guard let path = path.normalized else { throw .elsewhere }
        func isThere(_ other: BytePath) -> Bool { other == path || other.isInside(path) }
        if let inbox = intake.inboxes.first(where: { $0.path == path || path.isInside($0.path) }) {
            if inbox.path == path { intake.accept(inbox, at: moment) }
            let found = intake.retry(at: moment, in: { _ in true }) { $0.folder.inbox === inbox && isThere($0.path) }
            // Nothing waits in an Inbox that is empty, which is no failure.
            if found > 0 || inbox.path == path { return found }
            let names = Array(path.names.dropFirst(inbox.path.names.count))
            guard let whole = intake.arrival(around: names, in: inbox.path) else {
                if let folder = intake.folder(at: names, in: inbox.path), intake.isEmpty(folder) { return 0 }
                throw .nothing
            }
            let detail = whole.detail ?? whole.ignoredWords
            throw .part(
                of: whole.path, "\(whole.state.group) (\(reason(of: whole)))" + (detail.map { ": \($0)" } ?? ""))
        } else if let root = rules.destinationRoots.first(where: { $0 == path || path.isInside($0) }) {
            guard root == path || hasAnything(at: path, in: root) else { throw .nothing }
            acceptDestinations(at: moment)
            intake.retry(at: moment, in: { $0 == .waiting(.retrying) }) { !isThere($0.path) }
            return intake.retry(at: moment, where: { isThere($0.path) })
        } else {
            throw .elsewhere
        }
    }

    /// Whether anything is at a path in a destination, or a mount is remembered there, which may be away.
    private func hasAnything(at path: BytePath, in root: BytePath) -> Bool {
        let remembered = intake.inboxes.map(\.path) + intake.roots.mounts(in: root).keys
        if remembered.contains(where: { $0 == path || $0.isInside(path) }) { return true }
        let names = path.names.dropFirst(root.names.count)
        guard let name = names.last else { return true }
        let mounts = intake.roots.known
        do throws(MountError<Explanation.Failure>) {
            try intake.roots.call(at: path) { () throws(Explanation.Failure) in
                let folder = try Self.folder(names.dropLast(), in: root, mounts) { _, _ in true }
                do throws(SyscallError) { _ = try folder.status(of: name) } catch { throw Explanation.Failure(error) }
            }
            return true
        } catch {
            // Of what does not answer, or may not be read, nobody can say that it is not there.
            if case .failed(.nothing) = error { return false }
            return true
        }
    }
}
