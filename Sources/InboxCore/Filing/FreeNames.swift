import InboxLinux

/// Finds the free name of a row in a folder, for one batch.
///
/// The kernel has the last word (a rename that never replaces), so this only decides which name is tried next. After
/// some names in vain the folder is read once, so that the thousandth `scan.pdf` does not try a thousand names.
struct FreeNames {
    private static let triesBeforeReading = 16

    private struct Row: Hashable {
        let folder: ObjectIdentifier
        let name: FileName
    }

    private struct Search {
        var next = 0
        var taken: Set<Int>?
    }

    private var searches: [Row: Search] = [:]

    /// Offers names to `attempt` until it says that it took one; nil where no name fits the row.
    ///
    /// `attempt` answers false where the name is taken.
    mutating func take(
        _ wanted: FileName, in folder: OpenFolder, _ attempt: (FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        let key = Row(folder: ObjectIdentifier(folder), name: wanted)
        let row = NumberedName(wanted)
        var search = searches[key] ?? Search()
        defer { searches[key] = search }
        while let candidate = row.numbered(search.next) {
            let number = search.next
            if search.taken?.contains(number) != true, try attempt(candidate) {
                search.next += 1
                return (candidate, number)
            }
            search.next += 1
            if search.next == Self.triesBeforeReading, search.taken == nil {
                search.taken = try Self.numbers(of: row, in: folder)
            }
        }
        return nil
    }

    private static func numbers(of row: NumberedName, in folder: OpenFolder) throws(SyscallError) -> Set<Int> {
        var entries = try DirectoryEntries(of: try folder.directory.folder(beneath: []))
        var found: Set<Int> = []
        while let entry = try entries.next() {
            if let number = row.number(of: entry.name) { found.insert(number) }
        }
        return found
    }
}
