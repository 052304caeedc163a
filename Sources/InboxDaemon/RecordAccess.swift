import InboxFiling
import InboxLinux
import InboxVarlink
import Synchronization

/// Which records of the history a caller may know: those of documents that he could read where they are, and of those
/// that have gone from there, where he could have seen that. Asked from whichever thread searches.
final class RecordAccess: Sendable {
    /// More folders are not remembered.
    private static let mostFolders = 1024

    private let access: CallerAccess
    private let mounts: KnownMounts
    private let known = Mutex(Folders())

    /// What is known of folders.
    private struct Folders {
        var reached: [BytePath: Bool] = [:]
        var listed: [BytePath: Bool] = [:]
    }

    /// - Parameter mounts: what lies on a silent one is unknown.
    init(for caller: UnixSocket.Peer, beside mounts: KnownMounts) {
        self.mounts = mounts
        access = CallerAccess(caller: caller, beside: mounts)
    }

    /// Whether nothing is withheld.
    var isTrusted: Bool { access.isTrusted }

    /// Whether the caller may know a record.
    func mayKnow(_ record: JSONValue) -> Bool {
        if access.isTrusted { return true }
        guard let path = record.path(record.isPutBack ? "source" : "destination") else { return false }
        return mayKnow(path)
    }

    /// Whether the caller may know the record of a document that was filed as this.
    func mayKnow(_ path: BytePath) -> Bool {
        guard let folder = path.parent, !mounts.isSilent(path) else { return false }
        return find(\.reached, folder) { access.mayReach(path) }
            && (access.mayIdentify(existing: path) ?? mayList(folder))
    }

    /// Whether the caller may know where in the Inbox the document of a record was: he could list that folder, or the
    /// document is his own. Of a document that was put back that is where it is.
    /// - Parameter ask: asks a question that touches nothing on other mounts than that of the path.
    func mayKnowSource(
        _ record: JSONValue, asking ask: (BytePath, @escaping @Sendable (RecordAccess) -> Bool) -> Bool
    ) -> Bool {
        if isTrusted || record.isPutBack { return true }
        guard let folder = record.path("source")?.parent, let place = record.path("destination") else { return true }
        return ask(folder) { $0.mayList(folder) } || ask(place) { $0.isOwn(place) }
            || ask(folder) { $0.isGone(folder, namedIn: place) }
    }

    /// Whether the caller may know where the document of a record was filed, which after an undo is not where it is.
    func mayKnowDestination(_ record: JSONValue) -> Bool {
        isTrusted || !record.isPutBack || record.path("destination").map { mayKnow($0) } ?? true
    }

    /// Like ``mayKnowSource(_:asking:)``, for a worker thread: a mount that does not answer counts as unknown.
    func mayKnowSource(_ record: JSONValue) -> Bool {
        mayKnowSource(record) { path, question in !mounts.isSilent(path) && question(self) }
    }

    /// Whether a folder of the Inbox is gone, and the destination has its name: then the folder's path reveals nothing more.
    private func isGone(_ folder: BytePath, namedIn destination: BytePath) -> Bool {
        var left = folder
        var gone: [FileName] = []
        while !isThere(left), let name = FileName(left.lastComponent), let parent = left.parent {
            gone.insert(name, at: 0)
            left = parent
        }
        return mayList(left) && (destination.parent?.names.suffix(gone.count)).map(Array.init) == gone
    }

    /// Whether anything is at a path, as far as the caller could see that.
    func isThere(_ path: BytePath) -> Bool { access.owner(of: path) != nil }

    /// Whether what is at a path is the caller's own.
    func isOwn(_ path: BytePath) -> Bool { access.owner(of: path) == access.caller.user }

    /// Whether the caller could list the folder at the path.
    func mayList(_ folder: BytePath) -> Bool { find(\.listed, folder) { access.mayList(folder) } }

    private func find(
        _ kind: WritableKeyPath<Folders, [BytePath: Bool]>, _ folder: BytePath, _ ask: () -> Bool
    ) -> Bool {
        if let answer = known.withLock({ $0[keyPath: kind][folder] }) { return answer }
        let answer = ask()
        known.withLock { known in
            if known[keyPath: kind].count >= Self.mostFolders { known = Folders() }
            known[keyPath: kind][folder] = answer
        }
        return answer
    }
}

extension JSONValue {
    /// Whether a record says that a document was put back: its source is where the document is again.
    var isPutBack: Bool { self["event"]?.string == "undone" }

    /// The path that a member of a record is.
    func path(_ member: String) -> BytePath? { self[member]?.string.flatMap(BytePath.init(escapedText:)) }
}
