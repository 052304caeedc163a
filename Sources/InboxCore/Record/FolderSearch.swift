import InboxFiling
import InboxLinux

/// Finds documents by their marks in their destination folders; each folder is read at most once for all entries of the
/// journal together, and once more for the notes in a staging folder.
struct FolderSearch {
    /// The inode numbers that are searched in each folder.
    private var wanted: [BytePath: Set<UInt64>] = [:]
    /// The names that have such numbers, once the folder was read.
    private var names: [BytePath: [UInt64: [FileName]]] = [:]

    init(_ entries: JournalEntries) {
        add(entries.documents.values)
    }

    /// Adds the documents, or the copies, of other entries to what is searched for.
    mutating func add(_ entries: some Collection<JournalEntry>) {
        for entry in entries {
            guard let found = entry.claim == nil ? entry.identity : entry.copied?.copy else { continue }
            let isNew = wanted[entry.destination, default: []].insert(found.file.inode).inserted
            if isNew { names[entry.destination] = nil }
            for member in entry.members { wanted[entry.destination, default: []].insert(member.identity.file.inode) }
        }
    }

    /// The name of a copy: the one that was wanted before any other.
    mutating func name(of copy: FileIdentity, _ claim: JournalEntry, in folder: OpenFolder) throws(SyscallError)
        -> FileName?
    {
        try name(claim.wanted, copy.file.inode, in: folder, at: claim.destination) { (name) throws(SyscallError) in
            let found = try folder.directory.status(of: name).identity
            guard found.file.isFile(copy.file) else { return false }
            // Without a birth time another file may have got the number.
            return copy.file.birth != nil || found.isSame(copy)
        }
    }

    /// The name of a file that went with a document.
    mutating func name(of member: UnitMember, _ entry: JournalEntry, in folder: OpenFolder) throws(SyscallError)
        -> FileName?
    {
        try name(
            member.name, member.identity.file.inode, in: folder, at: entry.destination
        ) { (name) throws(SyscallError) in try member.identity.isStill(name, in: folder.directory) }
    }

    /// The name of a document that was moved: the one that was wanted before any other.
    mutating func name(of intent: JournalEntry, in folder: OpenFolder) throws(SyscallError) -> FileName? {
        let identity = intent.identity
        let found = try name(
            intent.wanted, identity.file.inode, in: folder, at: intent.destination
        ) { (name) throws(SyscallError) in try identity.isStill(name, in: folder.directory) }
        if let found { return found }
        // Such filesystems may list other inode numbers than files have.
        let filesystem = try Filesystem(of: folder.directory.descriptor)
        if filesystem.isLayered || !filesystem.hasLastingInodes {
            return try row(of: intent.wanted, in: folder) { (name) throws(SyscallError) in
                try identity.isStill(name, in: folder.directory)
            }
        }
        return identity.file.birth == nil ? try changed(intent, in: folder) : nil
    }

    /// The name of a document that was moved and has been written to since, where the filesystem keeps no birth times: under
    /// a name of its row no other file has its number.
    private mutating func changed(_ intent: JournalEntry, in folder: OpenFolder) throws(SyscallError) -> FileName? {
        guard try folder.directory.filesystemMark().isSame(as: intent.filesystem) else { return nil }
        let (row, file) = (NumberedName(intent.wanted), intent.identity.file)
        return try name(intent.wanted, file.inode, in: folder, at: intent.destination) { (name) throws(SyscallError) in
            guard row.number(of: name) != nil else { return false }
            return try folder.directory.status(of: name).identity.file.isFile(file)
        }
    }

    /// The first of the numbered names, as far as they are taken without a gap, that passes a test.
    func row(
        of wanted: FileName, in folder: OpenFolder, _ test: (FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> FileName? {
        let row = NumberedName(wanted)
        var number = 1
        while let name = row.numbered(number), try folder.directory.has(name) {
            if try test(name) { return name }
            number += 1
        }
        return nil
    }

    private mutating func name(
        _ wanted: FileName, _ inode: UInt64, in folder: OpenFolder, at path: BytePath,
        _ test: (FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> FileName? {
        if try passes(wanted, test) { return wanted }
        if names[path] == nil { names[path] = try read(folder, path) }
        let row = NumberedName(wanted)
        var other: FileName?
        for name in names[path]?[inode] ?? [] where try passes(name, test) {
            // Any other name may be another hard link.
            if row.number(of: name) != nil { return name }
            other = other ?? name
        }
        return other
    }

    private func passes(_ name: FileName, _ test: (FileName) throws(SyscallError) -> Bool) throws(SyscallError) -> Bool
    {
        do throws(SyscallError) { return try test(name) } catch  where error.errno.isAbsent || error.errno.isUnfitName {
            return false
        }
    }

    private func read(_ folder: OpenFolder, _ path: BytePath) throws(SyscallError) -> [UInt64: [FileName]] {
        let wanted = wanted[path] ?? []
        var found: [UInt64: [FileName]] = [:]
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            if wanted.contains(entry.inode) { found[entry.inode, default: []].append(entry.name) }
        }
        return found
    }
}
