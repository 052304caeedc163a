import InboxFiling
import InboxLinux

/// A document and the files that belong to it, after an interruption between their renames.
///
/// Where the document has moved, its members follow it. Where it has not, and members have, it goes to them: what belongs to a
/// document is never where that is not.
struct InterruptedUnit {
    private let intent: JournalEntry
    /// The document's name in the Inbox.
    private let former: FileName
    /// Its folder there; nil where that is gone.
    private let source: OpenFolder?
    private let target: OpenFolder
    /// The members at the destination, by the names that they have there.
    private let there: [(member: UnitMember, name: FileName)]
    /// The members in the Inbox.
    private let here: [UnitMember]

    /// Inspects both places; nil for a document without members, and where its destination is gone.
    init?(_ intent: JournalEntry, in recovery: Recovery, _ search: inout FolderSearch) throws(SyscallError) {
        guard !intent.members.isEmpty, let parent = intent.source.parent,
            let former = FileName(intent.source.lastComponent)
        else { return nil }
        (self.intent, self.former) = (intent, former)
        do throws(SyscallError) {
            guard let folder = try recovery.openDestination(of: intent) else { return nil }
            target = folder
        } catch  where error.errno.isAbsent {
            return nil
        }
        do throws(SafePathError) { source = OpenFolder(try recovery.openSource(parent)) } catch {
            if case .failed(_, let error) = error, error.errno.isWantOfResources { throw error }
            source = nil
        }
        var (there, here): ([(member: UnitMember, name: FileName)], [UnitMember]) = ([], [])
        for member in intent.members {
            if let name = try search.name(of: member, intent, in: target) {
                there.append((member, name))
            } else if let source, try Self.isThere(member, in: source) {
                here.append(member)
            }
        }
        (self.there, self.here) = (there, here)
    }

    private static func isThere(_ member: UnitMember, in folder: OpenFolder) throws(SyscallError) -> Bool {
        do throws(SyscallError) { return try member.identity.isStill(member.name, in: folder.directory) } catch
            where error.errno.isAbsent
        {
            return false
        }
    }

    /// Brings the members to the document at its destination; returns the names that they have there.
    func follow(to name: FileName) throws(SyscallError) -> [FileName] {
        var found: [FileName] = []
        for (member, there) in there {
            let wanted = MemberName.renamed(member.name, of: former, as: name) ?? there
            found.append(
                there == wanted
                    ? there : try DocumentUnit.move(member: there, from: target, to: target, as: wanted) ?? there)
        }
        guard let source else { return found }
        for member in here {
            guard let wanted = MemberName.renamed(member.name, of: former, as: name) else { continue }
            let moved = try DocumentUnit.move(member: member.name, from: source, to: target, as: wanted)
            if let moved { found.append(moved) }
        }
        try sync()
        return found
    }

    /// Brings a document that has not moved to the members that have, with those that have not. Where that cannot be, since
    /// somebody writes to it or its name is taken by now, the members return to the Inbox.
    /// - Returns: where it is now, with the names of the members; nil where it is in the Inbox.
    func goForward() throws(SyscallError) -> (MovedDocument, [FileName])? {
        guard let source, !there.isEmpty else { return nil }
        let names = there.map(\.name)
        if let candidate = candidate(), let leased = try prove(in: source) {
            defer { for file in leased { ReadLease.releaseAny(file.descriptor) } }
            let unit = DocumentUnit(former, with: here.map(\.name), in: source, isDatabase: isDatabase)
            if try unit.move(to: target, as: candidate, joining: names) {
                let moved = here.compactMap { MemberName.renamed($0.name, of: former, as: candidate) }
                if try intent.identity.isStill(candidate, in: target.directory) {
                    try sync()
                    return (MovedDocument(intent: intent, folder: target, name: candidate), names + moved)
                }
                // Somebody has put another file under its name since it was proved.
                try DocumentUnit(candidate, with: moved, in: target, isDatabase: isDatabase)
                    .bringBack(to: source, as: former)
            }
        }
        try bringBack()
        return nil
    }

    /// The names of the members at the destination.
    var namesThere: [FileName] { there.map(\.name) }

    /// Returns whether the document and its members are apart.
    /// - Parameters:
    ///   - name: the document's name at the destination; nil where it is not there.
    ///   - isInInbox: whether it is in the Inbox. Where it is in neither place, all members may be at the destination: it
    ///     may have moved then, and somebody has taken it.
    func isApart(from name: FileName?, isInInbox: Bool) -> Bool {
        guard let name else { return !there.isEmpty && (isInInbox || !here.isEmpty) }
        return !here.isEmpty || there.contains { MemberName.renamed($0.member.name, of: former, as: name) != $0.name }
    }

    /// Returns the members that have moved to the Inbox.
    func bringBack() throws(SyscallError) {
        guard let source else { return }
        for (member, name) in there {
            try DocumentUnit.move(member: name, from: target, to: source, as: member.name)
        }
        try sync()
    }

    /// The one name that the document has to get beside the members that have moved; nil where they have no name in common.
    private func candidate() -> FileName? {
        let names = there.map { (member, name) in
            MemberName.document(former, as: intent.wanted, beside: name, which: member.name)
        }
        guard let first = names.first, names.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private var isDatabase: Bool { intent.members.contains { MemberName.isLog($0.name, of: former) } }

    /// Shows that the document and the members in the Inbox are what the run was about to move, and that nobody writes to
    /// them; their leases are held from here on. Nil where that is not so.
    private func prove(in source: OpenFolder) throws(SyscallError) -> [OpenFile]? {
        var files: [OpenFile] = []
        for (name, identity) in here.map({ ($0.name, $0.identity) }) + [(former, intent.identity)] {
            do throws(SyscallError) {
                let file = OpenFile(try source.directory.file(name, mayCross: false))
                files.append(file)
                guard try file.descriptor.status().identity.isSame(identity),
                    ReadLease.takeUnlessRemote(file.descriptor) != .writer
                else { return nil }
                try file.descriptor.sync()
            } catch {
                if error.errno.isWantOfResources { throw error }
                return nil
            }
        }
        return files
    }

    private func sync() throws(SyscallError) {
        try target.directory.sync()
        try source?.directory.sync()
    }
}
