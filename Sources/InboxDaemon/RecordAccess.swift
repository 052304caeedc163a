import InboxLinux
import InboxVarlink
import Synchronization

/// Which records of the history a caller may know: those of documents that he could read where they are, and of those
/// that have gone from there, where he could have seen that. Asked from whichever thread searches.
final class RecordAccess: Sendable {
    /// More folders are not remembered.
    private static let mostFolders = 1024

    private let access: CallerAccess
    private let listed = Mutex<[BytePath: Bool]>([:])

    init(for caller: UnixSocket.Peer) {
        access = CallerAccess(caller: caller)
    }

    /// Whether nothing is withheld.
    var isTrusted: Bool { access.isTrusted }

    /// Whether the caller may know a record.
    func mayKnow(_ record: JSONValue) -> Bool {
        if access.isTrusted { return true }
        let isBack = record["event"]?.string == "undone"
        guard
            let path = record[isBack ? "source" : "destination"]?.string
                .flatMap(BytePath.init(escapedText:)), let folder = path.parent
        else { return false }
        return access.mayReach(path) && access.mayIdentify(path) && (access.exists(path) || mayList(folder))
    }

    private func mayList(_ folder: BytePath) -> Bool {
        if let known = listed.withLock({ $0[folder] }) { return known }
        let mayList = access.mayList(folder)
        listed.withLock { listed in
            if listed.count >= Self.mostFolders { listed = [:] }
            listed[folder] = mayList
        }
        return mayList
    }
}
