import InboxCore
import InboxLinux

/// The paths that a caller may know, for one reply: the roots, which the status shows to everybody, and every name
/// that the caller could list in them.
final class KnownPaths {
    /// So many folders are asked for in one reply; of what lies in others only the root is shown.
    private static let most = 256

    private let access: CallerAccess
    private let work: InboxWork
    private var listed: [BytePath: Bool] = [:]

    init(for caller: UnixSocket.Peer, in work: InboxWork) {
        access = CallerAccess(caller: caller, beside: work.intake.roots.known)
        self.work = work
    }

    /// The beginning of a path that the caller may know.
    func beginning(of path: BytePath) -> BytePath {
        if access.isTrusted { return path }
        var known = work.root(around: path) ?? BytePath("/")
        for name in path.names.dropFirst(known.names.count) {
            guard mayList(known) else { return known }
            known = known.appending(name)
        }
        return path
    }

    /// Returns true if the caller may know the whole of a path.
    func contains(_ path: BytePath) -> Bool { beginning(of: path) == path }

    private func mayList(_ folder: BytePath) -> Bool {
        if let known = listed[folder] { return known }
        guard listed.count < Self.most else { return false }
        let mayList = work.isTrue(at: folder) { [access] in access.mayList(folder) }
        listed[folder] = mayList
        return mayList
    }
}
