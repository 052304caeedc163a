import InboxConfiguration
import InboxFiling
import InboxLinux

/// Which folders are to be removed when: those that held documents, are empty, and were left alone for `FolderSettle`; and with
/// them the empty folders of their trees, once those are made where the documents have gone.
final class EmptiedFolders {
    private struct Entry: Hashable {
        let folder: Folder
        /// The whole tree is meant, of which it is the outermost folder.
        var isTree = false
    }

    private let book: ArrivalBook
    private let scanner: FolderScanner
    private var deadlines = Deadlines<Entry>()
    /// The empty folders of trees that are done, and those that are being made at their destinations.
    private var orders: (waiting: [FolderMirroring.Order], taken: Set<FileKey>) = ([], [])

    init(book: ArrivalBook, scanner: FolderScanner) {
        self.book = book
        self.scanner = scanner
    }

    /// When a folder may be removed.
    var nextDeadline: Instant { deadlines.first }

    /// 5 s: nobody waits longer for the end of `--once` because of emptied folders, which a later run removes too.
    private static let soon = Duration.seconds(5)

    /// Returns whether some may be removed so soon that `--once` waits for that.
    func isDueSoon(at now: Instant) -> Bool { hasOrders || deadlines.first <= now + Self.soon }

    /// Takes note of a folder that may be removed after `FolderSettle`, or around which the last document has gone.
    func consider(_ folder: Folder) {
        if let top = folder.outermost, top.past.hasFiled, !top.past.isStanding, isEnabled(top) {
            set(Entry(folder: top, isTree: true))
        }
        guard folder.past.wasFilled, isRemovable(folder) else { return }
        set(Entry(folder: folder))
    }

    private func set(_ entry: Entry) {
        deadlines.set(entry, at: entry.folder.past.touched + entry.folder.inbox.settings.folderSettle)
    }

    /// A folder has left the tree.
    func forget(_ folder: Folder) {
        deadlines.remove(Entry(folder: folder))
        deadlines.remove(Entry(folder: folder, isTree: true))
    }

    /// The next folder whose time has come, and that is still empty and untouched.
    func popDue(at now: Instant) -> Folder? {
        while let entry = deadlines.pop(dueAt: now)?.key {
            let folder = entry.folder
            if entry.isTree {
                end(folder, at: now)
                continue
            }
            guard isRemovable(folder) else { continue }
            if folder.past.touched + folder.inbox.settings.folderSettle <= now { return folder }
            consider(folder)
        }
        return nil
    }

    private func isEnabled(_ folder: Folder) -> Bool {
        switch folder.position.location {
        case .inside: folder.inbox.settings.removeEmptyFolders
        case .top: folder.inbox.settings.removeInbox
        case .around: false
        }
    }

    private func isRemovable(_ folder: Folder) -> Bool {
        !folder.isGone && isEnabled(folder) && !folder.stays && folder.folders.isEmpty
            && (folder.parent == nil ? book.isFree(folder) : book.litter(in: folder) != nil)
    }
}

// The empty folders of a tree.
extension EmptiedFolders {
    /// Returns whether the empty folders of a tree are made where its documents go, once nothing else is left in it.
    func mirrors(_ top: Folder) -> Bool {
        isEnabled(top) && !top.past.isStanding && top.inbox.settings.folders == .mirror
    }

    /// Ends a tree in which nothing is left that would be filed.
    private func end(_ top: Folder, at now: Instant) {
        guard !top.isGone, isEnabled(top) else { return }
        var (touched, empty): (Instant, [Folder]) = (top.past.touched, [])
        for folder in top.tree {
            guard book.litter(in: folder) != nil, !scanner.isToRead(folder) else { return }
            touched = max(touched, folder.past.touched)
            if folder.folders.isEmpty, !folder.past.wasFilled, !folder.isMountTop { empty.append(folder) }
        }
        let due = touched + top.inbox.settings.folderSettle
        guard due <= now else { return deadlines.set(Entry(folder: top, isTree: true), at: due) }
        for folder in empty {
            if top.inbox.settings.folders == .flatten {
                folder.past.wasFilled = true
                consider(folder)
            } else if !orders.taken.contains(folder.key) {
                orders.taken.insert(folder.key)
                orders.waiting.append(
                    FolderMirroring.Order(
                        folder.key, of: folder.owner, in: top.inbox.path, at: folder.path, places: top.past.places))
            }
        }
    }

    /// Some are to be made.
    var hasOrders: Bool { !orders.waiting.isEmpty }

    /// Takes those that are to be made, at most so many.
    func takeOrders(most: Int) -> [FolderMirroring.Order] {
        defer { orders.waiting.removeFirst(min(most, orders.waiting.count)) }
        return Array(orders.waiting.prefix(most))
    }

