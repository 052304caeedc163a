import InboxCore
import InboxFiling
import InboxLinux

/// The knowledge that a caller could gain without the daemon, judged by the owners, modes and access lists on a path:
/// `Explain` tells no more.
struct CallerAccess: Sendable {
    /// Who asks.
    let caller: UnixSocket.Peer
    private let way: GuardedPath

    /// - Parameter mounts: on those that are not known, or closed, and through links of those who are not trusted,
    ///   nothing can be reached.
    init(caller: UnixSocket.Peer, beside mounts: KnownMounts) {
        self.caller = caller
        way = mounts.way
    }

    private static let search: UInt32 = 1
    private static let read: UInt32 = 4

    /// The caller is root or this process's user, from whom nothing is withheld.
    var isTrusted: Bool { AccessControl.isTrusted(caller.user) }

    /// Returns true if the caller could see what is at the path: every folder on the way may be searched.
    func mayReach(_ path: BytePath) -> Bool {
        guard !isTrusted else { return true }
        guard let folder = path.parent else { return true }
        return may(Self.search, at: folder)
    }

    /// Returns true if the caller could list the folder at the path.
    func mayList(_ folder: BytePath) -> Bool { isTrusted || may(Self.read, at: folder) }

    /// Returns true if the caller could find out the type of the file at a path, which the caller can reach. If
    /// nothing is there, the reply says so.
    func mayIdentify(_ path: BytePath) -> Bool { isTrusted || mayIdentify(existing: path) ?? true }

    /// The same; nil where nothing exists. Links and special files need not be read for that.
    func mayIdentify(existing path: BytePath) -> Bool? {
        guard let entry = find(path, isFollowed: false) else { return nil }
        return entry.status.kind != .regular || mayRead(entry.status) { entry.accessList }
    }

    /// Who owns what is at a path, as far as every folder on the way may be searched; nil where nothing exists.
    func owner(of path: BytePath) -> UInt32? { find(path, isFollowed: false)?.status.owner }

    /// Returns true if the caller may search this folder, wherever it is.
    /// - Parameter list: reads the folder's access list.
    func maySearch(_ folder: FileStatus, _ list: () -> AccessList?) -> Bool {
        isTrusted || may(Self.search, folder, list)
    }

    /// Returns true if the caller may read this file, wherever it is.
    func mayRead(_ file: FileStatus, _ list: () -> AccessList?) -> Bool { isTrusted || may(Self.read, file, list) }

    /// Returns the entry at a path if every folder on the way may be searched; otherwise nil.
    private func find(_ path: BytePath, isFollowed: Bool) -> PathEntry? {
        do throws(SyscallError) {
            return try way.find(path, isFollowed: isFollowed) { folder in
                maySearch(folder.status) { folder.accessList }
            }
        } catch {
            return nil
        }
    }

    private func may(_ bit: UInt32, at path: BytePath) -> Bool {
        guard let entry = find(path, isFollowed: true) else { return false }
        return may(bit, entry.status) { entry.accessList }
    }

    private func may(_ bit: UInt32, _ status: FileStatus, _ list: () -> AccessList?) -> Bool {
        if status.owner == caller.user { return status.permissions >> 6 & bit != 0 }
        // With a list the group's bits are its mask: where neither has the right, no list gives it.
        guard (status.permissions >> 3 | status.permissions) & bit != 0 else { return false }
        if let list = list() {
            return list.permits(bit, user: caller.user, group: status.group) { caller.belongs(to: [$0]) }
        }
        return (caller.belongs(to: [status.group]) ? status.permissions >> 3 : status.permissions) & bit != 0
    }
}

extension InboxWork {
    /// The answer to a question about the rights on a path; false where its mount does not answer, so that nobody can say.
    /// - Parameter question: touches nothing on other mounts, which might not answer either.
    func isTrue(at path: BytePath, _ question: @escaping @Sendable () -> Bool) -> Bool {
        do throws(Explanation.Failure) { return try ask(at: path, question) } catch { return false }
    }
}

/// Which folders of the Inboxes a caller may list, each asked for once in a list.
final class ListedFolders {
    private let access: CallerAccess
    private let work: InboxWork
    private var known: [ObjectIdentifier: (folder: Folder, mayList: Bool)] = [:]

    /// The number of folders that were asked for.
    var askedCount: Int { known.count }

    init(for caller: UnixSocket.Peer, in work: InboxWork) {
        access = CallerAccess(caller: caller, beside: work.intake.roots.known)
        self.work = work
    }

    /// Returns true if the caller could list the folder that an arrival is in.
    func mayList(_ folder: Folder) -> Bool {
        if access.isTrusted { return true }
        if let known = known[ObjectIdentifier(folder)] { return known.mayList }
        let mayList = mayList(folder.bytePath)
        // The folder is kept with the answer, so that no other one gets its identifier meanwhile.
        known[ObjectIdentifier(folder)] = (folder, mayList)
        return mayList
    }

    private func mayList(_ folder: BytePath) -> Bool {
        work.isTrue(at: folder) { [access] in access.mayList(folder) }
    }
}
