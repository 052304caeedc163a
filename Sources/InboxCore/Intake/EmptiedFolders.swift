import InboxFiling
import InboxLinux

/// Which folders are to be removed when: those that held documents, are empty, and were left alone for `FolderSettle`.
final class EmptiedFolders {
    private struct Entry: Hashable {
        let folder: Folder

        static func == (one: Entry, other: Entry) -> Bool { one.folder === other.folder }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(folder)) }
    }

    private let book: ArrivalBook
    private var deadlines = Deadlines<Entry>()

    init(book: ArrivalBook) {
        self.book = book
    }

    /// When a folder may be removed.
    var nextDeadline: Instant { deadlines.first }

    /// Takes note of a folder that may be removed after `FolderSettle`.
    func consider(_ folder: Folder) {
        guard folder.past.wasFilled, isRemovable(folder) else { return }
        deadlines.set(Entry(folder: folder), at: folder.past.touched + folder.inbox.settings.folderSettle)
    }

    /// A folder has left the tree.
    func forget(_ folder: Folder) { deadlines.remove(Entry(folder: folder)) }

    /// The next folder whose time has come, and that is still empty and untouched.
    func popDue(at now: Instant) -> Folder? {
        while let folder = deadlines.pop(dueAt: now)?.key.folder {
            guard isRemovable(folder) else { continue }
            if folder.past.touched + folder.inbox.settings.folderSettle <= now { return folder }
            consider(folder)
        }
        return nil
    }

    private func isRemovable(_ folder: Folder) -> Bool {
        guard !folder.isGone, folder.folders.isEmpty, book.isFree(folder) else { return false }
        return switch folder.position.location {
        case .inside: folder.inbox.settings.removeEmptyFolders
        case .top: folder.inbox.settings.removeInbox
        case .around: false
        }
    }
}

/// Removes the folders that were emptied by filing.
struct EmptiedFolderRemoval {
    let emptied: EmptiedFolders
    let tree: WatchedTree
    let course: ArrivalCourse
    let scanner: FolderScanner

    /// Folders: so many are removed at a time, since nothing else is done meanwhile.
    private static let portion = 32

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
        let changed = try tree.openFolders.call(at: parent.path(of: name)) { () throws(SyscallError) in
            try opened.directory.removeFolder(name)
            return try opened.directory.status().changed
        }
        parent.past.wasFilled = true
        // The removal itself does not count as somebody's touch.
        parent.past.ownChange = changed
        course.leave(folder)
    }

    /// Nil where it cannot be opened: what is in it stays then, which harms nobody.
    private func opened(_ folder: Folder) -> OpenFolder? {
        do throws(FolderError) { return try tree.open(folder) } catch { return nil }
    }

    /// Whether others have left a folder alone, as far as no events show that.
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
