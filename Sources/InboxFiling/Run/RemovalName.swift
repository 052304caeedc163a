import InboxLinux

/// The names that entries of a package have while they are removed: `.inboxd-removed-` and their own name, which is cut
/// where that is too long.
///
/// Between the last look at an entry and its removal a program may save over its name. Nobody saves over this name, so
/// what has it can be inspected and then removed. An interruption leaves it: it says whose place the entry had.
package enum RemovalName {
    private static let prefix = Array(".inboxd-removed-".utf8)
    private static let room = FileName.longest - prefix.count

    /// Returns whether an entry with this name may have been set aside.
    static func isName(_ name: FileName) -> Bool { name.count > prefix.count && name.bytes.starts(with: prefix) }

    /// The name for an entry.
    static func name(for name: FileName) -> FileName {
        FileName(prefix + NumberedName.truncated(name.bytes, to: room)).unsafelyUnwrapped
    }

    /// The names that an entry may have had; none where it has not been set aside.
    /// - Parameter copy: the folder of the copy, which has the whole name of an entry whose name was cut.
    static func names(of entry: FolderWalk.Entry, copiedTo copy: OpenFolder?) throws(SyscallError) -> [FileName] {
        guard isName(entry.name), let name = FileName(entry.name.bytes.dropFirst(prefix.count)) else { return [] }
        // A cut at a character boundary leaves up to three bytes of room.
        guard let copy, name.count >= room - 3 else { return [name] }
        var found: [FileName] = []
        var entries = try DirectoryEntries(of: try copy.directory.folder(beneath: []))
        while let other = try entries.next() {
            if other.name.bytes.starts(with: name.bytes) { found.append(other.name) }
        }
        return found.isEmpty ? [name] : found
    }

    /// Returns whether the folder of the copy has the same as an entry, under the entry's name or one that it had
    /// before.
    /// - Parameter isEqual: compares the entry, which is open, with what has a name there.
    package static func hasSame(
        as entry: FolderWalk.Entry, in copy: OpenFolder, isEqual: (FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> Bool {
        for name in try [entry.name] + names(of: entry, copiedTo: copy) {
            do throws(SyscallError) { if try isEqual(name) { return true } } catch
                where error.errno.isAbsent || error.errno.isClosed || error.errno == .invalid
            {
                // The copy has no such name, no link under it, or what may not be read.
            }
        }
        return false
    }
}

extension Directory {
    /// Gives a file or link another name in this folder.
    /// - Returns: false where something has that name: it may have come with the package.
    func setAside(_ name: FileName, as aside: FileName) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try rename(name, to: self, as: aside)
        } catch  where error.errno == .exists {
            return false
        } catch  where error.isWithoutNoReplace {
            guard try !has(aside) else { return false }
            try claim(name, into: self, as: aside)
        }
        return true
    }
}
