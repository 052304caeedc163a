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
        let isBack = record["event"]?.string == "undone"
        guard
            let path = record[isBack ? "source" : "destination"]?.string
                .flatMap(BytePath.init(escapedText:))
        else { return false }
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
    func mayKnowSource(_ record: JSONValue) -> Bool {
        if isTrusted || record["event"]?.string == "undone" { return true }
        func path(_ name: String) -> BytePath? { record[name]?.string.flatMap(BytePath.init(escapedText:)) }
        guard let source = path("source")?.parent, let place = path("destination") else { return true }
        if mounts.isSilent(source) || mounts.isSilent(place) { return false }
        return mayList(source) || isOwn(place) || hasGone(source, to: place)
    }

    /// Whether a folder of the Inbox is no longer there whose name the destination has, which tells nothing new then.
    private func hasGone(_ folder: BytePath, to place: BytePath) -> Bool {
        var left = folder
        var gone: [FileName] = []
        while !isThere(left), let name = FileName(left.lastComponent), let parent = left.parent {
            gone.insert(name, at: 0)
            left = parent
        }
        return mayList(left) && (place.parent?.names.suffix(gone.count)).map(Array.init) == gone
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