    /// A try to make folders has ended: those that are there now leave the Inbox.
    /// - Parameter folder: the walked folder that a key is of.
    func noteMirrored(_ orders: [FolderMirroring.Order], _ made: [FileKey], folder: (FileKey) -> Folder?) {
        self.orders.taken.subtract(orders.map(\.key))
        for key in made {
            guard let folder = folder(key), !folder.isGone else { continue }
            folder.past.wasFilled = true
            consider(folder)
        }
    }
}

/// Removes the folders that were emptied by filing.
struct EmptiedFolderRemoval {
    let emptied: EmptiedFolders
    let book: ArrivalBook
    let tree: WatchedTree
    let course: ArrivalCourse
    let scanner: FolderScanner

    /// Folders: so many are removed at a time, since nothing else is done meanwhile.
    private static let portion = 32
    /// Steps through one folder of litter.
    private static let mostLitter = 4_096

    /// Removes some of those whose time has come, of nested ones the innermost first; the others are still due.
    func proceed(at moment: Moment) {
        for _ in 0..<Self.portion {
            guard let folder = emptied.popDue(at: moment.now) else { return }
            do throws(FolderError) {
                try remove(folder, at: moment)
            } catch {
                // Not empty after all: something arrived without an event. Otherwise the folder stays, which harms nobody.
                if case .failed(let error) = error, error.errno == .notEmpty { scanner.enqueue(folder) }
            }
        }
    }

    private func remove(_ folder: Folder, at moment: Moment) throws(FolderError) {
        guard let (parent, name) = folder.parent else { return try removeInbox(folder, at: moment) }
        guard let opened = opened(parent) else { return }
        let status = try tree.status(of: name, in: parent)
        guard folder.isFolder(status.identity.file), isLeftAlone(folder, status, at: moment) else { return }
        try removeLitter(in: folder)
        let changed = try tree.openFolders.call(at: parent.path(of: name)) { () throws(SyscallError) in
            try opened.directory.removeFolder(name)
            return try opened.directory.status().changed
        }
        parent.past.wasFilled = true
        // The removal itself does not count as somebody's touch.
        parent.past.ownChange = changed
        course.leave(folder)
    }

    /// Nobody misses what programs leave in each folder that they show.
    private func removeLitter(in folder: Folder) throws(FolderError) {
        guard let names = book.litter(in: folder), !names.isEmpty, let opened = opened(folder) else { return }
        let owner = folder.owner
        try tree.openFolders.call(at: folder.bytePath) { () throws(SyscallError) in
            for name in names {
                let status = try opened.directory.status(of: name)
                // Whoever owns the folder could have given another user's document such a name.
                guard status.owner == owner else { continue }
                switch status.kind {
                case .regular: try opened.directory.removeFile(name)
                case .directory where Litter.containsFolder(name):
                    try Self.removeFolder(name, of: owner, in: opened.directory)
                default: break
                }
            }
        }
    }

    /// Removes a folder of litter, up to what belongs to somebody else, or is neither a regular file nor a folder; of very many
    /// files some stay.
    private static func removeFolder(
        _ name: FileName, of owner: UInt32, in parent: borrowing Directory
    ) throws(SyscallError) {
        var count = 0
        let isWhole = try FolderWalk.forEach(beneath: try parent.folder(name, mayCross: false)) {
            step throws(SyscallError) in
            count += 1
            switch step {
            case .entry(let entry):
                let status = try entry.status()
                guard status.kind == .regular, status.owner == owner else { return false }
                try entry.level.directory.removeFile(entry.name)
            case .entered(let level, _): if level.status.owner != owner { return false }
            case .left(let level, let around): if let name = level.name { try around.directory.removeFolder(name) }
            }
            return count < mostLitter
        }
        if isWhole { try parent.removeFolder(name) }
    }

    /// Nil where it cannot be opened: what is in it stays then, which harms nobody.
    private func opened(_ folder: Folder) -> OpenFolder? {
        do throws(FolderError) { return try tree.open(folder) } catch { return nil }
    }

    /// Returns true if others have left a folder alone, which is checked only where no events would show it.
    /// Otherwise the folder is considered again later.
    private func isLeftAlone(_ folder: Folder, _ status: FileStatus, at moment: Moment) -> Bool {
        guard folder.position.watch == nil, status.changed != folder.past.ownChange else { return true }
        let touched = Settling.quietSince(changed: status.changed, at: moment)
        guard touched + folder.inbox.settings.folderSettle > moment.now else { return true }
        folder.past.touched = touched
        emptied.consider(folder)
        return false
    }

    private func removeInbox(_ folder: Folder, at moment: Moment) throws(FolderError) {
        let inbox = folder.inbox
        guard let path = inbox.path.parent, let name = inbox.name else { return }
        inbox.nextVerification = moment.now
        let mark = folder.mark
        try tree.openFolders.call(at: inbox.path) { () throws(SyscallError) in
            let parent: Directory
            do throws(SafePathError) { parent = try SafePath.open(path) } catch {
                // What is wrong with the path is reported when the Inbox is verified.
                return
            }
            guard try mark.isFolder(parent.status(of: name).identity.file) else { return }
            try parent.removeFolder(name)
        }
    }
}
