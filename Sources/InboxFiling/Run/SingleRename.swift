import InboxLinux

/// Moves the name of one document to its destination, under a lease that is held from the last check until it has moved.
enum SingleRename {
    /// The lease is left to whoever closes the file next.
    /// - Returns: the name at the destination and its number, 0 for none.
    static func perform(
        _ document: PreparedDocument, from folder: OpenFolder, _ names: inout FreeNames, _ abandonment: Abandonment
    ) throws(Refusal) -> (name: FileName, number: Int) {
        try document.takeLease()
        try document.showUnchanged(in: folder, abandonment)
        if document.isOutdated { throw Refusal(.changed) }
        let outcome =
            UnitRename.isNeeded(for: document)
            ? try UnitRename.perform(document, from: folder, &names) : try rename(document, from: folder, &names)
        switch outcome {
        case .moved(let name, let number): return (name, number)
        case .noName: throw Refusal(.hold(.name, "no free name fits \(document.reached.path)"))
        case .replaced: throw Refusal(.changed)
        }
    }

    private static func rename(
        _ document: PreparedDocument, from folder: OpenFolder, _ names: inout FreeNames
    ) throws(Refusal) -> RenameOutcome {
        do throws(SyscallError) {
            return try Moving.rename(
                document.request.name, document.known, from: folder, to: document.reached.folder,
                as: document.wanted, &names)
        } catch {
            // Where no rename spares what exists, the document is claimed first.
            if error.errno == .crossDevice || error.isWithoutNoReplace { throw Refusal(.across) }
            if error.errno.isReadOnly, let denier = readOnlySource(of: document, in: folder) {
                throw Refusal(.hold(.permission, error.words(at: denier)))
            }
            throw Refusal(error, at: denier(of: document, from: folder, error))
        }
    }

    /// The path that a failed rename is about: the folder, or the document, that denies it.
    private static func denier(
        of document: PreparedDocument, from folder: OpenFolder, _ error: SyscallError
    ) -> BytePath {
        guard error.errno.isDenied, !error.errno.isReadOnly else { return document.reached.path }
        if document.status.isFixed { return document.source }
        if !folder.mayChange { return document.request.folderPath }
        return document.reached.folder.mayChange ? document.request.folderPath : document.reached.path
    }

    /// The document, or its folder inside the Inbox, where that is what is read-only, as a snapshot of btrfs is: the
    /// destination is not to blame, and everything else is filed.
    private static func readOnlySource(of document: PreparedDocument, in folder: OpenFolder) -> BytePath? {
        guard document.reached.folder.mayChange else { return nil }
        if let package = document.package, !package.mayChange, folder.mayChange { return document.source }
        return document.request.folder != nil && !folder.mayChange ? document.request.folderPath : nil
    }
}
