import InboxLinux

/// A document and the files that belong to it, in one folder: all of it gets the same number, or none of it moves.
///
/// The members go first and the document last: a log without its database harms nobody, while SQLite plays any log that lies
/// beside a database into it. For that reason a database never gets a name beside which another's log lies, nor a log one
/// beside another's database. After a kill, recovery brings the document to its members, or the members to the document.
package struct DocumentUnit {
    private let name: FileName
    private let members: [FileName]
    private let folder: OpenFolder
    private let isDatabase: Bool

    /// A unit of these names in a folder.
    package init(_ name: FileName, with members: [FileName], in folder: OpenFolder, isDatabase: Bool) {
        self.name = name
        self.members = members
        self.folder = folder
        self.isDatabase = isDatabase
    }

    /// Moves all of it to the names beside this one.
    /// - Parameter joined: the members that are there already.
    /// - Returns: false where one of the names is taken, or where SQLite would take what is there for a part of it; all of it
    ///   is in its folder then.
    package func move(
        to target: OpenFolder, as candidate: FileName, joining joined: [FileName] = []
    ) throws(SyscallError) -> Bool {
        guard let names = names(as: candidate), try isAlone(in: target, as: candidate, with: joined),
            try rename(to: target, as: candidate, names)
        else { return false }
        // Somebody may have put a log beside the name at this moment. Where that cannot be shown, it stays: it was alone just
        // before.
        do throws(SyscallError) {
            if try isAlone(in: target, as: candidate, with: names + joined) { return true }
        } catch {
            return true
        }
        try DocumentUnit(candidate, with: names, in: target, isDatabase: isDatabase).bringBack(to: folder, as: name)
        return false
    }

    /// Returns all of it to a folder, under its name there or the first number at which every name is free.
    package func bringBack(to origin: OpenFolder, as former: FileName) throws(SyscallError) {
        var names = FreeNames()
        _ = try names.take(former, in: origin) { (candidate) throws(SyscallError) in
            guard let names = self.names(as: candidate), try isAlone(in: origin, as: candidate, with: []) else {
                return false
            }
            return try rename(to: origin, as: candidate, names)
        }
    }

    /// Gives a member that is apart from its document a name in a folder where that, or nothing of it, is.
    /// - Returns: the name that it got, which is another one where the wanted one is taken; nil where none fits.
    @discardableResult
    package static func move(
        member name: FileName, from folder: OpenFolder, to target: OpenFolder, as wanted: FileName
    ) throws(SyscallError) -> FileName? {
        do throws(SyscallError) {
            try folder.directory.rename(name, to: target.directory, as: wanted)
            return wanted
        } catch  where error.errno == .exists {
            // Not beside another database, which would take it for its own.
            var names = FreeNames()
            names.avoidsLogs = true
            return try Moving.rename(name, from: folder, to: target, as: wanted, &names)?.name
        }
    }

    /// The names of the members beside this one; nil where one does not fit.
    private func names(as candidate: FileName) -> [FileName]? {
        let names = members.compactMap { MemberName.renamed($0, of: name, as: candidate) }
        return names.count == members.count ? names : nil
    }

    private func rename(
        to target: OpenFolder, as candidate: FileName, _ names: [FileName]
    ) throws(SyscallError) -> Bool {
        // What is taken is no reason to move anything first.
        for name in [candidate] + names where try target.directory.has(name) { return false }
        var moved: [(FileName, former: FileName)] = []
        do throws(SyscallError) {
            for (member, name) in zip(members, names) {
                try folder.directory.rename(member, to: target.directory, as: name)
                moved.append((name, member))
            }
            try folder.directory.rename(name, to: target.directory, as: candidate)
            return true
        } catch {
            let failure = error
            for (name, former) in moved { try Self.move(member: name, from: target, to: folder, as: former) }
            if failure.errno == .exists { return false }
            throw failure
        }
    }

    /// Returns whether SQLite would take nothing that is there for a part of this, nor this for a part of what is there.
    private func isAlone(
        in target: OpenFolder, as candidate: FileName, with own: [FileName]
    ) throws(SyscallError) -> Bool {
        if isDatabase {
            for log in MemberName.logs(of: candidate) where !own.contains(log) {
                if try target.directory.has(log) { return false }
            }
        }
        guard let database = MemberName.database(of: candidate) else { return true }
        return try !target.directory.has(database)
    }
}
