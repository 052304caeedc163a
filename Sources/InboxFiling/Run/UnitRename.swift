import InboxLinux

/// Moves a document together with the files that belong to it, all under their leases.
enum UnitRename {
    /// Returns whether the document needs more than a rename: it has members, or SQLite gives names beside its own a
    /// meaning.
    static func isNeeded(for document: PreparedDocument) -> Bool {
        guard document.status.kind == .regular else { return false }
        return !document.request.members.isEmpty || document.detection.isDatabase
            || MemberName.database(of: document.wanted) != nil
    }

    /// Moves all of it to the first number at which every name is free; the lease of the document is held by the caller.
    static func perform(
        _ document: PreparedDocument, from folder: OpenFolder, _ names: inout FreeNames
    ) throws(Refusal) -> RenameOutcome {
        let files = try prove(document, in: folder)
        defer { for file in files { ReadLease.releaseAny(file.descriptor) } }
        let target = document.reached.folder
        let (members, isDatabase) = (document.request.members.map(\.name), document.detection.isDatabase)
        let unit = DocumentUnit(document.request.name, with: members, in: folder, isDatabase: isDatabase)
        do throws(SyscallError) {
            let taken = try names.take(document.wanted, in: target) { (candidate) throws(SyscallError) in
                try unit.move(to: target, as: candidate)
            }
            guard let taken else { return .noName }
            guard Moving.isSame(taken.name, as: document.known, in: target) != false else {
                let moved = members.compactMap { MemberName.renamed($0, of: document.request.name, as: taken.name) }
                try DocumentUnit(taken.name, with: moved, in: target, isDatabase: isDatabase)
                    .bringBack(to: folder, as: document.request.name)
                return .replaced
            }
            return .moved(taken.name, number: taken.number)
        } catch {
            guard areTogether(document, in: folder) else { throw Refusal(apart: error, at: document.reached.path) }
            if error.errno == .crossDevice || error.isWithoutNoReplace { throw Refusal(.across) }
            throw Refusal(error, at: document.reached.path)
        }
    }

    /// Returns whether all of it is shown to be in the folder that it was in.
    private static func areTogether(_ document: PreparedDocument, in folder: OpenFolder) -> Bool {
        do throws(SyscallError) {
            for name in [document.request.name] + document.request.members.map(\.name) {
                guard try folder.directory.has(name) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// Shows that nobody writes to a member, and brings it to the disk.
    private static func prove(_ document: PreparedDocument, in folder: OpenFolder) throws(Refusal) -> [OpenFile] {
        var files: [OpenFile] = []
        for member in document.request.members {
            let (file, _) = try document.open(member, in: folder)
            if document.request.settings.durability == .full {
                try Refusal.at(document.request.folderPath.appending(member.name), file.descriptor.sync())
            }
            if document.isLeased, ReadLease.take(file.descriptor) == .writer { throw Refusal(.writer) }
            files.append(file)
        }
        return files
    }
}
