import InboxFiling
import InboxLinux

/// Brings the files that go with a document to where it is, after an interruption between their renames.
enum InterruptedUnit {
    /// Returns the names that the members have at the destination beside the document.
    /// - Parameter name: the document's name there; nil where it is in the Inbox, to which they return then.
    static func end(
        _ intent: JournalEntry, at name: FileName?, in recovery: Recovery, _ search: inout FolderSearch
    ) throws(SyscallError) -> [FileName] {
        guard !intent.members.isEmpty, let parent = intent.source.parent,
            let former = FileName(intent.source.lastComponent)
        else { return [] }
        let target: OpenFolder
        let source: OpenFolder
        do throws(SyscallError) { target = OpenFolder(try Directory.open(path: intent.destination)) } catch
            where error.errno.isAbsent
        {
            return []
        }
        do throws(SafePathError) { source = OpenFolder(try recovery.openSource(parent)) } catch {
            if case .failed(_, let error) = error, error.errno.isWantOfResources { throw error }
            // The Inbox's folder is gone: what has reached the destination stays there.
            return []
        }
        var found: [FileName] = []
        for member in intent.members {
            let there = try search.name(of: member, intent, in: target)
            guard let name, let wanted = MemberName.renamed(member.name, of: former, as: name) else {
                if let there { try move(there, from: target, to: source, as: member.name) }
                continue
            }
            found.append(wanted)
            if there == wanted { continue }
            if let there {
                try move(there, from: target, to: target, as: wanted)
            } else if try isThere(member, in: source) {
                try move(member.name, from: source, to: target, as: wanted)
            }
        }
        try target.directory.sync()
        try source.directory.sync()
        return found
    }

    private static func isThere(_ member: UnitMember, in folder: OpenFolder) throws(SyscallError) -> Bool {
        do throws(SyscallError) { return try member.identity.isStill(member.name, in: folder.directory) } catch
            where error.errno.isAbsent
        {
            return false
        }
    }

    private static func move(
        _ name: FileName, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName
    ) throws(SyscallError) {
        var names = FreeNames()
        _ = try names.make(wanted, in: target) { (candidate) throws(SyscallError) in
            try folder.directory.rename(name, to: target.directory, as: candidate)
        }
    }
}
