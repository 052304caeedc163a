import InboxLinux

/// Moves a document together with the files that belong to it: all under one number, or none.
///
/// The members go first and the document last: a log without its database harms nobody, while SQLite plays any log that lies
/// beside a database into it. For that reason a database never gets a name beside which another's log lies, nor a log one
/// beside another's database. After a kill, recovery brings the members to where the document is.
enum UnitRename {
    /// Whether the document needs more than a rename: it has members, or SQLite gives names beside its own a meaning.
    static func isNeeded(for document: PreparedDocument) -> Bool {
        guard document.status.kind == .regular else { return false }
        return !document.request.members.isEmpty || isDatabase(document) || isLog(document)
    }

    private static func isDatabase(_ document: PreparedDocument) -> Bool { document.detection.isDatabase }

    private static func isLog(_ document: PreparedDocument) -> Bool {
        MemberName.database(of: document.wanted) != nil
    }

    /// Moves all of it to the first number at which every name is free; the lease of the document is held by the caller.
    static func perform(
        _ document: PreparedDocument, from folder: OpenFolder, _ names: inout FreeNames
    ) throws(Refusal) -> RenameOutcome {
        let files = try prove(document, in: folder)
        defer { for file in files { ReadLease.releaseAny(file.descriptor) } }
        names.avoidsLogs = isDatabase(document) || isLog(document)
        defer { names.avoidsLogs = false }
        do throws(SyscallError) {
            let taken = try names.take(document.wanted, in: document.reached.folder) {
                (candidate) throws(SyscallError) in
                try move(document, from: folder, as: candidate)
            }
            guard let taken else { return .noName }
            guard Moving.isSame(taken.name, as: document.known, in: document.reached.folder) != false else {
                try takeBack(document, to: folder, from: taken.name)
                return .replaced
            }
            return .moved(taken.name, number: taken.number)
        } catch {
            if error.errno == .crossDevice || error.isWithoutNoReplace { throw Refusal(.across) }
            throw Refusal(error, at: document.reached.path)
        }
    }

    /// Shows that nobody writes to a member, and brings it to the disk.
    private static func prove(_ document: PreparedDocument, in folder: OpenFolder) throws(Refusal) -> [OpenFile] {
        var files: [OpenFile] = []
        for member in document.request.members {
            let place = document.request.folderPath.appending(member.name)
            let file: OpenFile
            let isSame: Bool
            do throws(SyscallError) {
                file = OpenFile(try folder.directory.file(member.name, mayCross: false))
                let status = try file.descriptor.status()
                // What a check has accepted is not even touched since.
                let accepted = document.request.verdicts?.members[member.name]
                isSame =
                    status.identity == member.identity && accepted.map { $0 == CheckVerdicts.State(status) } ?? true
                if isSame, document.request.settings.durability == .full { try file.descriptor.sync() }
            } catch {
                throw Refusal(error, at: place)
            }
            guard isSame else { throw Refusal(.changed) }
            if document.isLeased, ReadLease.take(file.descriptor) == .writer { throw Refusal(.writer) }
            files.append(file)
        }
        return files
    }

    /// Returns false where a name of this number is taken.
    private static func move(
        _ document: PreparedDocument, from folder: OpenFolder, as candidate: FileName
    ) throws(SyscallError) -> Bool {
        let target = document.reached.folder
        guard let names = names(of: document, as: candidate) else { return false }
        for name in [candidate] + names where try target.directory.has(name) { return false }
        var moved: [(FileName, FileName)] = []
        do throws(SyscallError) {
            for (member, name) in zip(document.request.members, names) {
                try folder.directory.rename(member.name, to: target.directory, as: name)
                moved.append((name, member.name))
            }
            try folder.directory.rename(document.request.name, to: target.directory, as: candidate)
        } catch {
            for (name, former) in moved { try bringBack(name, from: target, to: folder, as: former) }
            if error.errno == .exists { return false }
            throw error
        }
        // Somebody may have put a log beside the name at this moment.
        if try isAlone(document, as: candidate) { return true }
        try takeBack(document, to: folder, from: candidate)
        return false
    }

    /// The names of the members beside this one; nil where one does not fit.
    private static func names(of document: PreparedDocument, as candidate: FileName) -> [FileName]? {
        let names = document.request.members.compactMap {
            MemberName.renamed($0.name, of: document.request.name, as: candidate)
        }
        return names.count == document.request.members.count ? names : nil
    }

    /// Whether SQLite would take nothing that is there for a part of this document, nor this one for a part of what is there.
    private static func isAlone(_ document: PreparedDocument, as candidate: FileName) throws(SyscallError) -> Bool {
        let target = document.reached.folder
        if isDatabase(document) {
            let own = names(of: document, as: candidate) ?? []
            for name in MemberName.logs(of: candidate) where !own.contains(name) {
                if try target.directory.has(name) { return false }
            }
        }
        if let database = MemberName.database(of: candidate), try target.directory.has(database) { return false }
        return true
    }

    private static func takeBack(
        _ document: PreparedDocument, to folder: OpenFolder, from candidate: FileName
    ) throws(SyscallError) {
        let target = document.reached.folder
        try bringBack(candidate, from: target, to: folder, as: document.request.name)
        for (member, name) in zip(document.request.members, names(of: document, as: candidate) ?? []) {
            try bringBack(name, from: target, to: folder, as: member.name)
        }
    }

    private static func bringBack(
        _ name: FileName, from target: OpenFolder, to folder: OpenFolder, as former: FileName
    ) throws(SyscallError) {
        var names = FreeNames()
        _ = try names.make(former, in: folder) { (candidate) throws(SyscallError) in
            try target.directory.rename(name, to: folder.directory, as: candidate)
        }
    }
}
