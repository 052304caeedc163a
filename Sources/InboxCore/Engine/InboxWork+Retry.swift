import InboxFiling
import InboxLinux

/// A request to try again, and what it has come to.
package struct RequestedRetry {
    fileprivate enum Course {
        case done(Int)
        /// One that is about a folder in an Inbox fails if nothing is there.
        case walking(RetryWalk, in: Inbox? = nil, at: [FileName] = [])
    }

    fileprivate let course: Course
    /// The number of documents, besides arrivals, that an interruption has left and the request concerns.
    fileprivate var interrupted = 0
}

/// Somebody asks for another try.
extension InboxWork {
    /// Tries again soon, whatever is held or waits for its next try, and accepts the filesystems that are there now.
    /// - Parameter path: only what is there, or beneath it: an arrival, a folder in an Inbox, an Inbox, or Documents
    ///   (and what is mounted in it); nil for all.
    /// - Throws: why nothing could be: nothing is at the path, for one.
    package func requestRetry(_ path: BytePath?, at moment: Moment) throws(Explanation.Failure) -> RequestedRetry {
        guard let path else {
            let left = interrupted.count
            // First, since it ends the problems of the places that are remembered.
            acceptDestinations(at: moment)
            intake.roots.acceptAll()
            for inbox in intake.inboxes { intake.accept(inbox, at: moment) }
            intake.parts.undone.releaseAll()
            return RequestedRetry(course: .walking(intake.retry()), interrupted: left)
        }
        guard let path = path.normalized else { throw .elsewhere }
        let isThere = { (other: BytePath) in other == path || other.isInside(path) }
        let left = interrupted.count { isThere($0.path) }
        if let inbox = intake.inboxes.first(where: { $0.path == path || path.isInside($0.path) }) {
            if inbox.path == path { intake.accept(inbox, at: moment) }
            let names = Array(path.names.dropFirst(inbox.path.names.count))
            if let arrival = intake.arrival(at: names, in: inbox.path) {
                intake.parts.retries.tryAgain(arrival, at: moment)
                // As long as its name is ignored, nothing comes of that.
                return RequestedRetry(course: .done(arrival.state == .ignored ? 0 : 1))
            }
            var aim = RetryWalk.Aim(
                isState: { _ in true }, isMeant: { $0.folder.inbox === inbox }, isCounted: { $0.state != .ignored })
            if left > 0 { filing?.records.recovery.lookAgain(at: moment) }
            if !names.isEmpty {
                guard let folder = intake.folder(at: names, in: inbox.path) else {
                    if left > 0 { return RequestedRetry(course: .done(left)) }
                    throw failure(at: names, in: inbox)
                }
                aim.isMeant = { $0.folder.isWithin(folder) }
            }
            return RequestedRetry(course: .walking(intake.retry(aim), in: inbox, at: names), interrupted: left)
        } else if interrupted.contains(where: { $0.path == path }) {
            // What was to be put back is missing at its destination.
            filing?.records.recovery.lookAgain(at: moment)
            return RequestedRetry(course: .done(1))
        } else if let root = rules.destinationRoots.first(where: { $0 == path || path.isInside($0) }) {
            guard root == path || hasAnything(at: path, in: root) else { throw .nothing }
            acceptDestinations(at: moment)
            // What waits elsewhere may wait for what is there.
            let aim = RetryWalk.Aim(
                isMeant: { $0.state == .waiting(.retrying) || isThere($0.path) }, isCounted: { isThere($0.path) })
            return RequestedRetry(course: .walking(intake.retry(aim)), interrupted: left)
        } else {
            throw .elsewhere
        }
    }

    /// Returns the number of arrivals that a request concerned, including those that proceed by themselves; nil while
    /// they are being visited.
    /// - Throws: the reason why the request concerned none, if that is a failure.
    package func outcome(of retry: RequestedRetry) throws(Explanation.Failure) -> Int? {
        switch retry.course {
        case .done(let count): return count
        case .walking(let walk, let inbox, let names):
            guard walk.isDone else { return nil }
            // Nothing waits in an Inbox or a folder that is empty, which is no failure.
            let count = walk.count + retry.interrupted
            guard count == 0, let inbox, !names.isEmpty else { return count }
            if let folder = intake.folder(at: names, in: inbox.path), intake.isEmpty(folder) { return 0 }
            throw failure(at: names, in: inbox)
        }
    }

    /// Returns the reason why there is no arrival with these names in an Inbox.
    private func failure(at names: [FileName], in inbox: Inbox) -> Explanation.Failure {
        guard let whole = intake.arrival(around: names, in: inbox.path) else { return .nothing }
        let detail = whole.detail ?? whole.ignoredWords
        return .part(
            of: whole.path, "\(whole.state.group) (\(reason(of: whole)))" + (detail.map { ": \($0)" } ?? ""))
    }

    /// Returns true if something is at a path in a destination, or a mount is remembered there, which may be away.
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
