import InboxLinux

/// Finds the free name of a row in a folder.
///
/// The kernel has the last word (a rename that never replaces), so this only decides which name is tried next: the name
/// itself, the number after the last one that was given, and then one that is found by ``NumberedName/firstFree(after:isTaken:)``.
package struct FreeNames: Sendable {
    private let numbers: LastNumbers
    private let isExact: Bool
    /// A name counts as taken beside which a log lies that SQLite would take for its own, or a database that would
    /// take it for a log.
    var avoidsLogs = false

    /// Searches that remember the last number of each row.
    /// - Parameter isExact: whether only the name itself is tried, without a number.
    package init(_ numbers: LastNumbers = LastNumbers(), isExact: Bool = false) {
        self.numbers = numbers
        self.isExact = isExact
    }

    /// Offers names to `attempt` until it says that it took one; nil where no name fits the row.
    /// - Parameter attempting: returns false where the name is taken.
    package mutating func take(
        _ wanted: FileName, in folder: OpenFolder, _ attempting: (FileName) throws(SyscallError) -> Bool
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        func attempt(_ name: FileName) throws(SyscallError) -> Bool {
            guard try isAlone(name, in: folder) else { return false }
            return try attempting(name)
        }
        if try attempt(wanted) { return (wanted, 0) }
        if isExact { return nil }
        let names = NumberedName(wanted)
        let row = LastNumbers.Row(folder: try folder.directory.status().identity.file, name: wanted)
        var last = try last(of: row, names, in: folder)
        while let next = names.numbered(last + 1) {
            if try attempt(next) {
                numbers.remember(last + 1, for: row)
                return (next, last + 1)
            }
            let free = try names.firstFree(after: last + 1) { (name) throws(SyscallError) in
                try folder.directory.has(name)
            }
            guard let free else { return nil }
            last = free - 1
        }
        return nil
    }

    /// Returns whether SQLite takes nothing beside this name for a part of what gets it, nor that for a part of what is
    /// there.
    private func isAlone(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> Bool {
        guard avoidsLogs else { return true }
        for log in MemberName.logs(of: name) where try folder.directory.has(log) { return false }
        guard let database = MemberName.database(of: name) else { return true }
        return try !folder.directory.has(database)
    }

    /// The last number of a row that was given, unless its name is free again: then others before it may be, too.
    private func last(
        of row: LastNumbers.Row, _ names: NumberedName, in folder: OpenFolder
    ) throws(SyscallError) -> Int {
        guard let last = numbers.last(of: row), let name = names.numbered(last) else { return 0 }
        return try folder.directory.has(name) ? last : 0
    }

    /// The same for a call that fails with EEXIST where a name is taken.
    package mutating func make(
        _ wanted: FileName, in folder: OpenFolder, _ make: (FileName) throws(SyscallError) -> Void
    ) throws(SyscallError) -> (name: FileName, number: Int)? {
        try take(wanted, in: folder) { (name) throws(SyscallError) in
            do throws(SyscallError) {
                try make(name)
                return true
            } catch  where error.errno == .exists {
                return false
            }
        }
    }
}

extension NumberedName {
    /// No row has as many names as this.
    private static let farthest = 1 << 40

    /// A free number beyond a taken one whose predecessor is taken; nil where the row ends before.
    ///
    /// The names at a distance of 1, 2, 4, … are tried until one is free, and the numbers before that are bisected: 34
    /// calls for 100,000 names. Where a row has gaps, any of them may be found.
    package func firstFree<Failure: Error>(
        after last: Int, isTaken: (FileName) throws(Failure) -> Bool
    ) throws(Failure) -> Int? {
        var taken = last
        var distance = 1
        while true {
            guard distance < Self.farthest, let name = numbered(last + distance) else { return nil }
            guard try isTaken(name) else { break }
            taken = last + distance
            distance *= 2
        }
        var free = last + distance
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2
            guard let name = numbered(middle) else { return nil }
            if try isTaken(name) { taken = middle } else { free = middle }
        }
        return free
    }
}

extension Directory {
    /// Returns whether the name exists here, whatever it is.
    package func has(_ name: FileName) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            _ = try status(of: name)
            return true
        } catch  where error.errno == .noEntry {
            return false
        }
    }
}
