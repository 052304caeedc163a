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

    /// The answers about folders so far.
    private struct Folders {
        var reached: [BytePath: Bool] = [:]
        var listed: [BytePath: Bool] = [:]
    }

    /// - Parameter mounts: what lies on a silent one is unknown.
    init(for caller: UnixSocket.Peer, beside mounts: KnownMounts) {
        self.mounts = mounts
        access = CallerAccess(caller: caller, beside: mounts)
    }

    /// Nothing is withheld from the caller.
    var isTrusted: Bool { access.isTrusted }

    /// Returns true if the caller may know a record.
    func mayKnow(_ record: JSONValue) -> Bool {
        if access.isTrusted { return true }
        guard let path = record.path(record.isPutBack ? "source" : "destination") else { return false }
        return mayKnow(path)
    }

    /// Returns true if the caller may know the record of a document that was filed at this path.
    func mayKnow(_ path: BytePath) -> Bool {
        guard let folder = path.parent, !mounts.isSilent(path) else { return false }
        return find(\.reached, folder) { access.mayReach(path) }
            && (access.mayIdentify(existing: path) ?? mayList(folder))
    }

    /// Returns true if the caller may know where in the Inbox the document of a record was: the caller could list
    /// that folder, the document is the caller's own, or the folder is gone and the destination shows its name. A
    /// document that was put back is there again, so this is always true of it.
    /// - Parameter ask: asks a question that touches no other mount than that of the path.
    func mayKnowSource(
        _ record: JSONValue, asking ask: (BytePath, @escaping @Sendable (RecordAccess) -> Bool) -> Bool
    ) -> Bool {
        if isTrusted || record.isPutBack { return true }
        guard let folder = record.path("source")?.parent, let place = record.path("destination") else { return true }
        return ask(folder) { $0.mayList(folder) } || ask(place) { $0.isOwn(place) }
            || ask(folder) { $0.isGone(folder, namedIn: place) }
    }

    /// Returns true if the caller may know where the document of a record was filed; after an undo it is no longer
    /// there.
    func mayKnowDestination(_ record: JSONValue) -> Bool {
        isTrusted || !record.isPutBack || record.path("destination").map { mayKnow($0) } ?? true
    }

    /// Like ``mayKnowSource(_:asking:)``, for a worker thread: a mount that does not answer counts as unknown.
    func mayKnowSource(_ record: JSONValue) -> Bool {
        mayKnowSource(record) { path, question in !mounts.isSilent(path) && question(self) }
    }

    /// Returns true if a folder of the Inbox is gone and the destination has its name, so that its path reveals
    /// nothing more.
    private func isGone(_ folder: BytePath, namedIn destination: BytePath) -> Bool {
        var left = folder
        var gone: [FileName] = []
        while !isThere(left), let name = FileName(left.lastComponent), let parent = left.parent {
            gone.insert(name, at: 0)
            left = parent
        }
        return mayList(left) && (destination.parent?.names.suffix(gone.count)).map(Array.init) == gone
    }

    /// Returns true if something is at a path, as far as the caller could see.
    func isThere(_ path: BytePath) -> Bool { access.owner(of: path) != nil }

    /// Returns true if the file at a path is the caller's own.
    func isOwn(_ path: BytePath) -> Bool { access.owner(of: path) == access.caller.user }

    /// Returns true if the caller could list the folder at the path.
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
    /// The record says that a document was put back: its source is where the document is again.
    var isPutBack: Bool { self["event"]?.string == "undone" }

    /// The path that a member of a record is.
    func path(_ member: String) -> BytePath? { self[member]?.string.flatMap(BytePath.init(escapedText:)) }
}
