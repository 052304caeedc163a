import InboxLinux

/// The state folder of another daemon of an Inbox, whose journal and history say which documents it files or has filed.
package struct OtherState: Sendable {
    /// The folder.
    package let folder: OpenFolder
    /// The documents that its journal has not ended.
    private let open: [JournalEntry]
    /// When the daemon began that works on it; nil where none does.
    private let begun: Timestamp?

    /// Reads what the daemon at a path has open. Its history is to be read later: a record precedes the end of its entry.
    ///
    /// Nil where that may not be read, or others could have written it. What is missing fails with ENOENT.
    package init?(at path: BytePath) throws(SyscallError) {
        guard let found = try Self.open(path),
            try StateFolder.danger(of: found.directory, found.directory.status(), at: path) == nil
        else { return nil }
        var (due, damaged) = (DueHandlers(), [BytePath?]())
        do throws(StateFileError) {
            let lines = try found.stateFile(Journal.name, limit: Journal.longest) ?? []
            open = Array(JournalEntries(lines: lines, due: &due, damaged: &damaged).documents.values)
        } catch { return nil }
        folder = found
        begun = try Self.begun(found)
    }

    /// Opens a folder at a path without links; nil on a mount whose server may never answer, since whoever can write to the
    /// Inbox may have named it.
    private static func open(_ path: BytePath) throws(SyscallError) -> OpenFolder? {
        let table = try FileDescriptor.reading(path: BytePath("/proc/self/mountinfo")).contents(limit: 16 << 20)
        guard let table, !MountTable(table).isForeign(path) else { return nil }
        return OpenFolder(try Directory.open(path: BytePath("/")).folder(beneath: path.names))
    }

    /// Returns false where there is no folder at a path.
    static func isThere(_ path: BytePath) throws(SyscallError) -> Bool {
        do throws(SyscallError) { _ = try open(path) } catch { return !error.errno.isAbsent }
        return true
    }

    /// Returns when the daemon began that works on a state folder: when it wrote itself into its lock. Nil for none.
    private static func begun(_ folder: OpenFolder) throws(SyscallError) -> Timestamp? {
        do throws(SyscallError) {
            let lock = try folder.directory.file(StateFolder.lockName)
            return try lock.isLocked() ? try lock.status().identity.modified : nil
        } catch  where error.errno.isAbsent {
            return nil
        }
    }

    /// Returns true if the other daemon may yet record the document of an entry of this one: it has it in its journal, and
    /// files it now, or recovers it too and began first. Of two that recover one document each finds the same of both, and
    /// one that does not run finds this one when it starts.
    /// - Parameter own: the state folder of this daemon.
    package func mayRecord(_ entry: JournalEntry, before own: OpenFolder) throws(SyscallError) -> Bool {
        guard let begun, let started = try Self.begun(own) else { return false }
        return open.contains { other in
            guard other.identity.file.isFile(entry.identity.file), other.undoes == nil, other.main == nil else {
                return false
            }
            // What this run of its daemon has begun may be under way, and is recorded without a question.
            if other.id >= RecordID(before: begun) { return true }
            return entry.id < RecordID(before: started) && (begun, other.id) < (started, entry.id)
        }
    }
}
