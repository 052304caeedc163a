import InboxFiling
import InboxLinux
import InboxVarlink

// What earlier runs have filed.
extension Intake {
    /// Records: the newest ones tell which trees were being filed when the last run ended.
    private static let mostRecalled = 256

    /// Takes from the history of a state folder which folders that are still there earlier runs have filed from.
    func recallFilings(in state: BytePath) throws(SyscallError) {
        guard inboxes.contains(where: { $0.top?.folders.isEmpty == false }),
            let files = try HistoryFiles(folder: state)
        else { return }
        var query = HistoryQuery()
        query.limit = Self.mostRecalled
        var search = HistorySearch(query, in: files)
        while !search.isOver {
            for record in try search.step() { recall(record) }
        }
    }

    private func recall(_ record: JSONValue) {
        guard ["filed", "duplicate", "rejected"].contains(record["event"]?.string),
            let time = record["id"]?.string.flatMap(RecordID.init)?.seconds,
            let source = record["source"]?.string.flatMap(BytePath.init(escapedText:)),
            let inbox = inboxes.first(where: { source.isInside($0.path) }), var folder = inbox.top
        else { return }
        let names = Array(source.names.dropFirst(inbox.path.names.count).dropLast())
        for name in names {
            guard let inner = folder.folders[name] else { break }
            // Of one that is older nobody knows for how long it was empty before, so that it may be a standing one.
            guard inner.isMade(shortlyBefore: time) else { return }
            folder = inner
        }
        guard let top = folder.outermost else { return }
        folder.past.wasFilled = true
        top.past.hasFiled = true
        top.note(record["destination"]?.string.flatMap(BytePath.init(escapedText:))?.place(ofFolders: names))
        parts.emptied.consider(folder)
    }
}

extension Folder {
    /// Returns whether it was made so shortly before a time, in seconds, that it cannot have been empty for `FolderSettle`.
    fileprivate func isMade(shortlyBefore time: Int64) -> Bool {
        guard let birth = key.birth, birth.seconds <= time else { return false }
        return .seconds(time - birth.seconds) <= max(inbox.settings.folderSettle, .seconds(1))
    }
}
