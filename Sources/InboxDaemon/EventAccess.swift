import InboxCore
import InboxFiling
import InboxLinux

/// Which events a follower may know: those about what he could see, by the same rules as lists and the history, and
/// those about his own documents that the daemon alone can deliver for him.
final class EventAccess {
    /// The extent to which the caller may know an event.
    enum Extent {
        case nothing
        /// The event in the Inbox, but not where the document is now.
        case withoutDestination
        /// Where it is, but not where it was.
        case withoutFormerPath
        /// Where it was filed, but not where in the Inbox it was.
        case withoutPath
        case all
    }

    /// The time for which the knowledge of a folder is used for the events that follow.
    private static let memory = Duration.milliseconds(100)
    /// So many of his own documents are known at most.
    private static let mostOwn = 1024

    private let work: InboxWork
    private let caller: UnixSocket.Peer
    private let mayPut: Bool
    private var records: RecordAccess
    private var expiry = Instant(nanoseconds: 0)
    /// His own documents in the Inboxes.
    private var own: Set<ArrivalID> = []

    /// - Parameter mayPut: whether he may deliver through the daemon, which returns where his document went.
    init(for caller: UnixSocket.Peer, in work: InboxWork, mayPut: Bool) {
        self.work = work
        self.caller = caller
        self.mayPut = mayPut
        records = RecordAccess(for: caller, beside: work.intake.roots.known)
    }

    /// Returns the extent to which the caller may know an event.
    func extent(of event: Event) -> Extent {
        // A problem or a pause, which the status shows to everybody.
        guard let path = event.path else { return .all }
        let now = Instant.now()
        if expiry <= now {
            records = RecordAccess(for: caller, beside: work.intake.roots.known)
            expiry = now + Self.memory
        }
        let isOwn = noteOwn(event, at: path)
        switch event.kind {
        case .filed(let record):
            return isOwn ? .all : extent(of: path, at: record.destination)
        case .duplicate(let record):
            return isOwn ? .all : extent(of: path, at: record.twin)
        case .handler: return mayKnow(path) ? .all : .nothing
        case .content(.unknown): return mayList(path) ? .all : .nothing
        case .renamed(let former) where isOwn || mayListFolder(of: path):
            return isOwn || mayListFolder(of: former) ? .all : .withoutFormerPath
        default: return isOwn || mayListFolder(of: path) ? .all : .nothing
        }
    }

    /// Returns the extent to which the caller may know of a document that has left this path for another one.
    private func extent(of path: BytePath, at destination: BytePath) -> Extent {
        guard mayKnow(destination) else { return mayListFolder(of: path) ? .withoutDestination : .nothing }
        return mayListFolder(of: path) || isOwned(destination) ? .all : .withoutPath
    }

    private func isOwned(_ path: BytePath) -> Bool { ask(at: path) { $0.isOwn(path) } }

    /// A problem in words, with as much of its path as he may know.
    func words(of problem: Problem) -> String {
        let known = KnownPaths(for: caller, in: work)
        return problem.text { known.beginning(of: $0) }
    }

    /// Takes note of an event, and returns true if it is about a document of the caller's own in an Inbox to which
    /// the caller may deliver.
    private func noteOwn(_ event: Event, at path: BytePath) -> Bool {
        guard mayPut, let arrival = event.arrival else { return false }
        if case .arrived(_, _, caller.user) = event.kind, own.count < Self.mostOwn,
            work.intake.inboxes.contains(where: { $0.path == path.parent })
        {
            own.insert(arrival)
        }
        switch event.kind {
        // The number may be another arrival's from now on.
        case .filed, .duplicate, .withdrawn: return own.remove(arrival) != nil
        default: return own.contains(arrival)
        }
    }

    private func mayKnow(_ path: BytePath) -> Bool { ask(at: path) { $0.mayKnow(path) } }

    private func mayListFolder(of path: BytePath) -> Bool { path.parent.map(mayList) ?? false }

    private func mayList(_ folder: BytePath) -> Bool { ask(at: folder) { $0.mayList(folder) } }

    private func ask(at path: BytePath, _ question: @escaping @Sendable (RecordAccess) -> Bool) -> Bool {
        work.isTrue(at: path) { [records] in question(records) }
    }
}
