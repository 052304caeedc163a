import InboxLinux

extension History {
    /// The name of a file that was full at this time, less its number.
    private static func rotatedName(at time: Timestamp) -> FileName? {
        FileName("history-\(time.text.prefix(19).filter { $0 != "-" && $0 != ":" }).jsonl")
    }

    /// Whether it is the name of a file that was full once.
    static func isRotated(_ name: FileName) -> Bool {
        name.bytes.starts(with: "history-".utf8) && name.bytes.suffix(6).elementsEqual(".jsonl".utf8)
    }

    /// Gives the file a name of its own, never that of another.
    func moveAside(at time: Timestamp) throws(SyscallError) {
        guard let wanted = Self.rotatedName(at: time) else { return }
        let row = NumberedName(wanted)
        var number = 0
        while let name = row.numbered(number) {
            do throws(SyscallError) {
                return try rename(to: name)
            } catch  where error.errno == .exists {
                number += 1
            } catch  where error.errno == .noEntry {
                // Somebody took the file away, or the last try ended between the rename and the new file.
                return
            }
        }
    }

    /// A rename that never replaces; where the filesystem knows none, a second name, and then the first one goes.
    private func rename(to name: FileName) throws(SyscallError) {
        do throws(SyscallError) {
            try folder.directory.rename(Self.name, to: folder.directory, as: name)
        } catch  where error.errno.isUnsupported {
            try folder.directory.link(Self.name, to: folder.directory, as: name)
            // Else a power loss could leave neither.
            try folder.directory.sync()
            try folder.directory.removeFile(Self.name)
        }
    }

    /// Ends a rotation that was interrupted between the second name and the end of the first: appended to by one name,
    /// the lines would come under both.
    static func endRotation(in folder: OpenFolder) throws(SyscallError) {
        let status: FileStatus
        do throws(SyscallError) { status = try folder.directory.status(of: name) } catch  where error.errno.isAbsent {
            return
        }
        guard status.links > 1, status.kind == .regular else { return }
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        while let entry = try entries.next() {
            guard entry.inode == status.identity.file.inode, isRotated(entry.name) else { continue }
            return try folder.directory.removeFile(name)
        }
    }
}
