import InboxLinux

/// Removes the marker of documents that are recorded.
package enum MarkerRemoval {
    /// Removes a marker from the folder of its documents; one that is another file by now, or that was written anew, stays.
    ///
    /// It is set aside under a name that nobody saves over before it is inspected: between an inspection and the removal
    /// somebody may give the name to a document.
    package static func perform(_ marker: UnitMember, in folder: OpenFolder) throws(SyscallError) {
        let aside = RemovalName.name(for: marker.name)
        let isTaken = try isThere(marker, as: marker.name, in: folder)
        // Where somebody else's file has that name, the marker stays, and says nothing to anybody.
        if isTaken, try !folder.directory.setAside(marker.name, as: aside) { return }
        if try isThere(marker, as: aside, in: folder) { return try folder.directory.removeFile(aside) }
        guard isTaken else { return }
        var names = FreeNames()
        _ = try names.make(marker.name, in: folder) { (candidate) throws(SyscallError) in
            try folder.directory.rename(aside, to: folder.directory, as: candidate)
        }
    }

    private static func isThere(
        _ marker: UnitMember, as name: FileName, in folder: OpenFolder
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) { return try folder.directory.status(of: name).identity.isSame(marker.identity) } catch
            where error.errno.isAbsent
        {
            return false
        }
    }
}
